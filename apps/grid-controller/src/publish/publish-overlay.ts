import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { RenderedOverlay } from '@switchyard/grid-core';
import { parseOverlay } from '@switchyard/overlay-contract';
import { projectDirectory } from './project-directory.ts';

/** Names that consumers look for. */
const OVERLAY_FILE = 'routing-overlay.json';
/** The same overlay without envelope, for consumers that know no other form. */
const LEGACY_FILE = 'routing-config.json';

/**
 * Publishes an overlay unless the folder already holds the same content; `unchanged` writes nothing at all. What
 * stands there counts only when it is whole: an edited or cut file is replaced.
 */
export async function publishOverlay(
  directory: string,
  overlay: RenderedOverlay,
  now: Date,
): Promise<'published' | 'unchanged'> {
  if (await holds(directory, overlay)) return 'unchanged';
  await projectDirectory(directory, { [OVERLAY_FILE]: overlay.text, [LEGACY_FILE]: overlay.legacyText }, now);
  return 'published';
}

async function holds(directory: string, overlay: RenderedOverlay): Promise<boolean> {
  const { network, gateway, namespace, localSite, revision } = overlay;
  const [envelope, legacy] = await Promise.all([
    read(join(directory, OVERLAY_FILE)),
    read(join(directory, LEGACY_FILE)),
  ]);
  if (envelope === null || legacy === null) return false;
  const standing = parseOverlay(envelope, { expectedScope: { network, gateway, namespace, localSite } });
  const flat = parseOverlay(legacy);
  return (
    standing.ok && flat.ok && standing.overlay.revision === revision && flat.overlay.revision === revision
  );
}

async function read(file: string): Promise<Buffer | null> {
  try {
    return await readFile(file);
  } catch {
    return null; // absent or unreadable: either way it must be written
  }
}
