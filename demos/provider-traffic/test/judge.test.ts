import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { judge } from '../src/proofs/judge.ts';
import type { Records } from '../src/records/types.ts';
import { goodRun, PROVIDERS } from './good-run.ts';

/** Ids of the proofs that fail. */
function failing(records: Records): string[] {
  return judge(records)
    .proofs.filter((proof) => !proof.passed)
    .map((proof) => proof.id);
}

/** The good run with one request changed. */
function withRequest(n: number, change: Partial<Records['requests'][number]>): Records {
  const run = goodRun();
  return {
    ...run,
    requests: run.requests.map((request) => (request.n === n ? { ...request, ...change } : request)),
  };
}

function observed(change: Partial<Records['observations']>): Records {
  const run = goodRun();
  return { ...run, observations: { ...run.observations, ...change } };
}

describe('judge', () => {
  it('a good run passes all eight proofs with 20/20/20, counted three ways', () => {
    const results = judge(goodRun());
    expect(results.proofs.map(({ id }) => id)).toEqual([
      'one-gateway',
      'three-providers',
      'sequence',
      'split',
      'all-succeeded',
      'overlay-unchanged',
      'traces',
      'control-plane-stopped',
    ]);
    expect(results.passed).toBe(true);
    for (const count of Object.values(results.counts)) expect(Object.values(count)).toEqual([20, 20, 20]);
    expect(results.sequence.slice(0, 4)).toEqual(['provider-a', 'provider-b', 'provider-c', 'provider-a']);
  });

  it('the cycle may start anywhere, but never run backwards', () => {
    expect(failing(goodRun(60, (n) => PROVIDERS[(n + 1) % 3] ?? ''))).toEqual([]);
    expect(failing(goodRun(60, (n) => PROVIDERS[(60 - n) % 3] ?? ''))).toEqual(['sequence']);
  });

  it.each([
    [
      'a request that names another provider than its spans',
      withRequest(7, { provider: 'provider-b' }),
      ['sequence', 'split', 'traces'],
    ],
    [
      'a request that names no provider',
      withRequest(7, { provider: null }),
      ['sequence', 'split', 'all-succeeded', 'traces'],
    ],
    ['a failed request', withRequest(7, { status: 503, error: 'status 503' }), ['all-succeeded']],
    [
      'an answer that was not whole',
      withRequest(7, { error: 'the stream did not end in [DONE]' }),
      ['all-succeeded'],
    ],
    [
      'a request served from another overlay',
      withRequest(7, { revision: 'f'.repeat(12) }),
      ['overlay-unchanged'],
    ],
    [
      'a controller that ran at the end',
      observed({ controller: { pid: 7, stateBefore: 'T', stateAfter: 'S' } }),
      ['control-plane-stopped'],
    ],
    ['an overlay write that left the same bytes', observed({ overlayEvents: 1 }), ['control-plane-stopped']],
    [
      'a window that opened after one agreeing poll',
      observed({ gate: goodRun().observations.gate.slice(0, 2) }),
      ['overlay-unchanged'],
    ],
    [
      'a member that is not viable',
      observed({
        activeGroup: goodRun().observations.activeGroup.map((member, index) => ({
          ...member,
          viable: index > 0,
        })),
      }),
      ['three-providers'],
    ],
    ['two groups', observed({ activeGroups: 2 }), ['three-providers']],
    ['fewer requests than asked for', observed({ requested: 61 }), ['split']],
  ])('%s fails exactly where it should', (_name, records, expected) => {
    expect(failing(records)).toEqual(expected);
  });

  it('a missing span, a missing log line and a second gateway are found', () => {
    const run = goodRun();
    expect(failing({ ...run, spans: run.spans.filter((span) => span.service !== 'vcr-backend') })).toEqual([
      'traces',
    ]);
    expect(failing({ ...run, replies: run.replies.slice(1) })).toEqual(['split', 'traces']);
    const second = run.spans.map((span, index) =>
      index === 1 ? { ...span, instance: 'another-consumer' } : span,
    );
    expect(failing({ ...run, spans: second })).toEqual(['one-gateway']);
  });

  it('any change of one provider in the client records fails, whatever the run was', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 60 }), fc.constantFrom(...PROVIDERS), (n, provider) => {
        const before = goodRun().requests[n - 1]?.provider;
        fc.pre(before !== provider);
        expect(judge(withRequest(n, { provider })).passed).toBe(false);
      }),
    );
  });

  it('a number of requests that three does not divide is exact within one', () => {
    expect(failing(goodRun(7))).toEqual([]);
    expect(failing(goodRun(1))).toEqual([]);
    expect(failing(goodRun(0))).not.toEqual([]);
  });
});

