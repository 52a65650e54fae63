import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { parseOverlay } from '../src/index.ts';

interface Vector {
  readonly id: string;
  readonly expect: 'accept' | 'reject';
  readonly code: string;
  readonly digest?: string;
  readonly revision?: string;
  readonly policy?: string;
  readonly format?: string;
  readonly expectedScope?: Record<string, string>;
  readonly text?: string;
  readonly base64?: string;
}

function repositoryRoot(): string {
  let folder = dirname(fileURLToPath(import.meta.url));
  while (!existsSync(join(folder, 'pnpm-workspace.yaml'))) folder = dirname(folder);
  return folder;
}

const shared = join(repositoryRoot(), '..', 'shared');

function vectors(file: string): Vector[] {
  const path = join(shared, 'vectors', file);
  if (!existsSync(path)) return [];
  return (JSON.parse(readFileSync(path, 'utf8')) as { vectors: Vector[] }).vectors;
}

describe.skipIf(!existsSync(shared))('vectors beside the repository', () => {
  const all = [...vectors('overlay-ingest.json'), ...vectors('overlay-selection.json')];
  it.each(all.map((vector) => [vector.id, vector] as const))('%s', (_id, vector) => {
    const bytes =
      vector.base64 === undefined
        ? Buffer.from(vector.text ?? '', 'utf8')
        : Buffer.from(vector.base64, 'base64');
    const result = parseOverlay(
      bytes,
      vector.expectedScope === undefined ? {} : { expectedScope: vector.expectedScope },
    );
    if (vector.expect === 'reject') {
      expect(result.ok ? [] : result.issues.map((issue) => issue.code)).toContain(vector.code);
      return;
    }
    expect(result).toMatchObject({ ok: true });
    if (!result.ok) return;
    const revision = vector.digest ?? vector.revision;
    if (revision !== undefined) expect(result.overlay.revision).toBe(revision);
    if (vector.policy !== undefined) expect(result.overlay.selectionPolicy).toBe(vector.policy);
    if (vector.format !== undefined) expect(result.overlay.format).toBe(vector.format);
  });
});
