import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { repository, sourceFiles, sourceRoots } from './repository.ts';

/** Room sizes of DESIGN §11: past these a file or folder is split by meaning. */
const MAX_LINES = 300;
const MAX_FILES = 12;

const sources = sourceRoots().flatMap(sourceFiles);
const text = (file: string): string => readFileSync(join(repository, file), 'utf8');

describe('room sizes', () => {
  it(`no source file is longer than ${MAX_LINES} lines`, () => {
    expect(sources.filter((file) => text(file).split('\n').length > MAX_LINES)).toEqual([]);
  });

  it(`no source folder holds more than ${MAX_FILES} files`, () => {
    const crowded = [...new Set(sources.map((file) => dirname(file)))].filter(
      (folder) =>
        readdirSync(join(repository, folder)).filter((name) =>
          statSync(join(repository, folder, name)).isFile(),
        ).length > MAX_FILES,
    );
    expect(crowded).toEqual([]);
  });
});

describe('what is committed', () => {
  it.runIf(existsSync(join(repository, '.git')))('no source or test is left out by an ignore rule', () => {
    const rooms = ['packages', 'apps', 'demos', 'tests', 'tools', 'benchmarks'];
    const list = ['ls-files', '--others', '--ignored', '--exclude-standard', '--', ...rooms];
    const ignored = execFileSync('git', list, { cwd: repository, encoding: 'utf8', maxBuffer: 2 ** 28 });
    const left = ignored
      .split('\n')
      .filter(
        (file) => /\.(m?ts|tsx|mjs|ya?ml|md)$/.test(file) && !/(^|\/)(node_modules|dist|\.tmp-)/.test(file),
      );
    expect(left).toEqual([]);
  });
});

describe('determinism', () => {
  it('packages take clock and randomness as parameters: only the named system defaults read them', () => {
    const allowed = /(clock|random|system)[^/]*\.ts$/;
    const banned = /\b(Date\.now|Math\.random|performance\.now)\(/;
    // The kits run real processes in real time.
    const kits = /^packages\/(test|demo)-kit\//;
    const found = sources
      .filter((file) => file.startsWith('packages/') && !kits.test(file) && !allowed.test(file))
      .filter((file) =>
        text(file)
          .split('\n')
          .some((line) => banned.test(line) && !/^\s*(\*|\/\/)/.test(line)),
      );
    expect(found).toEqual([]);
  });
});

describe('documentation', () => {
  it('every package, app and demo has a README that says what it does not do', () => {
    const lacking = sourceRoots()
      .map((root) => join(dirname(root), 'README.md'))
      .filter(
        (readme) => !existsSync(join(repository, readme)) || !/what it does not do/i.test(text(readme)),
      );
    expect(lacking).toEqual([]);
  });

  it('every export of a package carries a doc comment', () => {
    const undocumented = sources
      .filter((file) => file.startsWith('packages/') && !file.endsWith('/index.ts'))
      .flatMap((file) => {
        const lines = text(file).split('\n');
        return lines.flatMap((line, index) =>
          /^export (async function|function|class|interface|type|const) /.test(line) &&
          !documented(lines, index)
            ? [`${file}:${index + 1}: ${line}`]
            : [],
        );
      });
    expect(undocumented).toEqual([]);
  });

  it('the README has a row for every package, app and demo', () => {
    const folders = sourceRoots().map((root) => dirname(root));
    expect(folders.filter((folder) => !text('README.md').includes(`](${folder}/README.md)`))).toEqual([]);
  });

  it('the README names the pnpm version that package.json pins', () => {
    const { packageManager } = JSON.parse(text('package.json')) as { packageManager: string };
    const pin = packageManager.split('+')[0] ?? '';
    expect(text('README.md')).toContain(`npx -y ${pin} demo`);
    expect(text('README.md')).toContain(`npx -y ${pin} test`);
  });
});

/** A doc comment ends on the line before; an overload or a suppression may stand between. */
function documented(lines: readonly string[], index: number): boolean {
  const before = lines[index - 1]?.trim() ?? '';
  if (before.endsWith('*/')) return true;
  return /^(\/\/ biome-ignore|export function)/.test(before) && documented(lines, index - 1);
}
