import type { MetricRegistry } from '@switchyard/gateway-kit';
import type { ProbeMemory } from '../probes/provider-phase.ts';
import type { ReconcileReport } from '../reconcile/reconciler.ts';

const PHASES = ['available', 'degraded', 'unavailable', 'unknown'] as const;
const GATEWAY_PHASES = ['distributed', 'retained', 'error'] as const;
const RESULTS = ['ok', 'degraded', 'unreadable'] as const;

/** The controller's metrics. */
export interface ControllerMetrics {
  readonly registry: MetricRegistry;
  /** Counts one pass; `null` when the manifests could not be read. */
  record(report: ReconcileReport | null): void;
  /** Shows the phase of every watched provider. */
  phases(memories: ReadonlyMap<string, ProbeMemory>): void;
}

/** Declares the metrics; all their labels are closed, so every series begins at zero. */
export function createControllerMetrics(registry: MetricRegistry): ControllerMetrics {
  const passes = registry.counter({
    name: 'switchyard_controller_reconciles_total',
    help: 'Passes over manifests and probes, by result.',
    unit: 'passes',
    labels: { result: { help: 'What came of it.', values: RESULTS } },
  });
  const writes = registry.counter({
    name: 'switchyard_controller_overlay_writes_total',
    help: 'Overlays written. Stands still while nothing changes.',
    unit: 'overlays',
  });
  const issues = registry.gauge({
    name: 'switchyard_controller_manifest_issues',
    help: 'Problems found in the manifests at the last pass.',
    unit: 'issues',
  });
  const gateways = registry.gauge({
    name: 'switchyard_controller_gateways',
    help: 'Gateways by the state of their overlay.',
    unit: 'gateways',
    labels: { phase: { help: 'State of the overlay.', values: GATEWAY_PHASES } },
  });
  const providers = registry.gauge({
    name: 'switchyard_controller_providers',
    help: 'Probed providers by phase.',
    unit: 'providers',
    labels: { phase: { help: 'What the probes found.', values: PHASES } },
  });
  return {
    registry,
    record(report) {
      if (report === null) return passes.inc({ result: 'unreadable' });
      const whole =
        report.issues.length === 0 && report.gateways.every(({ phase }) => phase === 'distributed');
      passes.inc({ result: whole ? 'ok' : 'degraded' });
      writes.inc({}, report.published.length);
      issues.set({}, report.issues.length);
      for (const phase of GATEWAY_PHASES) {
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
