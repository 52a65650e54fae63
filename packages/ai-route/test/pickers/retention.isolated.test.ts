import { setTimeout as pause } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { buildSnapshot } from '../../src/snapshot/build-snapshot.ts';
import { candidate, groupsOf, newStates, overlayWith } from '../support/rotation.ts';

setFlagsFromString('--expose-gc');
const collect = runInNewContext('gc') as () => void;

const MODELS = 8;

/** Publishes overlay after overlay, each of which `members` makes, and uses every group of it. */
async function publishing(members: (publication: number, model: number) => string): Promise<boolean[]> {
  const states = newStates();
  const published: WeakRef<object>[] = [];
  for (let publication = 0; publication < MODELS; publication++) {
    const candidates = Array.from({ length: MODELS }, (_, model) =>
      [...members(publication, model)].map((site) =>
        candidate(site, { name: `m${model}`, stableId: `${model}-${site}`, rank: publication }),
      ),
    );
    const overlay = overlayWith(candidates.flat());
    const { snapshot, pickersOf } = states.adopt(buildSnapshot(overlay, undefined));
    for (const group of groupsOf(snapshot)) {
      pickersOf(group).turns.pick(group.open);
      pickersOf(group).retries.pick(group.open);
    }
    published.push(new WeakRef(overlay));
    // What a weak reference has just been made of lives at least until the turn ends.
    await pause(0);
  }
  collect();
  const alive = published.map((overlay) => overlay.deref() !== undefined);
  // The states are in use until here.
  expect(states).toBeDefined();
  return alive;
}

describe('no overlay but the last is kept', () => {
  const last = Array.from({ length: MODELS }, (_, publication) => publication === MODELS - 1);

  it('when none changes a group', async () => {
    expect(await publishing(() => 'abc')).toEqual(last);
  });

  it('when each changes the group of another model', async () => {
    expect(await publishing((publication, model) => (model <= publication ? 'abc' : 'ab'))).toEqual(last);
  });

  it('when each changes all groups', async () => {
    expect(await publishing((publication) => (publication % 2 ? 'abc' : 'abd'))).toEqual(last);
  });
});
