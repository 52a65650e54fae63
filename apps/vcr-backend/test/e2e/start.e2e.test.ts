import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { runToExit, tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { vcrBackend } from '../../src/app.ts';
import { CHECKED_IN } from '../cassettes.ts';
import { startVcrProcess, vcrConfig } from './app.ts';

const APP = 'vcr-backend';

/** Runs the app with a config that it should refuse. */
async function refused(config: Record<string, unknown>, args: readonly string[] = []) {
  await using dir = await tempDir();
  const file = path.join(dir.path, 'vcr.yaml');
  await writeFile(file, JSON.stringify(config, null, 2));
  return await runToExit(APP, ['--config', file, ...args]);
}

describe('start', () => {
  it.each([
    ['an unknown key', { casettes: 'x' }, 'casettes: unknown key, did you mean "cassettes"?'],
    ['a wrong type', { speed: 'fast' }, 'speed: expected a number, found "fast"'],
    ['a negative speed', { speed: -1 }, 'speed: expected at least 0'],
    [
      'mode record',
      { mode: 'record', upstream: { url: 'https://api.example.com' } },
      'this version replays only',
    ],
    ['mode simulate', { mode: 'simulate', simulate: { ttftMs: 50 } }, 'this version replays only'],
    ['an unknown mode', { mode: 'reply' }, 'did you mean "replay"?'],
    ['a folder that is not there', { cassettes: './none' }, 'cannot be listed'],
  ])('%s is exit code 3, and says why', async (_name, more, words) => {
    const { code, stdout, stderr } = await refused(vcrConfig(more));
    expect(stderr).toContain(words);
    expect(code).toBe(3);
    expect(stdout).toBe('');
  });

  it('a tampered cassette is exit code 3, naming file, place and reason', async () => {
    await using dir = await tempDir();
    const folder = path.join(dir.path, 'cassettes');
    await mkdir(folder);
    const text = await readFile(path.join(CHECKED_IN, 'which-site.json'), 'utf8');
    await writeFile(path.join(folder, 'good.json'), text);
    await writeFile(path.join(folder, 'bad.json'), text.replace('Whichever', 'whichever'));
    await writeFile(path.join(folder, 'worse.json'), text.replace('"offsetMs": 92', '"offsetMs": "92"'));
    const { code, stderr } = await refused(vcrConfig({ cassettes: folder }));
    expect(code).toBe(3);
    expect(stderr).toMatch(/bad\.json:.*contentHash: .*changed after it was sealed/);
    expect(stderr).toMatch(/worse\.json:.*response\.chunks\[0\]\.offsetMs: expected number, found "92"/);
    expect(stderr).not.toContain('good.json');
  });

  it.each([['fast'], ['-1'], [''], ['Infinity']])('--speed %j is a usage error', async (speed) => {
    const { code, stderr } = await refused(vcrConfig(), [`--speed=${speed}`]);
    expect(code).toBe(2);
    expect(stderr).toContain('--speed needs a');
  });

  it('a port in use is exit code 5, for either listener', async () => {
    await using app = await startVcrProcess();
    const taken = { port: app.port('proxy') };
    expect((await refused(vcrConfig({ listen: taken }))).code).toBe(5);
    expect((await refused(vcrConfig({ admin: taken }))).code).toBe(5);
  });

  it('tells the version of its package', async () => {
    const manifest = JSON.parse(
      await readFile(new URL('../../package.json', import.meta.url), 'utf8'),
    ) as object;
    expect(manifest).toMatchObject({ version: vcrBackend.version, name: `@switchyard/${vcrBackend.name}` });
  });
});
