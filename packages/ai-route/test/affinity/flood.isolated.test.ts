import { setImmediate as nextTurn } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { selectRoute } from '../../src/select/select.ts';
import type { Service } from '../../src/service.ts';

import { candidate, overlayWith } from '../support/rotation.ts';
import { newService } from '../support/service.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MEGABYTE = 1024 * 1024;

function heapUsed(): number {
  collect();
  return process.memoryUsage().heapUsed;
}

function serviceWith(capacity: number): Service {
  const service = newService({ affinity: { enabled: true, capacity }, state: { capacity } });
  service.serve(overlayWith([...'abc'].map((site) => candidate(site))));
  return service;
}

/** One request of a session, which ends like this. */
function ask(
  { context }: Service,
  sessionKey: string,
  result: 'answered' | 'local_error' = 'answered',
): string {
  const asked = selectRoute({ kind: 'inference_model', name: 'm', sessionKey }, context);
  if (!asked.ok) throw new Error(asked.reason);
  const { selection } = asked;
  if (result === 'answered') selection.learn(`state of ${sessionKey}`);
  selection.end({ result });
  return selection.decision.candidate.site;
}

describe('P-F6: a flood of 1,000,000 new sessions', { timeout: 180_000 }, () => {
  it.each(['answered', 'local_error'] as const)(
    'that end %s: memory is flat and live sessions keep their binding',
    (result) => {
      const service = serviceWith(10_000);
      const live = Array.from({ length: 100 }, (_, i) => `live-${i}`);
      const homes = live.map((key) => ask(service, key));
      for (const key of live) ask(service, key);
      for (let i = 0; i < 50_000; i++) ask(service, `before-${i}`, result);
      const before = heapUsed();
      for (let i = 0; i < 1_000_000; i++) ask(service, `flood-${i}`, result);
      expect((heapUsed() - before) / MEGABYTE).toBeLessThan(2);
      expect(live.map((key) => ask(service, key))).toEqual(homes);
    },
  );
});

it('no earlier overlay is held by what is remembered of its candidates', async () => {
  const service = serviceWith(100);
  const snapshots: WeakRef<object>[] = [];
  for (let publication = 0; publication < 5; publication++) {
    service.serve(overlayWith([...'abc'].map((site) => candidate(site, { rank: publication }))));
    for (let i = 0; i < 9; i++) ask(service, `s-${i}`);
    const asked = selectRoute({ kind: 'inference_model', name: 'm' }, service.context);
    if (asked.ok) asked.selection.end({ result: 'reset' });
    const snapshot = service.context.current()?.snapshot;
    if (snapshot !== undefined) snapshots.push(new WeakRef(snapshot));
  }
  // What was looked at weakly is kept until the job that did so has ended.
  await nextTurn();
  collect();
  expect(snapshots.filter((snapshot) => snapshot.deref() !== undefined).length).toBeLessThanOrEqual(2);
});
