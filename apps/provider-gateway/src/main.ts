import { resolveShutdown, runApp, shutdownDeadlineMs } from '@switchyard/gateway-kit';
import { APP } from './app.ts';
import { startGateway } from './compose.ts';
import { configSchema } from './config.ts';
import { GatewayMetrics } from './telemetry/metrics.ts';
import { SPANS } from './telemetry/spans.ts';

await runApp({
  ...APP,
  summary:
    'Takes requests from consumer gateways, checks them against an exact local policy and forwards to backends.',
  examples: [
    'node apps/provider-gateway/dist/main.js --config provider.yaml',
    'node apps/provider-gateway/dist/main.js --config provider.yaml --check',
  ],
  schema: configSchema,
  resourceAttributes: (config) => ({ 'service.instance.id': config.providerId }),
  telemetry: { metrics: (registry) => new GatewayMetrics(registry, []), spans: SPANS },
  shutdownDeadlineMs: ({ shutdown, listen }) => shutdownDeadlineMs(resolveShutdown(shutdown, listen)),
  start: startGateway,
});
