import { type AppContext, createAdminServer, MetricRegistry, type RunningApp } from '@switchyard/gateway-kit';
import { formatIssue } from '@switchyard/grid-core';
import { createControllerMetrics } from './admin/controller-metrics.ts';
import type { ControllerConfig } from './config.ts';
import { createPasses, type PassState } from './reconcile/passes.ts';
import { watchResources } from './resources/watch-resources.ts';
import { VERSION } from './version.ts';

/** Wires the controller: manifests and probes trigger passes, passes publish, the admin port shows the last one. */
export async function startController(config: ControllerConfig, context: AppContext): Promise<RunningApp> {
  const resources = context.resolvePath(config.resources);
  const metrics = createControllerMetrics(new MetricRegistry({ app: 'grid-controller', version: VERSION }));
  const passes = createPasses({ config, context, metrics, resources });
  const admin = await createAdminServer({
    listen: config.admin,
    log: context.log,
    metrics: metrics.registry,
    ready: () => readiness(passes.state()),
    routes: (app) => app.get('/admin/status', (c) => c.json({ resources, ...statusView(passes.state()) })),
  });
  const stopWatching = watchResources({
    directory: resources,
    ...config.reload,
    onDirty: passes.trigger,
    onError: (error) => context.log.warn({ err: error }, 'the folder watch failed; the poll goes on'),
  });
  context.listening('admin', admin.port);
  passes.trigger();
  return {
    async close() {
      // First, or an event of the last moment would start a pass that nobody waits for.
      await stopWatching();
      await passes.close();
      await admin.close();
    },
  };
}

function readiness({ unreadable, last }: PassState): { ready: boolean; reasons: string[] } {
  if (unreadable !== null) return { ready: false, reasons: [unreadable] };
  return last === null
    ? { ready: false, reasons: ['the first pass is not done yet'] }
    : { ready: true, reasons: [] };
}

function statusView({ unreadable, last, providers }: PassState): Record<string, unknown> {
  return {
    unreadable,
    gateways: last?.gateways ?? [],
    issues: (last?.issues ?? []).map((issue) => ({ ...issue, text: formatIssue(issue) })),
    providers: Object.fromEntries(providers),
  };
}
