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
import { OverlaySource } from './reload/overlay-source.ts';
import type { SelectContext } from './select/context.ts';
import { explainRoute, viewRoutes } from './select/explain.ts';
import { selectRoute } from './select/select.ts';
import { buildSnapshot } from './snapshot/build-snapshot.ts';
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
  /** What is served, where it came from and how reloading goes. */
  status(): RouterStatus;
  /** Stops following the overlay file. Selecting goes on from the last snapshot. Idempotent. */
  close(): Promise<void>;
}

/**
 * Creates a router from inline candidates, or from an overlay file that it then follows.
 *
 * @throws {@link RouterOptionsError} when the options, inline candidates included, are wrong.
 * @throws {@link RouterStartError} when the overlay file can't be read or isn't valid.
 */
export async function createRouter(options: RouterOptions): Promise<Router> {
  const { common, source } = resolveOptions(options);
  const service = createService(common);
  if (source.mode === 'static') {
    const overlay = staticOverlay(source.options);
    service.serve(overlay);
    return new SnapshotRouter(service.context, staticStatus(overlay, service, common));
  }
  const { file, parse, reload } = source;
  const following = await OverlaySource.start({
    reader: { file, parse },
    reload,
    clock: common.clock,
    serve: service.serve,
    emit: isolated(source.onEvent),
  });
  return new SnapshotRouter(service.context, () => overlayStatus(file, following, service), following);
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
  readonly serve: (overlay: Overlay) => { readonly unknownClusters: readonly string[] };
}

function createService({ known, affinity, start, clock, random, attemptsMax }: ResolvedCommon): Service {
  const retryDraw = createDraw(splitRandom(random));
  const states = new PickerStates({ start, draw: createDraw(random), retryDraw });
  let table = nothingServed();
  return {
    context: {
      current: () => table,
      affinity: affinity && new SessionAffinity(new BindingTable({ clock, ...affinity })),
      attemptsMax,
    },
    serve(overlay) {
      // Everything is built before the reference moves: what throws here changes nothing.
      table = states.adopt(buildSnapshot(overlay, known));
      return table.snapshot;
    },
  };
}

function nothingServed(): RoutingTable {
  const nothing = { groups: [], candidateCount: 0, unknownClusters: [] };
  return { snapshot: { revision: '', capabilities: new Map(), ...nothing }, pickers: [] };
}

function staticStatus(overlay: Overlay, { context }: Service, { clock }: ResolvedCommon): () => RouterStatus {
  const loadedAt = clock.now();
  return () => ({
    mode: 'static',
    acceptedRevision: overlay.revision,
    servingRevision: overlay.revision,
    sourcePath: null,
    loadedAt,
    sourceGeneration: null,
    candidateCount: overlay.candidates.length,
    counters: { accepted: 1, unchanged: 0, rejected: 0, unreadable: 0 },
    watch: 'off',
    unknownClusters: context.current().snapshot.unknownClusters,
  });
}

function overlayStatus(file: string, source: OverlaySource, { context }: Service): RouterStatus {
  const { overlay, loadedAt, lastRejected, counters } = source.lastGood;
  const { snapshot } = context.current();
  return {
    mode: 'overlay',
    acceptedRevision: overlay.revision,
    servingRevision: snapshot.revision,
    sourcePath: file,
    loadedAt,
    sourceGeneration: overlay.provenance?.sourceGeneration ?? null,
    candidateCount: snapshot.candidateCount,
    ...(lastRejected && { lastRejected }),
    counters,
    watch: source.watching,
    unknownClusters: snapshot.unknownClusters,
  };
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
