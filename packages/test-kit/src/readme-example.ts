import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { runNodeToExit } from './app/run-to-exit.ts';
import { repositoryRoot } from './repository.ts';

/** Options of {@link runReadmeExample}. */
export interface ReadmeExampleOptions {
  /** Also check the example's types with the repository's strict settings. Default true. */
  readonly typeCheck?: boolean;
  /** Default 30000. */
  readonly timeoutMs?: number;
  readonly env?: Readonly<Record<string, string>>;
}

/**
 * Runs the block fenced as "```ts example" of a package's README.md, as a user would who imports the package by name,
 * and returns what it prints. Sources are used: nothing has to be built.
 *
 * @param packageDir - the package's folder, or `import.meta.url` of a file in its `test/`.
 * @throws Error when there is no such block, its types are wrong, or it exits with a code other than 0.
 */
export async function runReadmeExample(
  packageDir: string | URL,
  options: ReadmeExampleOptions = {},
): Promise<string> {
  const folder = packageFolder(packageDir);
  const code = exampleBlock(await readFile(join(folder, 'README.md'), 'utf8'), folder);
  // Inside the package but outside node_modules: only there does the package's own name resolve.
  const work = await mkdtemp(join(folder, 'test', '.tmp-example-'));
  try {
    await writeFile(join(work, '.gitignore'), '*\n');
    const file = join(work, 'example.mts');
    await writeFile(file, code);
    if (options.typeCheck ?? true) await checkTypes(work);
    return await runExample(file, options);
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function packageFolder(packageDir: string | URL): string {
  const text = String(packageDir);
  const path = text.startsWith('file:') ? fileURLToPath(text) : text;
  // `import.meta.url` of packages/x/test/y.test.ts
  return path.endsWith('.ts') ? dirname(dirname(path)) : path;
}

function exampleBlock(readme: string, folder: string): string {
  const block = /^```ts example\r?\n([\s\S]*?)^```/m.exec(readme)?.[1];
  if (block === undefined) throw new Error(`${folder}/README.md has no block fenced as \`\`\`ts example`);
  return block;
}

async function runExample(file: string, options: ReadmeExampleOptions): Promise<string> {
  const tsx = pathToFileURL(createRequire(import.meta.url).resolve('tsx')).href;
  const run = await runNodeToExit(['--conditions=@switchyard/source', '--import', tsx, file], {
    cwd: dirname(file),
    timeoutMs: options.timeoutMs ?? 30_000,
    ...(options.env === undefined ? {} : { env: options.env }),
  });
  if (run.code !== 0) {
    throw new Error(`The README example ended with code ${run.code}\n${run.stderr}\n${run.stdout}`);
  }
  return run.stdout;
}

async function checkTypes(work: string): Promise<void> {
  const root = repositoryRoot();
  const config = {
    extends: join(root, 'tsconfig.base.json'),
    compilerOptions: {
      noEmit: true,
      isolatedDeclarations: false,
      declaration: false,
      declarationMap: false,
      sourceMap: false,
      customConditions: ['@switchyard/source'],
      typeRoots: [join(root, 'node_modules', '@types')],
    },
    files: ['example.mts'],
  };
  await writeFile(join(work, 'tsconfig.json'), JSON.stringify(config));
  // The compiler belongs to the repository's root, not to this package.
  const tsc = join(
    dirname(createRequire(join(root, 'package.json')).resolve('typescript/package.json')),
    'bin',
    'tsc',
  );
  const run = await runNodeToExit([tsc, '-p', work], { cwd: work, timeoutMs: 60_000 });
  if (run.code !== 0) throw new Error(`The README example has type errors\n${run.stdout}`);
}
