import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { ParseOverlayOptions } from '../../src/index.ts';

/** What a reader must make of a document. */
export interface Expectation {
  readonly why: string;
  readonly expect: 'accept' | 'reject';
  /** Every issue as "code @ path", in any order. */
  readonly issues?: readonly string[];
  readonly revision?: string;
  readonly policy?: string;
  /** Default `envelope`. */
  readonly format?: string;
  readonly fresh?: readonly boolean[];
  readonly admission?: readonly string[];
  readonly options?: ParseOverlayOptions;
}

/** A document beside the repository, and what a reader must make of it. */
export interface SharedVector {
  readonly id: string;
  readonly expect: 'accept' | 'reject';
  /** One code that must be among the issues. */
  readonly code?: string;
  readonly revision?: string;
  readonly digest?: string;
  readonly policy?: string;
  readonly format?: string;
  readonly expectedScope?: Record<string, string>;
  readonly text?: string;
  readonly base64?: string;
}

/** The bytes of a shared vector's document. */
export function sharedBytes({ base64, text }: SharedVector): Buffer {
  return base64 === undefined ? Buffer.from(text ?? '', 'utf8') : Buffer.from(base64, 'base64');
}

/** The shared vectors of one file; none when it is not there. */
export function sharedVectors(file: string): readonly SharedVector[] {
  const path = join(sharedFolder, 'vectors', file);
  return existsSync(path) ? readJson<{ vectors: SharedVector[] }>(path).vectors : [];
}

/** Files that hold shared vectors. */
export const SHARED_FILES: readonly string[] = ['overlay-ingest.json', 'overlay-selection.json'];

/** Own vectors: file name, relative to `test/vectors`, to what is expected of it. */
export function ownVectors(): ReadonlyMap<string, Expectation> {
  const manifest = readJson<{ vectors: Record<string, Expectation> }>(join(vectorFolder, 'manifest.json'));
  return new Map(Object.entries(manifest.vectors));
}

/** The bytes of an own vector. */
export function ownBytes(file: string): Buffer {
  return readFileSync(join(vectorFolder, file));
}

/** A JSON file read as the caller says it is. */
export function readJson<T>(path: string): T {
  return JSON.parse(readFileSync(path, 'utf8')) as T;
}

/** `test/vectors` of this package. */
export const vectorFolder: string = join(dirname(fileURLToPath(import.meta.url)), '..', 'vectors');

/** The folder beside the repository that may hold further vectors; a bare clone does not have it. */
export const sharedFolder: string = join(repositoryRoot(), '..', 'shared');

function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'pnpm-workspace.yaml'))) folder = dirname(folder);
  return folder;
}
