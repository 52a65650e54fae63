import { resolveShutdown, runApp, shutdownDeadlineMs } from '@switchyard/gateway-kit';
import { APP, startGateway } from './compose.ts';
import { configSchema } from './config/config.ts';
import { GatewayMetrics } from './telemetry/metrics.ts';
import { SPANS } from './telemetry/spans.ts';

await runApp({
  ...APP,
  summary: 'OpenAI-compatible gateway that selects a provider per request from the accepted overlay.',
  examples: [
    'consumer-gateway --config gateway.yaml',
    'consumer-gateway --config gateway.yaml --check',
    'PORT=8080 consumer-gateway --config gateway.yaml --print-config',
  ],
  schema: configSchema,
  telemetry: {
    metrics: (registry) => new GatewayMetrics(registry, { clusters: [], routes: [] }),
    spans: SPANS,
  },
  shutdownDeadlineMs: ({ shutdown, listen }) => shutdownDeadlineMs(resolveShutdown(shutdown, listen)),
  start: startGateway,
});
