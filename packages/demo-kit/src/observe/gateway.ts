import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { GroupMember, OverlayIdentity, Revisions } from '../records.ts';

/**
 * State letter of a process: `T` is stopped, `S` sleeping, `R` running; `?` when there is no such process.
 * Read from /proc, or where there is none (macOS) asked of `ps`.
 */
export function processState(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8')
      .replace(/^.*\) /s, '')
      .charAt(0);
  } catch {
    // no /proc: ask ps
  }
  try {
    return (
      execFileSync('ps', ['-o', 'state=', '-p', String(pid)], { encoding: 'utf8' })
        .trim()
        .charAt(0) || '?'
    );
  } catch {
    return '?';
  }
}

/** Identity of the published file; throws when there is none. */
export function overlayIdentity(file: string): OverlayIdentity {
  const { ino, mtimeMs } = statSync(file);
  return {
    dataTarget: dataTarget(dirname(file)),
    inode: ino,
    mtimeMs,
    sha256: createHash('sha256').update(readFileSync(file)).digest('hex'),
  };
}

function dataTarget(directory: string): string {
  try {
    return readlinkSync(join(directory, '..data'));
  } catch {
    return '';
  }
}

/** Reads the published revision from the file, accepted and serving from the gateway's admin port. */
export async function readRevisions(overlayFile: string, adminUrl: string): Promise<Revisions> {
  const [published, status] = await Promise.all([
    publishedRevision(overlayFile),
    adminJson<AdminOverlay>(adminUrl, '/admin/overlay'),
  ]);
  return {
    published,
    accepted: status?.accepted?.revision ?? null,
    serving: status?.serving?.revision ?? null,
  };
}

/** Code of the refusal that stands at the gateway; null while the overlay file is good. */
export async function readRejection(adminUrl: string): Promise<string | null> {
  return (await adminJson<AdminOverlay>(adminUrl, '/admin/overlay'))?.lastRejected?.code ?? null;
}

interface AdminOverlay {
  readonly lastRejected?: { readonly code?: string } | null;
  readonly accepted?: { readonly revision?: string };
  readonly serving?: { readonly revision?: string };
}
interface AdminRoutes {
  readonly routes?: readonly {
    readonly name: string;
    readonly groups: readonly { readonly members: readonly GroupMember[] }[];
  }[];
}

async function publishedRevision(file: string): Promise<string | null> {
  try {
    const document = JSON.parse(await readFile(file, 'utf8')) as { revision?: { value?: string } };
    return document.revision?.value ?? null;
  } catch {
    return null; // not published yet
  }
}

/** Groups of one model as the gateway routes them now. */
export async function readGroups(
  adminUrl: string,
  model: string,
): Promise<readonly (readonly GroupMember[])[]> {
  const found = (await adminJson<AdminRoutes>(adminUrl, '/admin/routes'))?.routes?.find(
    (route) => route.name === model,
  );
  return (found?.groups ?? []).map(({ members }) =>
    members.map(({ cluster, site, stableId, viable }) => ({ cluster, site, stableId, viable })),
  );
}

async function adminJson<T>(adminUrl: string, path: string): Promise<T | null> {
  try {
    const response = await fetch(`${adminUrl}${path}`, { signal: AbortSignal.timeout(2_000) });
    return response.ok ? ((await response.json()) as T) : null;
  } catch {
    return null; // not listening yet
  }
}
