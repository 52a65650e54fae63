import { readdir, readFile, stat } from 'node:fs/promises';
import path from 'node:path';
import type { Cassette } from './format.ts';
import { type CassetteIssue, parseCassette } from './parse.ts';

/** Largest cassette file that is read, in bytes: far above any chat, far below what would hurt the process. */
const CASSETTE_BYTES_MAX: number = 32 * 1024 * 1024;

/** A {@link CassetteIssue} with the file it was found in. */
export interface CassetteFileIssue extends CassetteIssue {
  /** The file, or the folder when the folder itself is at fault. */
  readonly file: string;
}

/** At least one cassette is not fit to be played. Names all of them. */
export class CassetteLoadError extends Error {
  override readonly name = 'CassetteLoadError';
  readonly code = 'cassettes_invalid';
  readonly issues: readonly CassetteFileIssue[];

  constructor(issues: readonly CassetteFileIssue[]) {
    super(
      issues
        .map((issue) => `${issue.file}: ${issue.path === '' ? '' : `${issue.path}: `}${issue.message}`)
        .join('\n'),
    );
    this.issues = issues;
  }
}

/**
 * Loads and verifies every `*.json` below a folder, in the order of their relative paths. Names that start with a
 * dot are passed over, so that a mounted ConfigMap (with its `..data` folders) is read once.
 *
 * @throws {@link CassetteLoadError} when the folder can't be read or is empty, when any file is not a verified
 * cassette, or when two share an id.
 */
export async function loadCassettes(directory: string): Promise<readonly Cassette[]> {
  const files = await listFiles(directory);
  if (files.length === 0) {
    throw new CassetteLoadError([
      { file: directory, path: '', message: 'holds no *.json cassette: nothing could ever be replayed' },
    ]);
  }
  const issues: CassetteFileIssue[] = [];
  const cassettes: Cassette[] = [];
  const fileById = new Map<string, string>();
  for (const file of files) {
    const result = await readCassette(file);
    if (!result.ok) {
      issues.push(...result.issues.map((issue) => ({ ...issue, file })));
      continue;
    }
    const twin = fileById.get(result.cassette.id);
    if (twin !== undefined) {
      issues.push({
        file,
        path: 'id',
        message: `${JSON.stringify(result.cassette.id)} is already the id of ${twin}`,
      });
      continue;
    }
    fileById.set(result.cassette.id, file);
    cassettes.push(result.cassette);
  }
  if (issues.length > 0) throw new CassetteLoadError(issues);
  return cassettes;
}

async function listFiles(directory: string): Promise<string[]> {
  let names: string[];
  try {
    names = await readdir(directory, { recursive: true });
  } catch (error) {
    throw new CassetteLoadError([
      { file: directory, path: '', message: `cannot be listed: ${reasonOf(error)}` },
    ]);
  }
  return names
    .filter((name) => name.endsWith('.json') && !name.split(path.sep).some((part) => part.startsWith('.')))
    .sort()
    .map((name) => path.join(directory, name));
}

async function readCassette(file: string): Promise<ReturnType<typeof parseCassette>> {
  try {
    const { size } = await stat(file);
    if (size > CASSETTE_BYTES_MAX) {
      return {
        ok: false,
        issues: [{ path: '', message: `${size} bytes, the limit is ${CASSETTE_BYTES_MAX}` }],
      };
    }
    return parseCassette(await readFile(file));
  } catch (error) {
    return { ok: false, issues: [{ path: '', message: `cannot be read: ${reasonOf(error)}` }] };
  }
}

function reasonOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
