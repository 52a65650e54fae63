import { setTimeout as sleep } from 'node:timers/promises';
import type { AppContext } from '@switchyard/gateway-kit';
import { formatIssue } from '@switchyard/grid-core';
import type { ControllerMetrics } from '../admin/controller-metrics.ts';
import type { ControllerConfig } from '../config.ts';
import { Prober } from '../probes/prober.ts';
import type { ProbeMemory } from '../probes/provider-phase.ts';
import { readResources } from '../resources/read-resources.ts';
import { createSettledReader } from '../resources/read-settled.ts';
import { PRODUCER, VERSION } from '../version.ts';
import { type ReconcileReport, Reconciler } from './reconciler.ts';
import { serial } from './serial.ts';

/** What the passes so far have found. */
export interface PassState {
  /** The last pass over readable manifests; null before the first. */
  readonly last: ReconcileReport | null;
  /** Why the manifests could not be read at the last pass; null when they could. */
  readonly unreadable: string | null;
  readonly providers: ReadonlyMap<string, ProbeMemory>;
}

/** Passes over manifests and probes, one at a time. */
export interface Passes {
  /** Something may have changed. */
  trigger(): void;
  state(): PassState;
  /** Ends probing and the pass that runs; it publishes nothing any more unless it was about to. */
  close(): Promise<void>;
}

/** Where the passes take from and tell to. */
export interface PassesOptions {
  readonly config: ControllerConfig;
  readonly context: AppContext;
  readonly metrics: ControllerMetrics;
  /** Folder of the manifests, absolute. */
  readonly resources: string;
}

/** Wires reader, prober and reconciler; a changed phase triggers a pass of its own. */
export function createPasses({ config, context, metrics, resources }: PassesOptions): Passes {
  const { log } = context;
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
      pause: () => sleep(config.reload.debounceMs, undefined, { signal: stopping.signal }),
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
  return {
    trigger: passes.trigger,
    state: () => ({ last, unreadable, providers: prober.memories() }),
    async close() {
      stopping.abort();
      prober.close();
      await passes.idle();
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
