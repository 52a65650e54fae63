import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { AppConfig } from '../processes/starter.ts';

/** Asks each app for the config that it runs with, so that the evidence holds values and not variables. */
export async function writeEffectiveConfigs(
  directory: string,
  configs: readonly AppConfig[],
  repository: string,
): Promise<void> {
  await mkdir(directory, { recursive: true });
  await Promise.all(
    configs.map(async ({ name, app, file, env }) => {
      const main = join(repository, 'apps', app, 'dist/main.js');
      const { stdout } = await promisify(execFile)(
        process.execPath,
        [main, '--config', file, '--print-config'],
        { env: { ...process.env, ...env } },
      );
      await writeFile(join(directory, `${name}.yaml`), stdout);
    }),
  );
}
