import { constants } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { ReadFailureCode } from '../events.ts';

/** Why it can't be told what is in a file. */
export interface ReadFailure {
  readonly ok: false;
  readonly code: ReadFailureCode;
  readonly message: string;
  readonly cause?: unknown;
}

/** What is in the file, or why it can't be told. */
export type ReadOutcome = { readonly ok: true; readonly bytes: Uint8Array } | ReadFailure;

/**
 * Reads a regular file, at most one byte more than `bytesMax`: enough to see that it is too large without taking it in.
 * The open descriptor is what is checked, so the file can't be swapped in between; a FIFO doesn't block.
 */
export async function readBounded(file: string, bytesMax: number): Promise<ReadOutcome> {
  let handle: FileHandle | undefined;
  try {
    handle = await open(file, constants.O_RDONLY | (constants.O_NONBLOCK ?? 0));
    const stat = await handle.stat();
    if (!stat.isFile()) {
      return { ok: false, code: 'not_a_file', message: `${file} is not a regular file` };
    }
    // A file that grows meanwhile yields one byte too many, fails to parse and is read again.
    return { ok: true, bytes: await readFully(handle, Math.min(stat.size, bytesMax) + 1) };
  } catch (cause) {
    return failure(file, cause);
  } finally {
    await handle?.close();
  }
}

async function readFully(handle: FileHandle, length: number): Promise<Uint8Array> {
  const bytes = new Uint8Array(length);
  let filled = 0;
  while (filled < length) {
    const { bytesRead } = await handle.read(bytes, filled, length - filled, filled);
    if (bytesRead === 0) break;
    filled += bytesRead;
  }
  return bytes.subarray(0, filled);
}

function failure(file: string, cause: unknown): ReadFailure {
  const code = (cause as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR') {
    return { ok: false, code: 'missing', message: `${file} does not exist`, cause };
  }
  return {
    ok: false,
    code: 'unreadable',
    message: `${file} can't be read: ${(cause as Error).message}`,
    cause,
  };
}
