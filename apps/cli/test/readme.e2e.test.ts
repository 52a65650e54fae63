import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { switchyard } from './support/run-cli.ts';

const readme = readFileSync(join(repositoryRoot(), 'apps/cli/README.md'), 'utf8');
const shown = [...readme.matchAll(/```console\n\$ switchyard (.*)\n([\s\S]*?)```/g)].map(
  ([, typed = '', output = '']) => ({
    typed,
    output,
  }),
);

describe('README', () => {
  it('shows every command', () => {
    const verbs = new Set(shown.map(({ typed }) => typed.split(' ')[1]));
    expect([...verbs]).toEqual(['validate', 'digest', 'diff', 'explain', 'simulate']);
  });

  it.each(shown)('switchyard $typed prints what it shows', async ({ typed, output }) => {
    const { stdout, stderr } = await switchyard(typed.split(' '));
    expect(stdout).toBe(output);
    expect(stderr).toBe('');
  });

  it('names the members of every JSON shape', async () => {
    const commands = ['validate overlay.json', 'digest overlay.json', 'diff overlay.json next.json']
      .concat(['explain overlay.json -m demo-model', 'simulate overlay.json -m demo-model'])
      .map((line) => line.split(' '));
    const missing: string[] = [];
    for (const args of commands) {
      const { stdout } = await switchyard(['overlay', ...args, '--json']);
      const [verb = ''] = args;
      const shape = new RegExp(`interface ${verb}[\\s\\S]*?\\n}\\n`, 'i').exec(readme)?.[0] ?? '';
      const known = ['schemaVersion', 'command'];
      const names = Object.keys(JSON.parse(stdout) as object).filter((name) => !known.includes(name));
      missing.push(
        ...names
          .filter((name) => !new RegExp(`\\b${name}\\??:`).test(shape))
          .map((name) => `${verb}.${name}`),
      );
    }
    expect(missing).toEqual([]);
  });
});
