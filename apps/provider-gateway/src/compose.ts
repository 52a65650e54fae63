import {
  type AppContext,
  type CloseStep,
  ClusterRegistry,
  createAdminServer,
  MetricRegistry,
  type RunningApp,
  readTlsFile,
  resolveShutdown,
  startInSteps,
  stdoutLines,
  systemClock,
  warnOfFewOpenFiles,
} from '@switchyard/gateway-kit';
import { ByteBudget, type ServerTlsOptions } from '@switchyard/proxy-core-http';
import { APP } from './app.ts';
import type { GatewayConfig } from './config.ts';
import { startProxyServer } from './listener/proxy-server.ts';
import type { Pipeline } from './pipeline/pipeline.ts';
import { RoutePolicy } from './policy/match-route.ts';
import { GatewayMetrics } from './telemetry/metrics.ts';

/**
 * Builds every part, wires them and opens both ports.
 *
 * @throws TlsFileError when a TLS file cannot be read, ListenError when a port cannot be opened.
 */
export function startGateway(config: GatewayConfig, context: AppContext): Promise<RunningApp> {
  return startInSteps((onClose) => openAll(config, context, onClose));
}

async function openAll(
  config: GatewayConfig,
  context: AppContext,
  onClose: (step: CloseStep) => void,
): Promise<void> {
  const { log, telemetry, resolvePath } = context;
  const tls = peerTls(config, resolvePath);
  const clusters = new ClusterRegistry({
    clusters: config.clusters,
    connectMs: config.timeouts.connectMs,
    resolvePath,
  });
  onClose(() => clusters.destroy());
  const policy = new RoutePolicy(config.routes);
  const metrics = new GatewayMetrics(
    new MetricRegistry({ app: APP.name, version: APP.version }),
    policy.models(),
  );
  const lines = stdoutLines();
  onClose(() => lines.flush());
  const budget = new ByteBudget(config.limits.bufferedBytes);
  const pipeline: Pipeline = {
    config,
    policy,
    clusters,
    telemetry,
    metrics,
    lines,
    log,
    clock: systemClock,
    budget,
  };
  const admin = await createAdminServer({
    listen: config.admin,
    log,
    metrics: metrics.registry,
    ready: () =>
      context.stopping.aborted ? { ready: false, reasons: ['shutting down'] } : { ready: true, reasons: [] },
    routes: (app) =>
      app.get('/admin/routes', (c) => c.json({ providerId: config.providerId, routes: config.routes })),
  });
  onClose(() => admin.close());
  const { stopping } = context;
  const shutdown = resolveShutdown(config.shutdown, config.listen);
  const proxy = await startProxyServer(pipeline, { listen: config.listen, stopping, shutdown, log, tls });
  onClose(() => proxy.close());
  if (tls === undefined) {
    log.warn(
      { listen: config.listen },
      'peers.auth is insecure-plaintext: anybody who reaches this port can send requests; use mtls between machines',
    );
  }
  warnOfFewOpenFiles(log);
  context.listening('proxy', proxy.port);
  context.listening('admin', admin.port);
}

function peerTls(
  { peers }: GatewayConfig,
  resolvePath: (path: string) => string,
): ServerTlsOptions | undefined {
  if (peers.auth === 'insecure-plaintext') return undefined;
  const pem = (part: 'ca' | 'cert' | 'key'): string =>
    readTlsFile({ file: peers[part], path: `peers.${part}`, resolvePath });
  return { ca: pem('ca'), cert: pem('cert'), key: pem('key'), requestCert: true, rejectUnauthorized: true };
}
