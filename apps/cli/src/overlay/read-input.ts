import type { Stats } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import type { Readable } from 'node:stream';

/** The name that stands for standard input. */
export const STDIN = '-';

/** More than any overlay: an endless input must not fill the memory. */
export const READ_BYTES_MAX: number = 64 * 1024 * 1024;

/** Why an input could not be read. */
interface InputFailure {
  /** The system's code, such as `ENOENT`; `ETOOBIG` past 64 MiB. */
  readonly code: string;
  /** What happened, with the file's name. */
  readonly message: string;
}

/** The bytes of an input, or why there are none. */
export type InputResult =
  | { readonly ok: true; readonly bytes: Buffer }
  | { readonly ok: false; readonly failure: InputFailure };

/**
 * Reads a file (regular, pipe or `/dev/fd/N`) or, for `-`, standard input. Once: what is judged is what is shown.
 *
 * @param maxBytes - Where reading gives up. Default 64 MiB.
 */
export async function readInput(
  source: string,
  stdin: Readable,
  maxBytes: number = READ_BYTES_MAX,
): Promise<InputResult> {
  let file: FileHandle | undefined;
  try {
    file = source === STDIN ? undefined : await openFile(source);
    const bytes = await collect(file?.createReadStream({ autoClose: false }) ?? stdin, maxBytes);
    if (bytes !== undefined) return { ok: true, bytes };
    return failed(
      'ETOOBIG',
      `${inputName(source)} has more than ${maxBytes} bytes; no overlay is that large`,
    );
  } catch (error) {
    const { code = 'EIO', message } = error as NodeJS.ErrnoException;
    return failed(code, `${inputName(source)} can't be read: ${REASONS[code] ?? message}`);
  } finally {
    await file?.close();
  }
}

/** How messages call an input. */
export function inputName(source: string): string {
  return source === STDIN ? '<stdin>' : source;
}

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EISDIR: 'it is a folder; name the file in it, such as routing-overlay.json',
  ENOTDIR: 'a part of its path is a file, not a folder',
};

async function openFile(path: string): Promise<FileHandle> {
  const file = await open(path, 'r');
  const stats: Stats = await file.stat();
  if (!stats.isDirectory()) return file;
  await file.close();
  throw Object.assign(new Error('it is a folder'), { code: 'EISDIR' });
}

async function collect(stream: Readable, maxBytes: number): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk as Uint8Array);
    size += bytes.length;
    if (size > maxBytes) return undefined;
    chunks.push(bytes);
  }
  return Buffer.concat(chunks);
}

function failed(code: string, message: string): InputResult {
  return { ok: false, failure: { code, message } };
}
