import { createHash } from 'node:crypto';
import { readdir, readFile, stat } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { TraceViewError } from '../errors.ts';

/** One file of the page, in memory. */
export interface PageFile {
  readonly body: Buffer;
  readonly contentType: string;
  /** Strong validator of its bytes. */
  readonly etag: string;
}

const CONTENT_TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.ico': 'image/x-icon',
  '.woff2': 'font/woff2',
  '.txt': 'text/plain; charset=utf-8',
};
/** The page is a handful of small files; more than this is the wrong folder. */
const MAX_FILES = 200;
const MAX_FILE_BYTES = 16 * 1024 * 1024;

/**
 * Reads all files of a folder, by their URL path (`/page.js`). Nothing is read from disk later, so no path of a request
 * can lead out of the folder. Files of unknown kinds and those whose name starts with a dot are left out.
 *
 * @throws {@link TraceViewError} `page_unreadable`.
 */
export async function readPageFiles(directory: string): Promise<Map<string, PageFile>> {
  const files = new Map<string, PageFile>();
  try {
    const entries = await readdir(directory, { recursive: true });
    if (entries.length > MAX_FILES) throw new Error(`${entries.length} files, expected at most ${MAX_FILES}`);
    for (const name of entries) {
      const contentType = CONTENT_TYPES[extname(name)];
      const hidden = name.split(/[/\\]/).some((part) => part.startsWith('.'));
      if (contentType === undefined || hidden) continue;
      const path = join(directory, name);
      const { size } = await stat(path);
      if (size > MAX_FILE_BYTES)
        throw new Error(`${name} has ${size} bytes, expected at most ${MAX_FILE_BYTES}`);
      files.set(`/${name.replaceAll('\\', '/')}`, pageFile(await readFile(path), contentType));
    }
  } catch (cause) {
    const message = `the page cannot be read from ${directory}: ${(cause as Error).message}`;
    throw new TraceViewError('page_unreadable', message, { cause });
  }
  const index = files.get('/index.html');
  if (index !== undefined) files.set('/', index);
  return files;
}

function pageFile(body: Buffer, contentType: string): PageFile {
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 22)}"`;
  return { body, contentType, etag };
}
