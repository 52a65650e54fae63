import type { Overlay } from '@switchyard/overlay-contract';
import { createAffinity } from './affinity/create-affinity.ts';
import { SegmentedTable } from './affinity/segmented-table.ts';
import { StateHolders } from './affinity/state-holders.ts';
import { isolated } from './basics/isolated.ts';
import { runInSlices, type Steps } from './basics/steps.ts';
import type { ValidDocument } from './judge/judge-document.ts';
import { LiveStates } from './live/live-states.ts';
import type { ResolvedCommon } from './options/resolve-options.ts';
import { createDraw, splitRandom } from './random.ts';
import type { Prepare } from './reload/last-good.ts';
import { noRefusals } from './retry/retry-refusals.ts';
import type { SelectContext } from './select/context.ts';
import { buildSnapshot, snapshotSteps } from './snapshot/build-snapshot.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { PickerStates, type RoutingTable } from './turns/picker-states.ts';

/** The one mutable reference of a router, and what reads and replaces it. */
export interface Service {
  readonly context: SelectContext;
  /** Serves an overlay at once. */
  readonly serve: (overlay: Overlay) => Snapshot;
  /** Builds all that a document needs to be served, in steps between which requests may come. Changes nothing. */
  readonly build: (document: Pick<ValidDocument, 'overlay' | 'plan'>) => Steps<Commit>;
  /** {@link build} in slices. */
  readonly prepare: Prepare;
}

/** Serves what was built. */
type Commit = () => Snapshot;

/** A service without a snapshot. */
export function createService(common: ResolvedCommon): Service {
  const { known, affinity, start, clock, random, retry, viability, state, onViability } = common;
  const retryRandom = splitRandom(random);
  const jitterDraw = createDraw(splitRandom(retryRandom));
  const states = new PickerStates({ start, draw: createDraw(random), retryDraw: createDraw(retryRandom) });
  let table: RoutingTable | undefined;
  function* build({ overlay, plan }: Pick<ValidDocument, 'overlay' | 'plan'>): Steps<Commit> {
    const adopt = yield* states.prepare(yield* snapshotSteps({ overlay, plan, known }));
    // Everything is there before the reference moves: what throws until then has changed nothing.
    return () => {
      table = adopt();
      return table.snapshot;
    };
  }
  return {
    context: {
      current: () => table,
      affinity: affinity && createAffinity(affinity, clock),
      holders: new StateHolders(new SegmentedTable({ clock, ...state })),
      states: new LiveStates({
        viability,
        draw: jitterDraw,
        clock,
        serves: (name) => table?.snapshot.capabilities.has(name) ?? false,
      }),
      retry,
      refusals: noRefusals(),
      onViability: isolated(onViability),
      clock,
    },
    serve(overlay) {
      table = states.adopt(buildSnapshot(overlay, known));
      return table.snapshot;
    },
    build,
    async prepare(document, signal) {
      const commit = await runInSlices(build(document), clock, signal);
      return commit && { commit };
    },
  };
}