describe('records that were made to look good', () => {
  const run = goodRun();
  const [first, second, ...rest] = run.replies;
  const spans = (change: (span: Records['spans'][number]) => object): Records => ({
    ...run,
    spans: run.spans.map((span) => ({ ...span, ...change(span) })),
  });

  it.each<[string, Records, string[]]>([
    [
      'two backends that changed places, so that all three counts still agree',
      {
        ...run,
        replies: [
          { ...first, backend: second?.backend ?? '' },
          { ...second, backend: first?.backend ?? '' },
          ...rest,
        ] as Records['replies'],
      },
      ['traces'],
    ],
    [
      'a backend that logged an error',
      { ...run, replies: run.replies.map((reply, n) => (n === 5 ? { ...reply, status: 500 } : reply)) },
      ['traces'],
    ],
    [
      'a span too many in one trace',
      { ...run, spans: [...run.spans, { ...run.spans[3], spanId: 'another' } as Records['spans'][number]] },
      ['traces'],
    ],
    [
      'a decision of another process',
      spans(({ name }) => (name === 'routing.select' ? { service: 'somebody' } : {})),
      ['split', 'traces'],
    ],
    [
      'decisions with another overlay than the one published',
      spans(({ name, attributes }) =>
        name === 'routing.select'
          ? { attributes: { ...attributes, 'overlay.revision.serving': 'f'.repeat(64) } }
          : {},
      ),
      ['overlay-unchanged'],
    ],
    ['an overlay file with other bytes', { ...run, overlaySha256: 'y' }, ['overlay-unchanged']],
    ['a retry that hid a failure', withRequest(7, { attempts: 2 }), ['all-succeeded']],
    ['an answer that names another policy', withRequest(7, { policy: 'random' }), ['sequence']],
    [
      'an overlay that asks for another policy',
      { ...run, overlay: { ...(run.overlay as object), overlay: { candidates: [] } } },
      ['three-providers', 'sequence'],
    ],
    ['two records with the same number', withRequest(7, { n: 8 }), ['sequence']],
  ])('%s', (_name, records, expected) => {
    expect(failing(records)).toEqual(expected);
  });

  it('a drawn sequence sorted into a cycle is found by the times of the gateway', () => {
    const drawn = goodRun(60, (n) => PROVIDERS[Math.floor(n / 20)] ?? '');
    const cycle = Array.from({ length: 60 }, (_, n) => drawn.requests[(n % 3) * 20 + Math.floor(n / 3)]);
    const sorted = cycle.map((request, index) => ({ ...request, n: index + 1 })) as Records['requests'];
    expect(failing(drawn)).toEqual(['sequence']);
    expect(judge({ ...drawn, requests: sorted }).proofs[2]?.facts).toMatchObject({ firstBreak: null });
    expect(failing({ ...drawn, requests: sorted })).toEqual(['sequence']);
  });
});

describe('judge for other policies', () => {
  it('deterministic: all to the first, and nothing else', () => {
    expect(failing(goodRun(60, () => 'provider-a', 'deterministic'))).toEqual([]);
    expect(failing(goodRun(60, () => 'provider-b', 'deterministic'))).toEqual(['sequence', 'split']);
    expect(failing(goodRun(60, undefined, 'deterministic'))).toEqual(['sequence', 'split']);
  });

  it('random: a cycle is not random, and neither is one provider only', () => {
    const drawn = [0, 2, 2, 1, 0, 1, 0, 0, 2, 1, 1, 2, 0, 2, 1, 0, 2, 1, 1, 0];
    expect(failing(goodRun(60, (n) => PROVIDERS[drawn[n % 20] ?? 0] ?? '', 'random'))).toEqual([]);
    expect(failing(goodRun(60, undefined, 'random'))).toEqual(['sequence']);
    expect(failing(goodRun(60, () => 'provider-a', 'random'))).toEqual(['split']);
  });
});
