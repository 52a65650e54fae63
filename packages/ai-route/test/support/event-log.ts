import type { RouterEvent } from '../../src/index.ts';

type EventOf<Type extends RouterEvent['type']> = Extract<RouterEvent, { type: Type }>;

/** Collects a router's events, so that tests wait for what happens instead of for time to pass. */
export class EventLog {
  readonly all: RouterEvent[] = [];
  #read = 0;
  #wake: () => void = () => undefined;

  readonly record = (event: RouterEvent): void => {
    this.all.push(event);
    this.#wake();
  };

  /** The next event of `type` that meets the condition; those before it are skipped. */
  async next<Type extends RouterEvent['type']>(
    type: Type,
    matches: (event: EventOf<Type>) => boolean = () => true,
  ): Promise<EventOf<Type>> {
    for (;;) {
      const event = this.all[this.#read];
      if (event === undefined) {
        await new Promise<void>((resolve) => {
          this.#wake = resolve;
        });
        continue;
      }
      this.#read++;
      if (event.type === type && matches(event as EventOf<Type>)) return event as EventOf<Type>;
    }
  }

  /** Waits until `revision` is served. */
  async accepted(revision: string): Promise<void> {
    await this.next('accepted', (event) => event.revision === revision);
  }

  types(): RouterEvent['type'][] {
    return this.all.map(({ type }) => type);
  }
}
