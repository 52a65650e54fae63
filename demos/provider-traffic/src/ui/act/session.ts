import { mkdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { RUN_FOLDER, readRejection } from '@switchyard/demo-kit';
import { ActionError, type OverlayEntry } from '@switchyard/trace-view';
import { FILES } from '../../records/evidence.ts';
import type { DemoPolicy } from '../../records/types.ts';
import { measure } from '../../run/measure.ts';
import type { FinishedRun } from '../../run/run-demo.ts';
import type { LiveRun } from '../show/live-run.ts';
import type { PagePublisher } from '../show/page-publisher.ts';
import type { SpanRecorder } from '../show/span-recorder.ts';
import { breakOverlay } from './break-overlay.ts';
import { type ControlsState, controlsFor } from './controls.ts';
import { Effects } from './effects.ts';
import { type SteadyTraffic, startSteadyTraffic } from './steady-traffic.ts';

/** What the buttons act on. */
export interface SessionOptions {
  readonly finished: FinishedRun;
  /** Evidence folder of the first run; later runs write into its working folder. */
  readonly directory: string;
  readonly requests: number;
  readonly policy: DemoPolicy;
  readonly seed: number | null;
  readonly live: LiveRun;
  readonly page: PagePublisher;
  readonly recorder: SpanRecorder;
  readonly signal: AbortSignal;
}

/** What people do with the running processes once the first verdict is there. One thing at a time. */
export class Session {
  readonly #options: SessionOptions;
  readonly #effects: Effects;
  #state: ControlsState;
  #runs = 1;
  #steady: SteadyTraffic | null = null;

  constructor(options: SessionOptions) {
    this.#options = options;
    this.#effects = new Effects(options.live, options.signal);
    this.#state = {
      busy: null,
      traffic: 'none',
      policy: options.policy,
      requests: options.requests,
      providers: Object.keys(options.finished.topology.backends),
      draining: new Set(),
      down: options.live.down,
    };
    this.#change({});
  }

  /** Measures another window, with whatever is changed now, and judges it like the first. */
  runAgain(): void {
    this.#mustBeFree();
    if (this.#steady !== null) throw new ActionError('traffic_flows', 'stop the steady traffic first');
    this.#runs += 1;
    this.#options.live.begin({ requested: this.#options.requests, policy: this.#state.policy });
    this.#inBackground('measuring', () => this.#measureAgain());
  }

  /** Lets traffic flow, or stops it. */
  async steady(on: boolean): Promise<void> {
    if (!on) {
      await this.#steady?.stop();
      return;
    }
    this.#mustBeFree();
    if (this.#steady !== null) return;
    const { live, finished, signal } = this.#options;
    this.#runs += 1;
    live.begin({ policy: this.#state.policy });
    live.flowing();
    const steady = startSteadyTraffic(finished.topology, { onRecord: (record) => live.sent(record), signal });
    this.#steady = steady;
    this.#change({ traffic: 'flowing' });
    const over = (message: string): void => {
      this.#steady = null;
      this.#change({ traffic: 'none' });
      live.rest(message);
    };
    steady.ended.then(
      () => over(`${live.requestsSent} requests flowed.`),
      (error: unknown) => over(`The traffic broke off: ${(error as Error).message}`),
    );
  }

  /** Rewrites the GridNetwork; the overlay that follows changes how the gateway picks. */
  selectBy(policy: DemoPolicy): Promise<void> {
    return this.#acting(`the policy becomes ${policy}`, async () => {
      if (policy === this.#state.policy) return `The policy is ${policy} already.`;
      const accepted = this.#effects.accepted((entry) => entry.policy === policy);
      await this.#options.finished.topology.resources.selectBy(policy);
      const { revision } = await accepted;
      this.#change({ policy });
      return `The gateway picks by ${policy} now, by overlay ${revision?.slice(0, 12)}.`;
    });
  }

  /** Rewrites a provider's manifest, so that it takes bound sessions only, or everything again. */
  drain(provider: string, on: boolean): Promise<void> {
    this.#known(provider);
    return this.#acting(`${provider} ${on ? 'drains' : 'comes back'}`, async () => {
      const wanted = on ? 'existing_only' : 'new_and_existing';
      const accepted = this.#effects.accepted((entry) => admissionOf(entry, provider) === wanted);
      await this.#options.finished.topology.resources.drain(provider, on);
      await accepted;
      const draining = new Set(this.#state.draining);
      if (on) draining.add(provider);
      else draining.delete(provider);
      this.#change({ draining });
      return on ? `${provider} drains: no new request goes there.` : `${provider} takes new requests again.`;
    });
  }

  /** Kills a provider's process. What is sent there fails and moves on, until the controller has noticed. */
  kill(provider: string): Promise<void> {
    this.#known(provider);
    return this.#acting(`${provider} is killed`, async () => {
      const { live, finished } = this.#options;
      const gone = this.#effects.accepted((entry) => admissionOf(entry, provider) === null);
      const pid = finished.topology.providers.kill(provider);
      live.down.add(provider);
      live.refresh();
      this.#change({});
      await gone;
      return `${provider} (pid ${pid}) was killed; the controller's probes found out and the overlay is without it.`;
    });
  }

  /** Starts a killed provider again. */
  restore(provider: string): Promise<void> {
    this.#known(provider);
    return this.#acting(`${provider} starts again`, async () => {
      const { live, finished } = this.#options;
      const back = this.#effects.accepted((entry) => admissionOf(entry, provider) !== null);
      const pid = await finished.topology.providers.restore(provider);
      await back;
      live.down.delete(provider);
      live.refresh();
      this.#change({});
      return `${provider} runs again (pid ${pid}), is found healthy and is back in the overlay.`;
    });
  }

  /** Publishes half a file, sees it refused, and lets the controller put the good one back. */
  breakOverlay(): Promise<void> {
    return this.#acting('a broken overlay is published', async () => {
      const { live, finished } = this.#options;
      const { controller, overlayFile, gatewayAdminUrl } = finished.topology;
      const refused = this.#effects.told(({ outcome }) => outcome === 'rejected');
      // Else it would mend the file before anybody has read it.
      controller.signal('SIGSTOP');
      try {
        await breakOverlay(dirname(overlayFile));
        await refused;
      } finally {
        controller.signal('SIGCONT');
      }
      const { code } = await refused;
      await this.#effects.until(
        'the good overlay',
        async () => (await readRejection(gatewayAdminUrl)) === null,
      );
      live.overlays.restored();
      return `The broken overlay was refused (${code}); requests went on, and the controller has put the good one back.`;
    });
  }

  async #measureAgain(): Promise<void> {
    const { finished, directory, live, recorder, seed, requests, signal } = this.#options;
    const folder = join(directory, RUN_FOLDER, `again-${this.#runs}`);
    await mkdir(folder, { recursive: true });
    recorder.writeTo(join(folder, FILES.spans));
    try {
      const { topology, replies } = finished;
      const { policy } = this.#state;
      const measured = await measure({
        topology,
        directory: folder,
        requests,
        policy,
        seed,
        replies,
        observer: live,
        signal,
      });
      live.judged(measured.results);
    } finally {
      recorder.writeTo(null);
    }
  }

  /** Does something that the page waits for; what it did, or why it failed, is told on the page. */
  async #acting(what: string, act: () => Promise<string>): Promise<void> {
    this.#mustBeFree();
    if (this.#state.traffic === 'measuring')
      throw new ActionError('measuring', 'wait: a run is being measured');
    this.#change({ busy: `${what} …` });
    try {
      this.#options.page.activity('done', await act());
    } catch (error) {
      this.#options.page.activity('failed', (error as Error).message);
      throw error;
    } finally {
      this.#change({ busy: null });
    }
  }

  #inBackground(traffic: 'measuring', work: () => Promise<void>): void {
    const { live, page, signal } = this.#options;
    this.#change({ traffic });
    work()
      .catch((error: unknown) => {
        if (signal.aborted) return;
        page.activity('failed', (error as Error).message);
        live.rest(`The run came to no verdict: ${(error as Error).message}`);
      })
      .finally(() => this.#change({ traffic: 'none' }));
  }

  #mustBeFree(): void {
    if (this.#state.busy !== null) throw new ActionError('busy', `wait: ${this.#state.busy}`);
    if (this.#state.traffic === 'measuring')
      throw new ActionError('measuring', 'wait: a run is being measured');
  }

  #known(provider: string): void {
    if (!this.#state.providers.includes(provider))
      throw new ActionError('unknown_provider', `there are: ${this.#state.providers.join(', ')}`);
  }

  #change(change: Partial<ControlsState>): void {
    this.#state = { ...this.#state, ...change };
    this.#options.page.controls(controlsFor(this.#state));
  }
}

/** What the overlay says of a provider; null when it isn't in it. */
function admissionOf({ candidates }: OverlayEntry, provider: string): string | null {
  return candidates.find((candidate) => candidate.provider === provider)?.admission ?? null;
}
