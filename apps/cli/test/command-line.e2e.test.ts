import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type CliRun, fixtures, switchyard } from './support/run-cli.ts';

const overlay = readFileSync(join(fixtures, 'overlay.json'), 'utf8');
const VERBS = ['validate', 'digest', 'diff', 'explain', 'simulate'];

describe('standard input', () => {
  it.each([
    [['validate'], 0],
    [['validate', '-'], 0],
    [['digest'], 0],
    [['diff', '-', 'overlay.json'], 0],
    [['diff', 'overlay.json', '-'], 0],
    [['explain', '--model', 'demo-model'], 0],
    [['simulate', '-', '--model', 'demo-model'], 0],
  ])('%j reads it', async (args, code) => {
    expect(await switchyard(['overlay', ...args], { input: overlay })).toMatchObject({ code, stderr: '' });
  });

  it('is named in messages, and empty input is an invalid document', async () => {
    const { code, stdout } = await switchyard(['overlay', 'validate'], { input: '' });
    expect(code).toBe(1);
    expect(stdout).toContain('<stdin>:1:1: malformed_json');
  });

  it('can not be read twice', async () => {
    expect(await switchyard(['overlay', 'diff', '-', '-'], { input: overlay })).toMatchObject({
      code: 2,
      stdout: '',
    });
  });
});

describe('usage', () => {
  it.each([
    ['overly', 'Did you mean "overlay"?'],
    ['validate x', 'Did you mean "overlay validate"?'],
    ['overlay simulte x', 'Did you mean simulate?'],
    ['overlay validate --jsn x', 'Did you mean --json?'],
    ['overlay explain x', "required option '-m, --model <name>' not specified"],
    ['overlay simulate x -m y -n 0', 'a whole number from 1 to 1000000'],
    ['overlay simulate x -m y --seed 4294967296', 'a whole number from 0 to 4294967295'],
    // No input is read past 64 MiB: a limit above that would be a promise nobody keeps.
    ['overlay validate x --max-bytes 67108865', 'a whole number from 1 to 67108864'],
    ['overlay explain x -m y --kind model', 'Allowed choices are inference_model, mcp_tool'],
    ['overlay diff x', "missing required argument 'after'"],
  ])('switchyard %s ends with 2 and a way on', async (line, said) => {
    const { code, stdout, stderr } = await switchyard(line.split(' '));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(said);
    expect(stderr).toMatch(/Try: switchyard.* --help/);
    expect(stderr).not.toMatch(/^ {4}at /m);
  });

  it.each([
    ['--help'],
    ['overlay --help'],
    ['help'],
    ['overlay help'],
    ...VERBS.map((verb) => [`overlay ${verb} -h`]),
  ])('switchyard %s has examples before options, and exit codes', async (line) => {
    const { code, stdout, stderr } = await switchyard(line.split(' '));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const places = ['Examples\n', 'Usage: switchyard', 'Options:\n', 'Exit codes\n'].map((part) =>
      stdout.indexOf(part),
    );
    expect(places.every((place) => place > 0)).toBe(true);
    expect(places).toEqual([...places].sort((a, b) => a - b));
  });

  it('without a command shows the help on standard error and ends with 2', async () => {
    const { code, stdout, stderr } = await switchyard(['overlay']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('Examples\n');
  });

  it('knows its version', async () => {
    const manifest = JSON.parse(readFileSync(join(fixtures, '../../package.json'), 'utf8')) as {
      version: string;
    };
    expect(await switchyard(['--version'])).toMatchObject({ code: 0, stdout: `${manifest.version}\n` });
  });
});

describe('pipes', () => {
  it('get neither colours nor suggestions, whatever TERM says', async () => {
    const { stdout } = await switchyard(['overlay', 'validate', 'overlay.json']);
    expect(stdout).toBe('overlay.json: valid, envelope, 5 candidates, revision 275d66d948eb\n');
  });

  it.each([
    [['validate', 'misspelt.json'], 1],
    [['validate', 'misspelt.json', '--json'], 1],
    [['simulate', 'overlay.json', '-m', 'demo-model', '-n', '300000', '--json'], 0],
  ])('%j keeps its exit code when its reader leaves early', async (args, code) => {
    expect(await switchyard(['overlay', ...args], { closeStdoutEarly: true })).toEqual({
      code,
      stdout: '',
      stderr: '',
    });
  });

  it('get all of a long answer', async () => {
    const { stdout } = await switchyard(
      ['overlay', 'simulate', '-m', 'demo-model', '-n', '200000', '--json'],
      { input: overlay },
    );
    expect((JSON.parse(stdout) as { sequence: string[] }).sequence).toHaveLength(200_000);
  });
});

describe('hostile documents', () => {
  it('can not colour or move what a terminal shows', async () => {
    const name = '\u001b[31mred\u001b[0m\u202e';
    const input = JSON.stringify({
      local_site: 'here',
      candidates: [{ kind: 'inference_model', name, site: 's', cluster: '\u009b2J' }],
    });
    const runs = [['validate'], ['explain', '-m', name], ['simulate', '-m', name], ['explain', '-m', 'x']];
    for (const { stdout, stderr } of await all(runs, input)) {
      expect(stdout + stderr).not.toBe('');
      // Any control or format character but the line break.
      expect(stdout + stderr).not.toMatch(/[^\P{C}\n]/u);
    }
  });

  const deep = '['.repeat(500_000);
  it.each([
    ['deep nesting', deep],
    ['deep candidates', `{"candidates":${deep}`],
    ['a NUL', '\u0000'],
    ['a lone surrogate', '{"a":"\\ud800"}'],
    ['an array', '[]'],
    ['null', 'null'],
    ['a prototype', '{"__proto__": 1}'],
  ])('%s ends with a message, never with a stack trace', async (_, input) => {
    for (const { code, stdout, stderr } of await all(
      [['validate'], ['digest'], ['explain', '-m', 'x']],
      input,
    )) {
      expect([0, 1, 3]).toContain(code);
      expect(stdout + stderr).not.toMatch(/^ {4}at /m);
    }
  });
});

function all(runs: readonly (readonly string[])[], input: string): Promise<CliRun[]> {
  return Promise.all(runs.map((args) => switchyard(['overlay', ...args], { input })));
}
