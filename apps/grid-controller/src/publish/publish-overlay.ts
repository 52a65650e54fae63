import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderedOverlay } from '@switchyard/grid-core';
import { type ParseOverlayOptions, parseOverlay } from '@switchyard/overlay-contract';
import { projectDirectory } from './project-directory.ts';

/** Names that consumers look for. */
const OVERLAY_FILE = 'routing-overlay.json';
/** The same overlay without envelope, for consumers that know no other form. */
const LEGACY_FILE = 'routing-config.json';

/** How an overlay is published. */
export interface PublishOptions {
  readonly now: Date;
  /** Whether another overlay of the same gateway may be replaced. */
  readonly mayReplace: boolean;
}

/** `published`: written. `unchanged`: the same content stood there. `kept`: other content stands and may not be replaced. */
export type PublishOutcome = 'published' | 'unchanged' | 'kept';

/**
 * Publishes an overlay unless the folder already holds the same content; `unchanged` writes nothing at all. What
 * stands there counts only when it is whole: an edited or cut file is replaced.
 */
export async function publishOverlay(
  directory: string,
  overlay: RenderedOverlay,
  { now, mayReplace }: PublishOptions,
): Promise<PublishOutcome> {
  const { envelope, legacy } = await standing(directory, overlay);
  if (envelope === overlay.revision && legacy === overlay.revision) return 'unchanged';
  if (!mayReplace && envelope !== null && envelope !== overlay.revision) return 'kept';
  await projectDirectory(directory, { [OVERLAY_FILE]: overlay.text, [LEGACY_FILE]: overlay.legacyText }, now);
  return 'published';
}

/** Revisions of this gateway's overlays that stand in the folder; null for one that is absent, broken or another's. */
async function standing(
  directory: string,
  { network, gateway, namespace, localSite }: RenderedOverlay,
): Promise<{ envelope: string | null; legacy: string | null }> {
  const [envelope, legacy] = await Promise.all([
    read(join(directory, OVERLAY_FILE)),
    read(join(directory, LEGACY_FILE)),
  ]);
  const revision = (bytes: Buffer | null, options: ParseOverlayOptions): string | null => {
    const parsed = bytes === null ? null : parseOverlay(bytes, options);
    return parsed?.ok === true ? parsed.overlay.revision : null;
  };
  return {
    envelope: revision(envelope, { expectedScope: { network, gateway, namespace, localSite } }),
    legacy: revision(legacy, {}),
  };
}

async function read(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch {
    return null; // absent or unreadable: either way it must be written
  }
}
