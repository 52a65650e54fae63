import { runApp } from '@switchyard/gateway-kit';
import { createControllerMetrics } from './admin/controller-metrics.ts';
import { startController } from './compose.ts';
import { configSchema } from './config.ts';
import { VERSION } from './version.ts';

await runApp({
  name: 'grid-controller',
  version: VERSION,
  summary: 'Watches Grid manifests, probes the providers and publishes routing overlays atomically.',
  examples: [
    'node apps/grid-controller/dist/main.js --config controller.yaml',
    'node apps/grid-controller/dist/main.js --config controller.yaml --check',
  ],
  schema: configSchema,
  telemetry: { metrics: createControllerMetrics },
  start: startController,
});
