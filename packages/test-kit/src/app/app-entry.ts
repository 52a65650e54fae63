import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '../repository.ts';

/**
 * Path of an app's built main file.
 *
 * @param app - folder name under `apps/`, or a path from the root such as `demos/provider-traffic`.
 * @throws Error when it has not been built.
 */
export function appEntry(app: string): string {
  const folder = app.includes('/') ? app : `apps/${app}`;
  const entry = join(repositoryRoot(), folder, 'dist', 'main.js');
  if (!existsSync(entry)) throw new Error(`${folder}/dist/main.js does not exist; run \`pnpm build\` first`);
  return entry;
}

/** The last lines of a process's stderr, for an error message. */
export function outputTail(lines: readonly string[], count = 20): string {
  return lines.length === 0 ? '(nothing on stderr)' : lines.slice(-count).join('\n');
}
