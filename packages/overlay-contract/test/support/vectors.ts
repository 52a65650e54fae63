import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ParseOverlayOptions } from '../../src/index.ts';

/** A document and what a reader must make of it. */
export interface Vector {
  readonly id: string;
  readonly why: string;
  readonly expect: 'accept' | 'reject';
  /** Own vectors: every issue as "code @ path", in any order. */
  readonly issues?: readonly string[];
  /** Vectors beside the repository: one code that must be among the issues. */
  readonly code?: string;
  readonly revision?: string;
  readonly digest?: string;
  readonly policy?: string;
  readonly format?: string;
  readonly fresh?: readonly boolean[];
  readonly admission?: readonly string[];
  readonly options?: ParseOverlayOptions;
  readonly expectedScope?: Record<string, string>;
  readonly document?: unknown;
  readonly text?: string;
  readonly base64?: string;
}

/** The bytes of a vector's document. */
export function vectorBytes(vector: Vector): Buffer {
  if (vector.base64 !== undefined) return Buffer.from(vector.base64, 'base64');
  return Buffer.from(vector.text ?? JSON.stringify(vector.document), 'utf8');
}

/** A JSON file read as the caller says it is. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** `test/vectors` of this package. */
export const ownVectors: string = join(dirname(fileURLToPath(import.meta.url)), '..', 'vectors');

/** The folder beside the repository that may hold further vectors; a bare clone does not have it. */
export const sharedFolder: string = join(repositoryRoot(), '..', 'shared');

function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'pnpm-workspace.yaml'))) folder = dirname(folder);
  return folder;
}
