import type { Server } from 'node:http';
import {
  type AdminServer,
  type AppContext,
  ConfigError,
  closeServer,
  createAdminServer,
  listen,
  MetricRegistry,
  type RunningApp,
} from '@switchyard/gateway-kit';
import type { Cassette } from './cassette/format.ts';
import { CassetteLoadError, loadCassettes } from './cassette/load.ts';
import type { VcrConfig } from './config.ts';
import { createVcrServer } from './http/server.ts';
import { CassetteIndex } from './match/cassette-index.ts';
import { createVcrMetrics, type VcrMetrics } from './metrics/vcr-metrics.ts';
import { systemTiming } from './play/timing.ts';

/** Largest request body that is read, in bytes: the size the gateways allow by default. */
const BODY_BYTES_MAX = 50 * 1024 * 1024;
/** How long running replays may go on after a stop was asked for; below the process' own deadline. */
const CLOSE_GRACE_MS = 8000;

/** What the command line and the build say, besides the config. */
export interface ComposeOptions {
  readonly name: string;
  readonly version: string;
  /** Pace of the replay, already decided between command line and config. */
  readonly speed: number;
}

/**
 * Verifies all cassettes, then opens the listeners.
 *
 * @throws `ConfigError` when a cassette is bad; `ListenError` when a port can't be opened.
 */
export async function compose(
  config: VcrConfig,
  context: AppContext,
  options: ComposeOptions,
): Promise<RunningApp> {
  const { log, telemetry } = context;
  warnOfUnused(config, context);
  const cassettes = await loadOrRefuse(context.resolvePath(config.cassettes));
  const metrics = createVcrMetrics(new MetricRegistry({ app: options.name, version: options.version }));
  const server = createVcrServer(cassettes, {
    index: new CassetteIndex(cassettes, new Set(config.ignore)),
    timing: systemTiming,
    speed: options.speed,
    instance: config.instance,
    bodyBytesMax: BODY_BYTES_MAX,
    telemetry,
    onReply: (record) => {
      metrics.observe(record);
      context.print({ event: 'reply', ...record });
    },
    onFault: (error) => log.error({ err: error }, 'a replay failed'),
  });
  const port = await listen(server, config.listen);
  const admin = await openAdmin(config, context, { metrics, server });
  log.info({ instance: config.instance, cassettes: cassettes.length, speed: options.speed }, 'replaying');
  context.listening('proxy', port);
  if (admin !== undefined) context.listening('admin', admin.port);
  return {
    close: async () => {
      await closeServer(server, CLOSE_GRACE_MS);
      await admin?.close();
    },
  };
}

async function loadOrRefuse(directory: string): Promise<readonly Cassette[]> {
  try {
    return await loadCassettes(directory);
  } catch (error) {
    if (!(error instanceof CassetteLoadError)) throw error;
    const issues = error.issues.map((issue) => ({ ...issue, line: 1, column: 1 }));
    throw new ConfigError(directory, issues, { cause: error });
  }
}

async function openAdmin(
  config: VcrConfig,
  context: AppContext,
  parts: { readonly metrics: VcrMetrics; readonly server: Server },
): Promise<AdminServer | undefined> {
  if (config.admin === undefined) return undefined;
  try {
    return await createAdminServer({
      listen: config.admin,
      log: context.log,
      metrics: parts.metrics.registry,
      ready: () =>
        context.stopping.aborted
          ? { ready: false, reasons: ['shutting down'] }
          : { ready: true, reasons: [] },
    });
  } catch (error) {
    // The start has failed: a half-open app would keep the process, and the port, alive.
    await closeServer(parts.server, 0);
    throw error;
  }
}

/** Keys of other modes are known, so that one file can serve all; but nobody should think that they do something. */
function warnOfUnused(config: VcrConfig, { log }: AppContext): void {
  const unused = (['upstream', 'simulate'] as const).filter((key) => config[key] !== undefined);
  if (unused.length > 0) log.warn({ keys: unused }, 'these keys have no effect in mode replay');
}
