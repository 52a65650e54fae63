import {
  type ActivityEntry,
  type ControlsDocument,
  LIST_LIMITS,
  type OverlayEntry,
  type PageDocuments,
  type RequestRow,
  type TraceView,
} from '@switchyard/trace-view';

/** Time between two publications of counts that change with every request, in milliseconds. */
const COUNTS_EVERY_MS = 150;

/** Publishes the page's documents, each under its name and type. */
export class PagePublisher {
  readonly #view: Pick<TraceView, 'publish' | 'append'>;
  #timer: NodeJS.Timeout | null = null;

  constructor(view: Pick<TraceView, 'publish' | 'append'>) {
    this.#view = view;
    for (const list of ['requests', 'overlays', 'activity']) view.publish(list, []);
  }

  set<Name extends 'run' | 'verdict' | 'topology' | 'ejections' | 'evidence'>(
    name: Name,
    value: PageDocuments[Name],
  ): void {
    this.#view.publish(name, value);
  }

  controls(value: ControlsDocument): void {
    this.#view.publish('controls', value);
  }

  request(row: RequestRow): void {
    this.#view.append('requests', [row], LIST_LIMITS.requests);
  }

  overlay(entry: OverlayEntry): void {
    this.#view.append('overlays', [entry], LIST_LIMITS.overlays);
  }

  activity(outcome: ActivityEntry['outcome'], message: string): void {
    const entry: ActivityEntry = { at: new Date().toISOString(), outcome, message };
    this.#view.append('activity', [entry], LIST_LIMITS.activity);
  }

  /** Calls `publish` soon, once for everything that happens until then. */
  soon(publish: () => void): void {
    this.#timer ??= setTimeout(() => {
      this.#timer = null;
      publish();
    }, COUNTS_EVERY_MS);
  }

  /** Publishes nothing more by itself. */
  close(): void {
    if (this.#timer !== null) clearTimeout(this.#timer);
    this.#timer = null;
  }
}
