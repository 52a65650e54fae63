import { defineConfig } from 'vitest/config';

// Workspace packages are tested from their sources: no build is needed, and coverage and stack traces point at them.
// Not Vite's default conditions: their `module` picks @opentelemetry/api's bundler-only build, which Node cannot load.
const conditions = ['@switchyard/source'];
const shared = { resolve: { conditions }, ssr: { resolve: { conditions } } };

export default defineConfig({
  ...shared,
  test: {
    reporters: ['default', './tools/summary-reporter.ts'],
    projects: [
      {
        ...shared,
        test: {
          name: 'unit',
          // No module keeps state (CONTRIBUTING), so files may share a process: a third of the time is saved.
          isolate: false,
          include: ['{packages,apps,demos}/*/test/**/*.test.ts'],
          exclude: ['**/*.e2e.test.ts', '**/*.isolated.test.ts'],
          testTimeout: 20_000,
          sequence: { groupOrder: 0 },
          benchmark: { include: ['packages/*/bench/**/*.bench.ts'] },
        },
      },
      {
        ...shared,
        test: {
          // What the engine makes of a function depends on who else called it in the process: these need one of their own.
          name: 'isolated',
          include: ['packages/*/test/**/*.isolated.test.ts'],
          sequence: { groupOrder: 0 },
          benchmark: { include: [] },
        },
      },
      {
        ...shared,
        test: {
          // Real processes: needs the build that `pnpm test` makes first.
          name: 'e2e',
          include: ['tests/**/*.test.ts', '{packages,apps,demos}/*/test/**/*.e2e.test.ts'],
          testTimeout: 60_000,
          hookTimeout: 60_000,
          // They mostly wait for processes: two at a time keep both cores of a small machine busy.
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
          benchmark: { include: [] },
        },
      },
    ],
    coverage: {
      provider: 'v8',
      include: ['{packages,apps}/*/src/**/*.ts'],
      exclude: ['**/main.ts'],
      reporter: ['text', 'json-summary'],
    },
  },
});
