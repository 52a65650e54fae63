import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { EventLog } from '../../src/events/event-log.ts';

interface Log {
  readonly last: number;
  add(name: 'document', data: { name: string; value: number }): void;
  after(sequence: number): { readonly sequence: number; readonly frame: string } | undefined;
  resume(lastEventId: string | undefined): number | undefined;
}

const bounds = fc.record({
  maxEvents: fc.integer({ min: 1, max: 8 }),
  maxCharacters: fc.integer({ min: 1, max: 600 }),
});

const FRAME = 'id: epoch-12\nevent: document\ndata: {"name":"n","value":12}\n\n';

/** How many events the log holds at least. */
function fits({ maxEvents, maxCharacters }: { maxEvents: number; maxCharacters: number }): number {
  return Math.min(maxEvents, Math.floor(maxCharacters / FRAME.length));
}

/** What a client that was cut off behind event `cut` of `total` gets when it comes back; undefined: a new start. */
function missed(log: Log, cut: number, total: number): number[] | undefined {
  for (let n = 1; n <= total; n++) log.add('document', { name: 'n', value: n });
  let at = log.resume(`epoch-${cut}`);
  if (at === undefined) return undefined;
  const got: number[] = [];
  for (let event = log.after(at); event !== undefined; event = log.after(at)) {
    got.push(event.sequence);
    at = event.sequence;
  }
  return got;
}

function allOrANewStart(make: (bounds: { maxEvents: number; maxCharacters: number }) => Log): void {
  fc.assert(
    fc.property(bounds, fc.nat(12), fc.nat(12), (given, a, b) => {
      const [cut, total] = [Math.min(a, b), Math.max(a, b)];
      const got = missed(make(given), cut, total);
      const expected = Array.from({ length: total - cut }, (_, n) => cut + 1 + n);
      if (got !== undefined) expect(got).toEqual(expected);
      // A new start is right only when something that was missed has left the log.
      if (expected.length <= fits(given)) expect(got).toEqual(expected);
    }),
    { numRuns: 500 },
  );
}

describe('a client that comes back', () => {
  it('gets all it missed in order, or a new start; never a part', () => {
    allOrANewStart((given) => new EventLog('epoch', given));
  });

  it('a log that always goes on at its end is caught', () => {
    class Forgetful extends EventLog {
      override resume(): number {
        return this.last;
      }
    }
    expect(() => allOrANewStart((given) => new Forgetful('epoch', given))).toThrow('Property failed');
  });

  it('a log that goes on with what is left, whatever has gone, is caught', () => {
    class Partial extends EventLog {
      override resume(lastEventId: string | undefined): number {
        let at = Number(lastEventId?.split('-')[1]);
        while (at < this.last && this.after(at) === undefined) at += 1;
        return at;
      }
    }
    expect(() => allOrANewStart((given) => new Partial('epoch', given))).toThrow('Property failed');
  });
});
