import { type FakeKubernetes, startFakeKubernetes, waitUntil } from '@switchyard/test-kit';
import { expect } from 'vitest';
import { ConfigMapApi } from '../../src/source/config-map/config-map-api.ts';
import { ConfigMapSource } from '../../src/source/config-map/config-map-source.ts';
import type { SourceEvent } from '../../src/source/source.ts';
import { BackOff } from '../../src/time/back-off.ts';
import { ManualTime } from './manual-time.ts';

export const KEY = 'routing-overlay.json';
const TARGET = { namespace: 'grid-system', name: 'grid-overlay' };

/** What a lab may have otherwise. */
export interface SourceLabOptions {
  readonly jitter?: number;
  readonly tokenFile?: string;
  readonly caFile?: string;
  readonly kubernetes?: FakeKubernetes;
}

/** A source that follows a ConfigMap of a fake API server, on a real socket but in time that the test moves. */
export class SourceLab {
  readonly kubernetes: FakeKubernetes;
  readonly time = new ManualTime();
  readonly told: SourceEvent[] = [];
  readonly source: ConfigMapSource;

  private constructor(kubernetes: FakeKubernetes, { jitter = 0, tokenFile, caFile }: SourceLabOptions) {
    this.kubernetes = kubernetes;
    const access = {
      server: kubernetes.url,
      tokenFile,
      caFile,
      insecureSkipTlsVerify: false,
      connectMs: 5000,
    };
    this.source = new ConfigMapSource({
      ...TARGET,
      key: KEY,
      api: new ConfigMapApi(access, TARGET),
      listen: (event) => this.told.push(event),
      time: this.time,
      jitter: () => jitter,
      backOff: new BackOff({ initialMs: 1000, maxMs: 30_000 }, () => jitter),
      requestTimeoutMs: 10_000,
      staleAfterMs: 180_000,
      resetAfterMs: 60_000,
    });
  }

  static async create(options: SourceLabOptions = {}): Promise<SourceLab> {
    return new SourceLab(options.kubernetes ?? (await startFakeKubernetes()), options);
  }

  /** Puts `text` under the key, in a new ConfigMap or in the one that is there. */
  publish(text: string, key: string = KEY): void {
    const { store } = this.kubernetes;
    const body = { metadata: { name: TARGET.name }, data: { [key]: text } };
    const exists = store.list(TARGET.namespace).some(({ metadata }) => metadata.name === TARGET.name);
    if (exists) store.update(TARGET.namespace, TARGET.name, body);
    else store.create(TARGET.namespace, body);
  }

  remove(): void {
    this.kubernetes.store.delete(TARGET.namespace, TARGET.name);
  }

  /** Starts and waits until the watch is open. */
  async follow(): Promise<void> {
    this.source.start();
    await this.watching();
  }

  /** Waits until a watch is open, the `count`th of all. */
  async watching(count = 1): Promise<void> {
    await waitUntil(() => this.watchUrls.length >= count && this.kubernetes.watches.length > 0, {
      what: `watch number ${count}`,
    });
  }

  /** Waits for the first event of this type that nobody waited for yet, and forgets those before it. */
  async next<T extends SourceEvent['type']>(type: T): Promise<Extract<SourceEvent, { type: T }>> {
    const index = await waitUntil(
      () => {
        const found = this.told.findIndex((event) => event.type === type);
        return found >= 0 && { found };
      },
      { what: `an event ${type}` },
    );
    const event = this.told.splice(0, index.found + 1)[index.found];
    return event as Extract<SourceEvent, { type: T }>;
  }

  /** The text of the next document. */
  async document(): Promise<string> {
    return Buffer.from((await this.next('document')).bytes).toString('utf8');
  }

  /** Lets the pause before the next attempt pass, and says how long it was. Call it after the event that tells why. */
  pause(): number {
    // Besides the pause only the staleness alarm is armed.
    expect(this.time.pending).toHaveLength(2);
    const [ms = 0] = this.time.pending;
    this.time.advance(ms);
    return ms;
  }

  get listUrls(): string[] {
    return this.#urls((url) => !url.includes('watch=1'));
  }

  get watchUrls(): string[] {
    return this.#urls((url) => url.includes('watch=1'));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.source.close();
    await this.kubernetes.close();
  }

  #urls(matches: (url: string) => boolean): string[] {
    return this.kubernetes.requests.map(({ url }) => url).filter(matches);
  }
}
