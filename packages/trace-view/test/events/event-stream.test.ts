import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { EventStream } from '../support/event-stream.ts';
import { makeSpan, traceIdOf } from '../support/spans.ts';
import { testView } from '../support/view.ts';

describe('the stream', () => {
  it('starts with all there is, then tells what changes', async () => {
    const view = await testView({ traceUrl: 'http://localhost:16686/trace/{traceId}' });
    view.publish('run', { phase: 'running' });
    view.append('requests', [{ n: 1 }]);
    view.onAction('again', () => null);
    view.store.add([makeSpan(1)]);
    const stream = await EventStream.open(view);
    expect(stream.response.headers).toMatchObject({
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
    });
    const hello = await stream.next('hello');
    expect(hello.data).toEqual(JSON.parse(JSON.stringify(view.state())));
    expect(hello.data).toMatchObject({
      documents: { run: { phase: 'running' }, requests: [{ n: 1 }] },
      actions: ['again'],
      traceUrl: 'http://localhost:16686/trace/{traceId}',
      traces: [{ traceId: traceIdOf(1), spans: 1 }],
    });

    view.publish('run', { phase: 'idle' });
    view.append('requests', [{ n: 2 }, { n: 3 }], 2);
    view.store.add([makeSpan(2)]);
    view.onAction('drain', () => null);
    expect((await stream.next('document')).data).toEqual({ name: 'run', value: { phase: 'idle' } });
    expect((await stream.next('append')).data).toEqual({
      name: 'requests',
      items: [{ n: 2 }, { n: 3 }],
      keep: 2,
    });
    expect((await stream.next('traces')).data).toMatchObject({
      changed: [{ traceId: traceIdOf(1), spans: 2 }],
      removed: [],
      stats: { accepted: 2 },
    });
    expect((await stream.next('status')).data).toMatchObject({ actions: ['again', 'drain'] });
    expect(view.state().documents['requests']).toEqual([{ n: 2 }, { n: 3 }]);
  });

  it('tells of traces that left', async () => {
    const view = await testView({ store: { maxTraces: 1 } });
    view.store.add([makeSpan(1)]);
    const stream = await EventStream.open(view);
    await stream.next('hello');
    view.store.add([makeSpan(2, { traceId: traceIdOf(2) })]);
    await waitUntil(() =>
      stream.events.some(
        ({ event, data }) => event === 'traces' && 'removed' in data && data.removed.length > 0,
      ),
    );
    expect(stream.events.at(-1)?.data).toMatchObject({
      changed: [{ traceId: traceIdOf(2) }],
      removed: [traceIdOf(1)],
    });
  });

  it('an idle stream gets comments', async () => {
    const view = await testView({ events: { heartbeatMs: 5 } });
    const stream = await EventStream.open(view);
    await waitUntil(() => stream.comments.length > 2);
  });

  it('more streams than allowed are refused, and a closed one makes room', async () => {
    const view = await testView({ events: { maxClients: 1 } });
    const stream = await EventStream.open(view);
    expect((await fetch(`${view.url}api/events`)).status).toBe(503);
    stream.close();
    await waitUntil(async () => (await EventStream.open(view)).response.statusCode === 200);
  });
});

