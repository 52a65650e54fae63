import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Router } from '@switchyard/ai-route';
import type { GatewayMetrics } from './metrics.ts';

/** Models whose series are begun before requests get their turn: a fraction of a millisecond. */
const MODELS_PER_TURN = 32;

/** Shows the serving snapshot in the metrics: at start and after each accepted overlay. */
export class SnapshotGauge {
  readonly #router: Router;
  readonly #metrics: GatewayMetrics;
  #shown = 0;

  constructor(router: Router, metrics: GatewayMetrics) {
    this.#router = router;
    this.#metrics = metrics;
  }

  /** Shows what serves now; gives way to the next snapshot when that comes before all models are through. */
  async show(): Promise<void> {
    const { loadedAt } = this.#router.status();
    if (loadedAt === null) return;
    const mine = ++this.#shown;
    this.#metrics.overlay.serves(loadedAt);
    let models = 0;
    for (const capability of this.#router.capabilities()) {
      if (capability.kind !== 'inference_model') continue;
      this.#metrics.modelServed(capability.name, capability.clusters());
      if (++models % MODELS_PER_TURN > 0) continue;
      await nextTurn();
      if (mine !== this.#shown) return;
    }
  }
}
