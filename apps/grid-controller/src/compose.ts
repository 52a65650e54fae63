import { setTimeout as sleep } from 'node:timers/promises';
import { type AppContext, createAdminServer, type RunningApp } from '@switchyard/gateway-kit';
import { formatIssue } from '@switchyard/grid-core';
import { createControllerMetrics } from './admin/controller-metrics.ts';
import type { ControllerConfig } from './config.ts';
import { Prober } from './probes/prober.ts';
import { type ReconcileReport, Reconciler } from './reconcile/reconciler.ts';
import { serial } from './reconcile/serial.ts';
import { readResources } from './resources/read-resources.ts';
import { createSettledReader } from './resources/read-settled.ts';
import { watchResources } from './resources/watch-resources.ts';
import { PRODUCER, VERSION } from './version.ts';

/** Wires the controller: manifests and probes trigger passes, passes publish, the admin port shows the last one. */
export async function startController(config: ControllerConfig, context: AppContext): Promise<RunningApp> {
  const { log } = context;
  const resources = context.resolvePath(config.resources);
  const metrics = createControllerMetrics();
  const stopping = new AbortController();
  let last: ReconcileReport | null = null;
  let unreadable: string | null = null;

  const prober = new Prober({
    failureThreshold: config.probe.failureThreshold,
    onChange(provider, { phase, detail }) {
      log.info({ provider, phase, detail }, 'provider phase changed');
      passes.trigger();
    },
  });
  const reconciler = new Reconciler({
    read: createSettledReader({
      read: () => readResources(resources),
      pause: () => sleep(config.reload.debounceMs),
    }),
    async watch(providers) {
      prober.watch(config.probe.enabled ? providers : []);
      await prober.settled();
      // A prober that was closed meanwhile knows no phase, and `unknown` would publish everybody.
      stopping.signal.throwIfAborted();
    },
    phases: () => prober.phases(),
    publishDirectory: context.resolvePath(config.publish.directory),
    producer: { name: PRODUCER, version: VERSION },
    now: () => new Date(),
  });
  const passes = serial(async () => {
    try {
      const report = await reconciler.reconcile();
      logReport(log, report, last);
      last = report;
      unreadable = null;
      metrics.record(report);
    } catch (error) {
      if (stopping.signal.aborted) return;
      unreadable = `${resources}: ${error instanceof Error ? error.message : String(error)}`;
      log.error({ err: error, resources }, 'the manifests cannot be read; everything published stays');
      metrics.record(null);
    }
    metrics.phases(prober.memories());
  });

  const admin = await createAdminServer({
    listen: config.admin,
    log,
    metrics: metrics.registry,
    ready() {
      const reasons =
        unreadable !== null ? [unreadable] : last === null ? ['the first pass is not done yet'] : [];
      return { ready: reasons.length === 0, reasons };
    },
    routes(app) {
      app.get('/admin/status', (c) =>
        c.json({
          resources,
          unreadable,
          gateways: last?.gateways ?? [],
          issues: (last?.issues ?? []).map((issue) => ({ ...issue, text: formatIssue(issue) })),
          providers: Object.fromEntries(prober.memories()),
        }),
      );
    },
  });
  const stopWatching = watchResources({
    directory: resources,
    ...config.reload,
    onDirty: passes.trigger,
    onError: (error) => log.warn({ err: error }, 'the folder watch failed; the poll goes on'),
  });
  context.listening('admin', admin.port);
  passes.trigger();
  return {
    async close() {
      stopping.abort();
      prober.close();
      await stopWatching();
      await passes.idle();
      await admin.close();
    },
  };
}

/** Says what is new since the last pass; a standing problem is not repeated at every poll. */
function logReport(log: AppContext['log'], report: ReconcileReport, last: ReconcileReport | null): void {
  const known = new Set(last?.issues.map(formatIssue));
  for (const issue of report.issues) {
    if (!known.has(formatIssue(issue)))
      log.error({ code: issue.code, network: issue.network }, formatIssue(issue));
  }
  const before = new Set(last?.gateways.map((gateway) => JSON.stringify(gateway)));
  for (const gateway of report.gateways) {
    if (before.has(JSON.stringify(gateway))) continue;
    const { network, namespace, phase, reason, message, distributedRevision: revision } = gateway;
    const about = { network, namespace, gateway: gateway.gateway, phase, reason, revision };
    if (phase === 'distributed') log.info(about, 'overlay published');
    else log.error(about, `overlay ${phase}: ${message}`);
  }
}