describe('a lost connection', () => {
  it('goes on behind the last event that arrived: nothing twice, nothing missing', async () => {
    const view = await testView();
    const first = await EventStream.open(view);
    await first.next('hello');
    view.publish('n', 1);
    const { id } = await first.next('document');
    first.close();
    view.publish('n', 2);
    view.append('list', ['a']);
    const second = await EventStream.open(view, { 'last-event-id': id });
    await second.next('append');
    view.publish('n', 3);
    await second.next('document');
    expect(second.events).toMatchObject([
      { event: 'document', data: { value: 2 } },
      { event: 'append', data: { items: ['a'] } },
      { event: 'document', data: { value: 3 } },
    ]);
  });

  it('with nothing missed: no hello, only what comes', async () => {
    const view = await testView();
    const first = await EventStream.open(view);
    const { id } = await first.next('hello');
    first.close();
    const second = await EventStream.open(view, { 'last-event-id': id });
    view.publish('n', 1);
    await second.next('document');
    expect(second.events.map(({ event }) => event)).toEqual(['document']);
  });

  it.each(['', 'x', 'another-epoch-7', '-1', 'EPOCH-999', 'EPOCH-1'])(
    'with the id %j, which leads nowhere: everything from the start',
    async (id) => {
      const view = await testView({ events: { maxEvents: 2 } });
      for (let n = 0; n < 5; n++) view.publish('n', n);
      const lastEventId = id.replace('EPOCH', view.state().epoch);
      const stream = await EventStream.open(view, { 'last-event-id': lastEventId });
      expect((await stream.next('hello')).data.documents).toEqual({ n: 4 });
    },
  );
});

describe('a slow client', () => {
  it('is told to start anew, has the true state then, and holds nobody up', async () => {
    const view = await testView({ events: { maxEvents: 10 } });
    const slow = await EventStream.open(view);
    const quick = await EventStream.open(view);
    await Promise.all([slow.next('hello'), quick.next('hello')]);
    slow.response.pause();
    const filler = 'x'.repeat(200_000);
    for (let n = 1; n <= 200; n++) {
      view.publish('n', { n, filler });
      await quick.next('document');
    }
    slow.response.resume();
    const resync = await slow.next('resync');
    expect(resync.data.skipped).toBeGreaterThan(0);
    // It may fall behind more than once on the way; in the end it has the true state.
    await waitUntil(() => slow.events.some((event) => JSON.stringify(event.data).includes('"n":200,')), {
      what: 'the true state',
    });
    view.publish('n', 'after');
    await waitUntil(() => JSON.stringify(slow.events.at(-1)?.data).includes('"after"'), {
      what: 'the next document',
    });
    // Deltas that it did get came in order, without a gap before the resync.
    const before = slow.events.slice(1, slow.events.indexOf(resync));
    expect(before).toMatchObject(before.map((_, index) => ({ data: { value: { n: index + 1 } } })));
    expect(quick.events.filter(({ event }) => event === 'resync')).toEqual([]);
  });

  it('that takes nothing any more is cut after some heartbeats', async () => {
    const view = await testView({ events: { heartbeatMs: 20, maxEvents: 5, maxClients: 1 } });
    const stuck = await EventStream.open(view);
    await stuck.next('hello');
    stuck.response.pause();
    for (let n = 0; n < 100; n++) {
      view.publish('n', { n, filler: 'x'.repeat(200_000) });
      await new Promise((resolve) => setImmediate(resolve));
    }
    await waitUntil(async () => (await EventStream.open(view)).response.statusCode === 200);
  });
});

describe('documents', () => {
  it('are copies: what the caller changes later does not show', async () => {
    const view = await testView();
    const value = { list: [1] };
    view.publish('doc', value);
    value.list.push(2);
    expect(view.state().documents['doc']).toEqual({ list: [1] });
  });

  it.each<[string, unknown, string]>([
    ['Big', 1, 'a small letter first'],
    ['', 1, 'expected a name'],
    ['__proto__', 1, 'expected a name'],
    ['fine', undefined, 'expected a JSON value, found undefined'],
    ['fine', { n: 1n }, 'not JSON'],
    ['fine', 'x'.repeat(17 * 1024 * 1024), 'larger than'],
  ])('%s: what is no document is refused', async (name, value, message) => {
    const view = await testView();
    expect(() => view.publish(name, value)).toThrow(expect.objectContaining({ code: 'invalid_document' }));
    expect(() => view.publish(name, value)).toThrow(message);
  });

  it('appending to what is no list is refused', async () => {
    const view = await testView();
    view.publish('doc', {});
    expect(() => view.append('doc', [1])).toThrow('expected a list to append to');
  });
});
