import type { Overlay } from '@switchyard/overlay-contract';
import { BindingTable } from './affinity/binding-table.ts';
import { SessionAffinity } from './affinity/session-affinity.ts';
import type { RouteRequest, RouteResult } from './decision.ts';
import type { RouterEvent } from './events.ts';
import type { RouterOptions } from './options/options.ts';
import { type ResolvedCommon, resolveOptions } from './options/resolve-options.ts';
import { staticOverlay } from './options/static-overlay.ts';
import { PickerStates, type RoutingTable } from './pickers/picker-states.ts';
import { createDraw, splitRandom } from './random.ts';
import type { Prepare } from './reload/last-good.ts';
import { OverlaySource } from './reload/overlay-source.ts';
import type { SelectContext } from './select/context.ts';
import { explainRoute, viewRoutes } from './select/explain.ts';
import { selectRoute } from './select/select.ts';
import { buildSnapshot, type SnapshotParts, snapshotSteps } from './snapshot/build-snapshot.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import { overlayStatus, staticStatus } from './status.ts';
import { runInSlices, type Steps } from './steps.ts';
import type { CapabilityView, RouteExplanation, RouterStatus } from './views.ts';

/**
 * Answers, per request and without any I/O: which provider cluster?
 *
 * Safe to share by all requests of a process. Each process has its own turns and bindings.
 */
export interface Router {
  /** Names a candidate. Synchronous; one decision is explained by one snapshot. */
  select(request: RouteRequest): RouteResult;
  /** What {@link select} would answer now and why. Changes nothing. */
  explain(request: RouteRequest): RouteExplanation;
  /** Every capability with its groups, members and next turns, for admin pages and model lists. Changes nothing. */
  routes(): readonly CapabilityView[];
  /**
   * Like {@link routes}, but each view is made when it is asked for: with thousands of capabilities, a caller can let
   * requests pass in between. All of them are of the snapshot that served when this was called.
   */
  eachRoute(): Iterable<CapabilityView>;
  /** What is served, where it came from and how reloading goes. */
  status(): RouterStatus;
  /** Stops following the overlay file. Selecting goes on from the last snapshot. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates a router from inline candidates, or from an overlay file that it then follows. It is ready when this resolves,
 * unless `reload.onMissing` is `wait`: then {@link Router.status} says when it is, and until then it answers `not_ready`.
 *
 * @throws {@link RouterOptionsError} when the options, inline candidates included, are wrong.
 * @throws {@link RouterStartError} when the overlay file can't be read or isn't valid.
 */
export async function createRouter(options: RouterOptions): Promise<Router> {
  const { common, source } = resolveOptions(options);
  const service = createService(common);
  if (source.mode === 'static') {
    const overlay = staticOverlay(source.options);
    const status = staticStatus(overlay, service.serve(overlay), common.clock.now());
    return new SnapshotRouter(service.context, () => status);
  }
  const { clock } = common;
  const emit = isolated(source.onEvent);
  const following = await OverlaySource.start({ ...source, clock, prepare: service.prepare, emit });
  const status = (): RouterStatus =>
    overlayStatus({
      options: source,
      source: following,
      snapshot: service.context.current()?.snapshot,
      now: clock.now(),
    });
  return new SnapshotRouter(service.context, status, following);
}

class SnapshotRouter implements Router {
  readonly #context: SelectContext;
  readonly #status: () => RouterStatus;
  readonly #source: OverlaySource | undefined;

  constructor(context: SelectContext, status: () => RouterStatus, source?: OverlaySource) {
    this.#context = context;
    this.#status = status;
    this.#source = source;
  }

  select(request: RouteRequest): RouteResult {
    return selectRoute(request, this.#context);
  }

  explain(request: RouteRequest): RouteExplanation {
    return explainRoute(request, this.#context);
  }

  routes(): readonly CapabilityView[] {
    return [...this.eachRoute()];
  }

  eachRoute(): Iterable<CapabilityView> {
    return viewRoutes(this.#context.current());
  }

  status(): RouterStatus {
    return this.#status();
  }

  async close(): Promise<void> {
    await this.#source?.close();
  }
}

/** The one mutable reference of a router, and what reads and replaces it. */
interface Service {
  readonly context: SelectContext;
  /** Serves an overlay at once. */
  readonly serve: (overlay: Overlay) => Snapshot;
  readonly prepare: Prepare;
}

function createService({ known, affinity, start, clock, random, attemptsMax }: ResolvedCommon): Service {
  const retryDraw = createDraw(splitRandom(random));
  const states = new PickerStates({ start, draw: createDraw(random), retryDraw });
  let table: RoutingTable | undefined;
  return {
    context: {
      current: () => table,
      affinity: affinity && new SessionAffinity(new BindingTable({ clock, ...affinity })),
      attemptsMax,
    },
    serve(overlay) {
      table = states.adopt(buildSnapshot(overlay, known));
      return table.snapshot;
    },
    async prepare({ overlay, plan }, signal) {
      // Everything is built before the reference moves: what throws here changes nothing.
      const steps = tableSteps({ overlay, plan, known }, states);
      const prepared = await runInSlices(steps, clock, signal);
      return (
        prepared && {
          commit() {
            states.commit(prepared);
            table = prepared;
            return prepared.snapshot;
          },
        }
      );
    },
  };
}

function* tableSteps(parts: SnapshotParts, states: PickerStates): Steps<RoutingTable> {
  return yield* states.prepare(yield* snapshotSteps(parts));
}

/** A listener that throws must not stop a reload half-way; its error surfaces as an uncaught exception of its own. */
function isolated(listener: (event: RouterEvent) => void): (event: RouterEvent) => void {
  return (event) => {
    try {
      listener(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
