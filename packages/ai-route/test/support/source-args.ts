import { fileURLToPath } from 'node:url';

/** What Node is started with to run a file of this package from its sources. */
export function sourceArgs(file: URL): string[] {
  return ['--conditions=@switchyard/source', '--import', import.meta.resolve('tsx'), fileURLToPath(file)];
}
