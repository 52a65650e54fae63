import { mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { sealCassette } from '../../src/cassette/hash.ts';
import { CassetteLoadError, loadCassettes } from '../../src/cassette/load.ts';
import { CHECKED_IN, like, sealedText } from '../cassettes.ts';

async function failure(directory: string): Promise<CassetteLoadError> {
  const error = await loadCassettes(directory).catch((caught: unknown) => caught);
  if (!(error instanceof CassetteLoadError))
    throw new Error(`expected CassetteLoadError, found ${String(error)}`);
  return error;
}

describe('loadCassettes', () => {
  it('loads the cassettes that come with the app', async () => {
    const cassettes = await loadCassettes(CHECKED_IN);
    const ids = cassettes.map((cassette) => cassette.id);
    expect(ids).toContain('which-site');
    expect(ids).toContain('which-site-stream');
    expect(new Set(ids).size).toBe(ids.length);
  });

  it('checked-in files stand in sealed form, named after their id', async () => {
    for (const name of await readdir(CHECKED_IN)) {
      const text = await readFile(path.join(CHECKED_IN, name), 'utf8');
      const document = JSON.parse(text) as Record<string, unknown>;
      expect(text).toBe(sealCassette(document));
      expect(name).toBe(`${String(document['id'])}.json`);
    }
  });

  it('reads subfolders in the order of relative paths, and passes over dot names and other files', async () => {
    await using dir = await tempDir();
    await mkdir(path.join(dir.path, 'b'));
    await mkdir(path.join(dir.path, '..2026_01_01'));
    await writeFile(path.join(dir.path, 'c.json'), sealedText({ id: 'third' }));
    await writeFile(path.join(dir.path, 'b', 'x.json'), sealedText({ id: 'second' }));
    await writeFile(path.join(dir.path, '..2026_01_01', 'a.json'), sealedText({ id: 'first' }));
    await symlink(path.join('..2026_01_01', 'a.json'), path.join(dir.path, 'a.json'));
    await writeFile(path.join(dir.path, 'notes.txt'), 'not a cassette');
    const cassettes = await loadCassettes(dir.path);
    expect(cassettes.map((cassette) => cassette.id)).toEqual(['first', 'second', 'third']);
  });

  it('names every bad file, the place and the reason', async () => {
    await using dir = await tempDir();
    const at = (name: string): string => path.join(dir.path, name);
    await writeFile(at('1.json'), sealedText({ id: 'one' }));
    await writeFile(at('2.json'), sealedText({ id: 'two' }).replace('"offsetMs": 5', '"offsetMs": 6'));
    await writeFile(at('3.json'), '{');
    await writeFile(at('4.json'), sealedText({ id: 'one' }));
    await mkdir(at('5.json'));
    const error = await failure(dir.path);
    expect(error.issues).toEqual([
      {
        file: at('2.json'),
        path: 'contentHash',
        message: like(/changed after it was sealed/),
      },
      { file: at('3.json'), path: '', message: like(/^not JSON/) },
      { file: at('4.json'), path: 'id', message: `"one" is already the id of ${at('1.json')}` },
      { file: at('5.json'), path: '', message: like(/^cannot be read/) },
    ]);
    expect(error.message).toContain(`${at('2.json')}: contentHash: `);
  });

  it('refuses a folder that is empty or missing', async () => {
    await using dir = await tempDir();
    expect((await failure(dir.path)).message).toContain('holds no *.json cassette');
    expect((await failure(path.join(dir.path, 'none'))).message).toContain('cannot be listed');
  });
});
