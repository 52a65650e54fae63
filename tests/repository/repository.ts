import { readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';

/** Root folder of the repository. */
export const repository: string = fileURLToPath(new URL('../..', import.meta.url));

/** Path of a tool of the root's devDependencies. */
export function bin(name: string): string {
  return join(repository, 'node_modules/.bin', name);
}

/** TypeScript files below a folder of the repository, as paths from its root. */
export function sourceFiles(folder: string): string[] {
  return readdirSync(join(repository, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(repository, join(entry.parentPath, entry.name)))
    .filter((path) => !/(^|\/)(node_modules|dist|\.tmp)\//.test(path));
}

/** Every `src` folder of packages, apps and demos. */
export function sourceRoots(): string[] {
  return ['packages', 'apps', 'demos'].flatMap((room) =>
    readdirSync(join(repository, room)).map((name) => `${room}/${name}/src`),
  );
}
