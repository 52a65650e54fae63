import { join } from 'node:path';
import { readBounded, removeLeftovers } from '@switchyard/ai-route';
import {
  type AdminServer,
  type AppContext,
  ConfigError,
  createAdminServer,
  MetricRegistry,
  type RunningApp,
} from '@switchyard/gateway-kit';
import { createEventLog } from './admin/log-events.ts';
import { createSyncMetrics, type SyncMetrics } from './admin/sync-metrics.ts';
import type { SyncConfig } from './config.ts';
import { OutputFile } from './output/output-file.ts';
import { overwritesSource } from './output/overwrites-source.ts';
import { createSource } from './source/create-source.ts';
import { OVERLAY_FILE } from './source/file-source.ts';
import type { SyncEvent } from './sync/events.ts';
import { createJudge } from './sync/judge.ts';
import { SyncState } from './sync/sync-state.ts';
import { Synchroniser } from './sync/synchroniser.ts';
import { BackOff } from './time/back-off.ts';
import { systemJitter, systemTime } from './time/time.ts';
import { VERSION } from './version.ts';

/**
 * Wires the copy: the source tells, the synchroniser judges, the output file is kept, the admin port shows it. With
 * `--once` there is no admin port, and the app ends by itself once the output holds a valid overlay.
 *
 * @throws ConfigError when the output would overwrite the source, or the config leaves to a pod what this machine lacks.
 */
export async function startOverlaySync(config: SyncConfig, context: AppContext): Promise<RunningApp> {
  const { log } = context;
  const once = context.flags['once'] !== undefined;
  const file = context.resolvePath(config.output);
  await refuseOwnSource(config, context);
  const judge = createJudge(config);
  const state = new SyncState(systemTime.now);
  const metrics = createSyncMetrics(
    new MetricRegistry({ app: 'overlay-sync', version: VERSION }),
    state,
    systemTime.now,
  );
  const logEvent = createEventLog(log);
  let tellReady = (): void => undefined;
  const ready = new Promise<void>((resolve) => {
    tellReady = resolve;
  });
  const observe = (event: SyncEvent): void => {
    state.observe(event);
    metrics.observe(event);
    logEvent(event);
    if (state.ready) tellReady();
  };

  const output = new OutputFile({
    ...config.reload,
    file,
    time: systemTime,
    backOff: new BackOff(config.backOff, systemJitter),
    observe,
    onWatchDegraded: (error) => log.warn({ err: error }, 'the output is not watched; polling goes on'),
  });
  const synchroniser = new Synchroniser({ judge, output, observe });
  const { source, description } = createSource(config, context, {
    listen: (event) => synchroniser.handle(event),
    acceptable: (bytes) => judge(bytes).ok,
  });
  const close = async (): Promise<void> => {
    await source.close();
    await output.close();
    await admin?.close();
    if (once && !state.ready) throw new Error('ended before the output held a valid overlay');
  };

  await removeLeftovers(file);
  const status = (): object => ({ ...description, output: file, ...state.snapshot() });
  const admin = once ? undefined : await openAdmin(config, context, { state, metrics, status });
  const standing = await readBounded(file, config.maxBytes);
  if (standing.ok) synchroniser.adopt(standing.bytes);
  if (admin !== undefined) context.listening('admin', admin.port);
  if (once && state.ready) return { close, finished: ready };
  output.start();
  source.start();
  return once ? { close, finished: ready } : { close };
}

/** An output that is its own source would be put back at every change, and no new overlay could ever come through. */
async function refuseOwnSource(config: SyncConfig, context: AppContext): Promise<void> {
  if (config.source.file === undefined) return;
  const source = context.resolvePath(config.source.file);
  const output = context.resolvePath(config.output);
  if (!(await overwritesSource(output, [source, join(source, OVERLAY_FILE)]))) return;
  const message = `this is the file that source.file names (${source}); expected another one, or every new overlay would be undone`;
  throw new ConfigError(context.configFile, [
    { file: context.configFile, line: 1, column: 1, path: 'output', message },
  ]);
}

function openAdmin(
  config: SyncConfig,
  context: AppContext,
  { state, metrics, status }: { state: SyncState; metrics: SyncMetrics; status: () => object },
): Promise<AdminServer> {
  return createAdminServer({
    listen: config.admin,
    log: context.log,
    metrics: metrics.registry,
    ready: () => readiness(state, context.stopping),
    routes: (app) => void app.get('/status', (c) => c.json(status())),
  });
}

function readiness(state: SyncState, stopping: AbortSignal): { ready: boolean; reasons: string[] } {
  if (stopping.aborted) return { ready: false, reasons: ['shutting down'] };
  if (state.ready) return { ready: true, reasons: [] };
  const problems = state.snapshot().problems.map(({ reason, message }) => `${reason}: ${message}`);
  return { ready: false, reasons: ['no valid overlay was written yet', ...problems] };
}
