import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ParseOverlayOptions } from '../../src/index.ts';
import { ownBytes, ownVectors, SHARED_FILES, sharedBytes, sharedFolder, sharedVectors } from './vectors.ts';

/** A document to judge both by the reader and by the JSON Schema. */
export interface SchemaCase {
  readonly id: string;
  readonly bytes: Buffer;
  readonly options: ParseOverlayOptions | undefined;
}

/** Every own vector. */
export function ownDocuments(): readonly SchemaCase[] {
  return [...ownVectors()].map(([id, { options }]) => ({ id, bytes: ownBytes(id), options }));
}

/** Every vector and fixture beside the repository, when they are there. */
export function sharedDocuments(): readonly SchemaCase[] {
  const fixtures = join(sharedFolder, 'fixtures', 'overlay-contract-v1');
  const files = existsSync(fixtures) ? readdirSync(fixtures).filter((file) => file !== 'manifest.json') : [];
  return [
    ...SHARED_FILES.flatMap(sharedVectors).map((vector) => ({
      id: vector.id,
      bytes: sharedBytes(vector),
      options: undefined,
    })),
    ...files.map((file) => ({ id: file, bytes: readFileSync(join(fixtures, file)), options: undefined })),
  ];
}
