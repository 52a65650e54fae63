import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { bin, repository } from './repository.ts';

/** A copy of the workspace, without node_modules and dist, into which violations can be planted. */
export class PlantedCopy {
  readonly #root = mkdtempSync(join(tmpdir(), 'switchyard-planted-'));

  constructor() {
    for (const name of [
      'package.json',
      'pnpm-workspace.yaml',
      'pnpm-lock.yaml',
      'turbo.json',
      'biome.json',
      '.gitignore',
    ]) {
      cpSync(join(repository, name), join(this.#root, name));
    }
    for (const room of ['packages', 'apps', 'demos', 'tests']) {
      cpSync(join(repository, room), join(this.#root, room), {
        recursive: true,
        filter: (source) => !/\/(node_modules|dist|\.turbo|\.tmp)(\/|$)/.test(source),
      });
    }
    execFileSync('git', ['init', '-q'], { cwd: this.#root });
  }

  /** Adds files (and a dependency to their package), asks `tool`, takes all away again; returns what the tool said. */
  ask(
    tool: readonly [string, ...string[]],
    files: Readonly<Record<string, string>>,
    dependency?: string,
  ): string {
    const paths = Object.keys(files).map((file) => join(this.#root, file));
    const owner = Object.keys(files)[0]?.split('/').slice(0, 2).join('/') ?? '';
    const manifest = join(this.#root, owner, 'package.json');
    const before = readFileSync(manifest, 'utf8');
    for (const [file, text] of Object.entries(files)) writeFileSync(join(this.#root, file), text);
    if (dependency !== undefined) {
      const json = JSON.parse(before) as { dependencies?: Record<string, string> };
      writeFileSync(
        manifest,
        JSON.stringify({ ...json, dependencies: { ...json.dependencies, [dependency]: 'workspace:*' } }),
      );
    }
    try {
      return this.#run(tool);
    } finally {
      for (const path of paths) rmSync(path);
      writeFileSync(manifest, before);
    }
  }

  #run([name, ...args]: readonly [string, ...string[]]): string {
    try {
      return unwrap(execFileSync(bin(name), args, { cwd: this.#root, encoding: 'utf8', stdio: 'pipe' }));
    } catch (error) {
      const { stdout, stderr } = error as { stdout: string; stderr: string };
      return unwrap(stdout + stderr);
    }
  }

  /** Deletes the copy. */
  remove(): void {
    rmSync(this.#root, { recursive: true, force: true });
  }
}

/** Joins the lines of a boxed message, which the tools break at the width of a terminal. */
function unwrap(text: string): string {
  return text.replace(/\n\s*\|\s*/g, ' ');
}
