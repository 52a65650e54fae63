import { createRegistry } from '@switchyard/gateway-kit';
import { Counter, Gauge, type Registry } from 'prom-client';
import type { ProbeMemory } from '../probes/provider-phase.ts';
import type { ReconcileReport } from '../reconcile/reconciler.ts';
import { VERSION } from '../version.ts';

const PHASES = ['available', 'degraded', 'unavailable', 'unknown'] as const;

/** The controller's metrics. */
export interface ControllerMetrics {
  readonly registry: Registry;
  /** Counts one pass; `null` when the manifests could not be read. */
  record(report: ReconcileReport | null): void;
  /** Shows the phase of every watched provider. */
  phases(memories: ReadonlyMap<string, ProbeMemory>): void;
}

/** Makes the metrics, every series that is known beforehand at zero. */
export function createControllerMetrics(): ControllerMetrics {
  const registry = createRegistry({ app: 'grid-controller', version: VERSION });
  const registers = [registry];
  const passes = new Counter({
    name: 'switchyard_controller_reconciles_total',
    help: 'Passes over manifests and probes, by result.',
    labelNames: ['result'],
    registers,
  });
  const writes = new Counter({
    name: 'switchyard_controller_overlay_writes_total',
    help: 'Overlays written. Stands still while nothing changes.',
    registers,
  });
  const issues = new Gauge({
    name: 'switchyard_controller_manifest_issues',
    help: 'Problems found in the manifests at the last pass.',
    registers,
  });
  const gateways = new Gauge({
    name: 'switchyard_controller_gateways',
    help: 'Gateways by the state of their overlay.',
    labelNames: ['phase'],
    registers,
  });
  const providers = new Gauge({
    name: 'switchyard_controller_providers',
    help: 'Probed providers by phase.',
    labelNames: ['phase'],
    registers,
  });
  for (const result of ['ok', 'degraded', 'unreadable']) passes.inc({ result }, 0);
  for (const phase of PHASES) providers.set({ phase }, 0);
  return {
    registry,
    record(report) {
      if (report === null) return passes.inc({ result: 'unreadable' });
      const whole =
        report.issues.length === 0 && report.gateways.every(({ phase }) => phase === 'distributed');
      passes.inc({ result: whole ? 'ok' : 'degraded' });
      writes.inc(report.published.length);
      issues.set(report.issues.length);
      for (const phase of ['distributed', 'retained', 'error'] as const) {
        gateways.set({ phase }, report.gateways.filter((gateway) => gateway.phase === phase).length);
      }
    },
    phases(memories) {
      const all = [...memories.values()];
      for (const phase of PHASES)
        providers.set({ phase }, all.filter((memory) => memory.phase === phase).length);
    },
  };
}
