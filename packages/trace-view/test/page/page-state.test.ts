import { describe, expect, it } from 'vitest';
import {
  fromHello,
  NOTHING_YET,
  withAppended,
  withDocument,
  withTraces,
} from '../../page/model/page-state.ts';
import type { TraceSummary, ViewState } from '../../src/index.ts';
import { requestRow } from './sample-page.ts';

const summary = (traceId: string, spans: number): TraceSummary => ({
  traceId,
  name: 'POST',
  service: 'demo-client',
  startUnixNano: '1',
  durationNs: 1,
  spans,
  errors: 0,
  services: [],
  missingParents: 0,
  updatedAtMs: 1,
});
const stats = {} as ViewState['stats'];

describe('the state of a page', () => {
  it('a hello replaces everything, also what was there before the connection was lost', () => {
    const old = withDocument(
      { ...NOTHING_YET, connection: 'lost' },
      { name: 'run', value: { title: 'old' } },
    );
    const next = fromHello({
      epoch: 'e',
      token: 't',
      traceUrl: null,
      actions: [],
      documents: { requests: [] },
      traces: [summary('1', 7)],
      stats,
      forwards: [],
    });
    expect(old.documents.run).toBeDefined();
    expect(next).toMatchObject({ connection: 'live', token: 't', documents: { requests: [] } });
    expect(next.traces.get('1')?.spans).toBe(7);
  });

  it('lists grow at their end and lose their oldest items', () => {
    const items = [1, 2, 3].map((number) => requestRow(number)) as never;
    const one = withAppended(NOTHING_YET, { name: 'requests', items, keep: 10 });
    const two = withAppended(one, { name: 'requests', items: [requestRow(4)] as never, keep: 2 });
    expect(one.documents.requests?.map(({ number }) => number)).toEqual([1, 2, 3]);
    expect(two.documents.requests?.map(({ number }) => number)).toEqual([3, 4]);
  });

  it('traces change and leave without touching the state before', () => {
    const one = withTraces(NOTHING_YET, { changed: [summary('1', 3), summary('2', 1)], removed: [], stats });
    const two = withTraces(one, { changed: [summary('1', 7)], removed: ['2'], stats });
    expect([...two.traces.keys()]).toEqual(['1']);
    expect(two.traces.get('1')?.spans).toBe(7);
    expect(one.traces.get('1')?.spans).toBe(3);
  });
});
