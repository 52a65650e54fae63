import type { StateHolder } from './affinity/state-holders.ts';
import { isolated } from './basics/isolated.ts';
import type { RouteRequest, RouteResult } from './decision.ts';
import type { RouterOptions } from './options/options.ts';
import { resolveOptions } from './options/resolve-options.ts';
import { staticOverlay } from './options/static-overlay.ts';
import { OverlaySource } from './reload/overlay-source.ts';
import type { SelectContext } from './select/context.ts';
import { explainRoute } from './select/explain.ts';
import { selectRoute } from './select/select.ts';
import { viewEjected, viewRoutes } from './select/view-routes.ts';
import { createService } from './service.ts';
import { overlayStatus, staticStatus } from './status.ts';
import type {
  CapabilitySummary,
  CapabilityView,
  RouteExplanation,
  RouteFilter,
  RouterStatus,
  TrafficView,
} from './views.ts';

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
  /**
   * Capabilities with their groups, members and next turns, for admin pages. Each is looked at when it is its turn, so
   * that whoever goes through thousands can give way to requests in between. Changes nothing.
   *
   * @returns All are of the snapshot that served when this was called. To be gone through once.
   */
  routes(wanted?: RouteFilter): Iterable<CapabilityView>;
  /**
   * Every capability with no more than its name, its clusters and whether it is served: far less work than
   * {@link routes}. They come one by one and from one snapshot likewise.
   */
  capabilities(): Iterable<CapabilitySummary>;
  /**
   * Who holds the state of this name, as {@link Selection.learn} was told; undefined when unknown. For requests that
   * name nothing but the state. Counts as use of it.
   */
  holderOf(stateKey: string): StateHolder | undefined;
  /** What is under way, who is ejected, and how often retries were refused. Changes nothing. */
  traffic(): TrafficView;
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

  routes(wanted: RouteFilter = {}): Iterable<CapabilityView> {
    return viewRoutes(this.#context, this.#context.current(), wanted);
  }

  holderOf(stateKey: string): StateHolder | undefined {
    return this.#context.holders.use(stateKey);
  }

  traffic(): TrafficView {
    const { states, refusals } = this.#context;
    return {
      ...states.load(),
      refusedRetries: { ...refusals },
      ejected: viewEjected(this.#context),
      ...states.counters,
    };
  }

  capabilities(): Iterable<CapabilitySummary> {
    return this.#context.current()?.snapshot.capabilities ?? [];
  }

  status(): RouterStatus {
    return this.#status();
  }

  async close(): Promise<void> {
    await this.#source?.close();
  }
}
