import { readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { loadConfig } from '@switchyard/gateway-kit';
import { tempDir } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { loadCassettes } from '../src/cassette/load.ts';
import { vcrConfigSchema } from '../src/config.ts';
import { CHECKED_IN, cassette } from './cassettes.ts';
import { send, sendForJson, startVcr } from './http/vcr.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

/** The text of the first fenced block of a language. */
function block(language: string): string {
  const text = new RegExp(`\`\`\`${language}\\n([\\s\\S]*?)\`\`\``).exec(readme)?.[1];
  if (text === undefined) throw new Error(`no ${language} block in README.md`);
  return text;
}

it("the README's config is a config", async () => {
  await using dir = await tempDir();
  const file = path.join(dir.path, 'vcr.yaml');
  await writeFile(file, block('yaml'));
  expect(loadConfig(file, { schema: vcrConfigSchema })).toMatchObject({ instance: 'site-a', mode: 'replay' });
});

it("the README's error is what a miss answers", async () => {
  await using vcr = await startVcr(await loadCassettes(CHECKED_IN));
  const body = { model: 'demo-model', messages: [{ role: 'user', content: 'Which site is it?' }] };
  const json: unknown = JSON.parse(block('json'));
  expect(await sendForJson(vcr.port, body)).toMatchObject({ status: 404, json });
});

it('the README names every field of a reply line', async () => {
  await using vcr = await startVcr([cassette()]);
  await (await send(vcr.port, {})).body;
  await expect.poll(() => vcr.replies.length).toBe(1);
  const table = readme.slice(readme.indexOf('## Reply lines'));
  for (const field of Object.keys(vcr.replies[0] ?? {})) expect(table).toContain(`\`${field}\``);
});
