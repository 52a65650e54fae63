import { randomUUID } from 'node:crypto';
import { createRouter, type Router } from '@switchyard/ai-route';
import {
  type AppContext,
  ClusterRegistry,
  createAdminServer,
  createLineWriter,
  MetricRegistry,
  type RunningApp,
  systemClock,
} from '@switchyard/gateway-kit';
import { addAdminRoutes } from './admin/admin-routes.ts';
import { readiness } from './admin/readiness.ts';
import type { GatewayConfig } from './config/config.ts';
import { routerOptions } from './config/router-options.ts';
import { startProxyServer } from './listener/proxy-server.ts';
import { PROXIED_ROUTES } from './listener/routes.ts';
import type { Pipeline, PipelineSettings } from './pipeline/pipeline.ts';
import { asConfigError } from './start-errors.ts';
import { GatewayMetrics } from './telemetry/metrics.ts';
import { observeOverlayEvent } from './telemetry/overlay-events.ts';
import { SnapshotGauge } from './telemetry/snapshot-gauge.ts';

/** Name in metrics, and the version of this app. */
export const APP: { readonly name: string; readonly version: string } = {
  name: 'consumer-gateway',
  version: '0.1.0',
};

/**
 * Builds every part, wires them and opens both ports.
 * @throws ConfigError when the overlay cannot be used, TlsFileError when a TLS file cannot be read, ListenError when a port cannot be opened.
 */
export async function startGateway(config: GatewayConfig, context: AppContext): Promise<RunningApp> {
  const cleanUp: (() => Promise<void>)[] = [];
  const close = async (): Promise<void> => {
    for (const step of cleanUp.splice(0).reverse()) await step();
  };
  try {
    await openAll(config, context, cleanUp);
  } catch (error) {
    await close();
    throw asConfigError(error, context.configFile);
  }
  return { close };
}

/** Pushes the way back of every step, so that whatever was opened is closed in the opposite order. */
async function openAll(
  config: GatewayConfig,
  context: AppContext,
  cleanUp: (() => Promise<void>)[],
): Promise<void> {
  const clusters = new ClusterRegistry({
    clusters: config.clusters,
    connectMs: config.timeouts.connectMs,
    resolvePath: context.resolvePath,
  });
  cleanUp.push(() => clusters.destroy());
  const metrics = new GatewayMetrics(new MetricRegistry({ app: APP.name, version: APP.version }), {
    clusters: clusters.names(),
    routes: PROXIED_ROUTES.map((route) => route.path),
  });
  const router = await openRouter(config, context, metrics);
  cleanUp.push(() => router.close());
  const lines = createLineWriter((text) => process.stdout.write(text));
  cleanUp.push(async () => lines.flush());
  const { log, telemetry } = context;
  const pipeline: Pipeline = {
    router,
    clusters,
    telemetry,
    metrics,
    lines,
    log,
    clock: systemClock,
    newRequestId: randomUUID,
    settings: pipelineSettings(config),
  };
  const admin = await createAdminServer({
    listen: config.admin,
    log,
    ready: () => readiness(router.status().health, context.stopping.aborted),
    metrics: metrics.registry,
    routes: (app) => addAdminRoutes(app, router),
  });
  cleanUp.push(() => admin.close());
  const proxy = await startProxyServer(config, pipeline);
  cleanUp.push(() => proxy.close());
  context.listening('proxy', proxy.port);
  context.listening('admin', admin.port);
}

async function openRouter(
  config: GatewayConfig,
  context: AppContext,
  metrics: GatewayMetrics,
): Promise<Router> {
  // The first events come while the router is being built; the snapshot they announce is shown right after.
  let gauge: SnapshotGauge | undefined;
  const options = routerOptions(config, {
    resolvePath: context.resolvePath,
    onEvent: (event) => {
      observeOverlayEvent(event, { log: context.log, metrics });
      if (event.type === 'accepted') void gauge?.show();
    },
  });
  const router = await createRouter(options);
  metrics.overlay.observe(() => router.status());
  gauge = new SnapshotGauge(router, metrics);
  await gauge.show();
  return router;
}

function pipelineSettings(config: GatewayConfig): PipelineSettings {
  const { routing, limits, timeouts } = config;
  const { enabled, header, cookie } = routing.affinity;
  return {
    read: {
      bodyBytesMax: limits.requestBodyBytes,
      modelHeader: routing.modelHeader,
      session: enabled ? { header, cookie } : undefined,
    },
    replayBodyBytes: limits.replayBodyBytes,
    firstByteMs: routing.retry.perTryFirstByteMs,
    idleMs: timeouts.idleMs,
    totalMs: timeouts.totalMs,
    responseHeaders: config.responseHeaders,
  };
}
