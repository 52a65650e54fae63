import { randomUUID } from 'node:crypto';
import { createRouter, type Router, SESSION_TOKEN_LENGTH_MAX } from '@switchyard/ai-route';
import {
  type AppContext,
  type CloseStep,
  ClusterRegistry,
  createAdminServer,
  MetricRegistry,
  type RunningApp,
  resolveShutdown,
  startInSteps,
  stdoutLines,
  systemClock,
  warnOfFewOpenFiles,
} from '@switchyard/gateway-kit';
import { ByteBudget } from '@switchyard/proxy-core-http';
import { addAdminRoutes } from './admin/admin-routes.ts';
import { readiness } from './admin/readiness.ts';
import type { GatewayConfig } from './config/config.ts';
import { routerOptions } from './config/router-options.ts';
import { startProxyServer } from './listener/proxy-server.ts';
import { PROXIED_ROUTES } from './listener/routes.ts';
import type { Pipeline, PipelineSettings } from './pipeline/pipeline.ts';
import { viaPseudonym } from './request/via.ts';
import { asConfigError } from './start-errors.ts';
import { AccessLog } from './telemetry/access-log/access-log.ts';
import { GatewayMetrics } from './telemetry/metrics.ts';
import { observeOverlayEvent } from './telemetry/overlay-events.ts';
import { SnapshotGauge } from './telemetry/snapshot-gauge.ts';
import { Tracing } from './telemetry/tracing.ts';
import { observeViability } from './telemetry/traffic/viability-events.ts';

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
  try {
    return await startInSteps((onClose) => openAll(config, context, onClose));
  } catch (error) {
    throw asConfigError(error, context.configFile);
  }
}

async function openAll(
  config: GatewayConfig,
  context: AppContext,
  onClose: (step: CloseStep) => void,
): Promise<void> {
  const clusters = new ClusterRegistry({
    clusters: config.clusters,
    connectMs: config.timeouts.connectMs,
    resolvePath: context.resolvePath,
  });
  onClose(() => clusters.destroy());
  const metrics = new GatewayMetrics(new MetricRegistry({ app: APP.name, version: APP.version }), {
    clusters: clusters.names(),
    routes: PROXIED_ROUTES.map((route) => route.path),
  });
  const router = await openRouter(config, context, metrics);
  onClose(() => router.close());
  const lines = stdoutLines();
  onClose(() => lines.flush());
  const { log, telemetry } = context;
  const pipeline: Pipeline = {
    router,
    clusters,
    tracing: telemetry.enabled ? new Tracing(telemetry) : undefined,
    metrics,
    lines,
    accessLog: new AccessLog(lines),
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
  onClose(() => admin.close());
  const proxy = await startProxyServer(pipeline, {
    listen: config.listen,
    stopping: context.stopping,
    shutdown: resolveShutdown(config.shutdown, config.listen),
    log,
    headerBytes: config.limits.headerBytes,
    requestMs: config.timeouts.requestMs,
  });
  onClose(() => proxy.close());
  warnOfFewOpenFiles(log);
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
    onViability: (event) => observeViability(event, { log: context.log, traffic: metrics.traffic }),
  });
  const router = await createRouter(options);
  metrics.overlay.observe(() => router.status());
  metrics.traffic.observe(() => router.traffic());
  gauge = new SnapshotGauge(router, metrics);
  await gauge.show();
  return router;
}

function pipelineSettings(config: GatewayConfig): PipelineSettings {
  const { routing, limits, timeouts } = config;
  const { enabled, mode, header, cookie, ttlSeconds } = routing.affinity;
  const signed = enabled && mode === 'cookie';
  const { perTryFirstByteMs, perTryUnstreamedFirstByteMs } = routing.retry;
  return {
    read: {
      bodyBytesMax: limits.requestBodyBytes,
      budget: new ByteBudget(limits.bufferedBytes),
      pseudonym: viaPseudonym(randomUUID()),
      modelHeader: routing.modelHeader,
      session: enabled ? { cookie, ...(signed ? signedCookie : { header }) } : undefined,
    },
    replayBodyBytes: limits.replayBodyBytes,
    firstByteMs: perTryFirstByteMs,
    unstreamedFirstByteMs: perTryUnstreamedFirstByteMs ?? perTryFirstByteMs,
    idleMs: timeouts.idleMs,
    totalMs: timeouts.totalMs,
    sessionCookie: signed ? { name: cookie, maxAgeSeconds: ttlSeconds } : undefined,
    responseHeaders: config.responseHeaders,
  };
}

/** A key that anybody can choose is no signed one, so the header is not asked. */
const signedCookie = { header: undefined, bytesMax: SESSION_TOKEN_LENGTH_MAX };
