import { runApp } from '@switchyard/gateway-kit';
import { createSyncMetrics } from './admin/sync-metrics.ts';
import { startOverlaySync } from './compose.ts';
import { configSchema } from './config.ts';
import { SyncState } from './sync/sync-state.ts';
import { VERSION } from './version.ts';

await runApp({
  name: 'overlay-sync',
  version: VERSION,
  summary:
    'Copies a published routing overlay from a file or a ConfigMap to a file, validated and atomically.',
  examples: [
    'node apps/overlay-sync/dist/main.js --config sync.yaml',
    'node apps/overlay-sync/dist/main.js --config sync.yaml --once',
  ],
  flags: {
    once: { help: 'end with 0 as soon as the output holds a valid overlay; for init containers' },
  },
  schema: configSchema,
  telemetry: { metrics: (registry) => createSyncMetrics(registry, new SyncState(() => 0), () => 0) },
  start: startOverlaySync,
});
