import type { BackendReply, RequestRecord } from '@switchyard/demo-kit';
import type { OverlayEntry, RunDocument, Span, VerdictDocument } from '@switchyard/trace-view';
import { requestRow } from '../../page/request-row.ts';
import { judgedVerdict } from '../../page/verdict-document.ts';
import type { DemoPolicy, Results } from '../../records/types.ts';
import type { OpenedWindow, RunObserver, RunStep } from '../../run/observer.ts';
import type { ProcessEvent, Topology } from '../../run/topology.ts';
import { Ejections } from './ejections.ts';
import { OverlayLog } from './overlay-log.ts';
import type { PagePublisher } from './page-publisher.ts';
import { Tally } from './tally.ts';
import { topologyDocument } from './topology-document.ts';

const BEFORE_ANYTHING: RunDocument = {
  title: 'Provider traffic',
  phase: 'starting',
  message: 'The processes start.',
  run: 1,
  requested: null,
  policy: 'round_robin',
  startedAt: null,
  durationMs: null,
  tryByHand: null,
};

/** Shows on the page what happens in the processes: requests, counts, overlays, the verdict. */
export class LiveRun implements RunObserver {
  readonly overlays: OverlayLog;
  /** Providers whose process was killed. */
  readonly down: Set<string> = new Set();
  readonly #ejections = new Ejections();
  readonly #page: PagePublisher;
  readonly #listeners = new Set<(entry: OverlayEntry) => void>();
  #run: RunDocument = BEFORE_ANYTHING;
  #verdict: Pick<VerdictDocument, 'state' | 'split' | 'proofs'> = {
    state: 'pending',
    split: null,
    proofs: [],
  };
  #topology: Topology | null = null;
  #tally = new Tally({});
  #controllerStopped = false;
  #sentBefore = 0;

  constructor(page: PagePublisher, policy: DemoPolicy) {
    this.#page = page;
    this.overlays = new OverlayLog((entry) => this.#overlayTold(entry));
    this.#tell({ policy });
  }

  step({ phase, text }: RunStep): void {
    this.#tell({ phase, message: `${text.charAt(0).toUpperCase()}${text.slice(1)} …` });
  }

  ready(topology: Topology): void {
    this.#topology = topology;
    this.#tally = new Tally(topology.backends);
    this.overlays.follow(topology.overlayFile);
    this.#show();
  }

  /** Begins the next run: its numbers go on, its counts start at zero. */
  begin(change: Partial<RunDocument>): void {
    this.#sentBefore += this.#tally.requests;
    this.#tally = new Tally(this.#topology?.backends ?? {});
    this.#verdict = { state: 'pending', split: null, proofs: [] };
    this.#tell({ run: this.#run.run + 1, startedAt: null, durationMs: null, ...change });
    this.#show();
  }

  windowOpened({ requested, policy, startedAt }: OpenedWindow): void {
    this.#controllerStopped = true;
    const message = 'The control plane is stopped; every request is routed from memory.';
    this.#tell({ phase: 'running', message, requested, policy, startedAt });
    this.#show();
  }

  sent(record: RequestRecord): void {
    this.#tally.sent(record);
    const sentAtMs = Math.round(Date.now() - record.totalMs);
    this.#page.request(requestRow(record, { run: this.#run.run, before: this.#sentBefore, sentAtMs }));
    this.#page.soon(() => this.#show());
  }

  replied(reply: BackendReply): void {
    this.#tally.replied(reply);
    this.#page.soon(() => this.#show());
  }

  received(spans: readonly Span[]): void {
    this.#tally.received(spans);
    this.#page.soon(() => this.#show());
  }

  gatewayLogged(event: ProcessEvent): void {
    this.overlays.logged(event);
    if (!this.#ejections.logged(event)) return;
    this.#page.set('ejections', this.#ejections.entries);
    this.#show();
  }

  /** Calls back with each thing that the gateway says of an overlay, until the returned function is called. */
  onOverlay(listener: (entry: OverlayEntry) => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  /** The window is over, and this is the verdict on it. */
  judged(results: Results): void {
    this.#controllerStopped = false;
    this.#verdict = judgedVerdict(results, this.#open());
    this.#tell({ phase: 'idle', message: 'The control plane runs again.', durationMs: results.durationMs });
    this.#show();
  }

  /** Traffic flows that nobody judges, until {@link rest}. */
  flowing(): void {
    const startedAt = new Date().toISOString();
    this.#tell({ phase: 'running', requested: null, startedAt, message: 'Traffic flows until you stop it.' });
    this.#verdict = { state: 'pending', split: 'flowing', proofs: [] };
    this.#show();
  }

  /** Nothing is being sent. */
  rest(message: string): void {
    this.#controllerStopped = false;
    this.#verdict = { state: 'pending', split: 'not judged', proofs: [] };
    this.#tell({ phase: 'idle', message });
    this.#show();
  }

  /** The command line for those who want to send a request themselves. */
  tryByHand(line: string): void {
    this.#tell({ tryByHand: line });
  }

  /** Publishes topology and counts as they are now. */
  refresh(): void {
    this.#show();
  }

  get requestsSent(): number {
    return this.#tally.requests;
  }

  /** Providers that take new requests. */
  #open(): string[] {
    const candidates = this.overlays.serving?.candidates ?? [];
    return candidates
      .filter(({ provider, admission }) => admission === 'new_and_existing' && !this.down.has(provider))
      .map(({ provider }) => provider);
  }

  #overlayTold(entry: OverlayEntry): void {
    this.#page.overlay(entry);
    if (entry.policy !== null) this.#tell({ policy: entry.policy });
    this.#show();
    for (const listener of this.#listeners) listener(entry);
  }

  #tell(change: Partial<RunDocument>): void {
    this.#run = { ...this.#run, ...change };
    this.#page.set('run', this.#run);
  }

  #show(): void {
    this.#page.set('verdict', { ...this.#verdict, counts: this.#tally.counts() });
    if (this.#topology === null) return;
    this.#page.set(
      'topology',
      topologyDocument({
        backends: this.#topology.backends,
        serving: this.overlays.serving,
        down: this.down,
        ejected: this.#ejections.now(),
        controllerStopped: this.#controllerStopped,
        failedAttempts: this.#tally.failedAttempts(),
      }),
    );
  }
}
