import { describe, expect, it } from 'vitest';
import { ConfigMapSource } from '../../src/source/config-map/config-map-source.ts';
import type { ConfigMapList } from '../../src/source/config-map/wire.ts';
import type { SourceEvent } from '../../src/source/source.ts';
import { BackOff } from '../../src/time/back-off.ts';
import { ManualTime } from '../support/manual-time.ts';
import { KEY, SourceLab } from '../support/source-lab.ts';

const versionIn = (url: string | undefined): string | null =>
  new URL(url ?? '', 'http://api').searchParams.get('resourceVersion');

describe('list and watch', () => {
  it('lists by name, then watches from the version of the list, with bookmarks and a time-out', async () => {
    await using lab = await SourceLab.create({ jitter: 0.5 });
    lab.publish('one');
    lab.kubernetes.store.changeElsewhere();
    await lab.follow();
    expect(await lab.document()).toBe('one');
    const [list, watch] = [lab.listUrls[0], lab.watchUrls[0]].map((url) => new URL(url ?? '', 'http://api'));
    expect(list?.pathname).toBe('/api/v1/namespaces/grid-system/configmaps');
    expect(Object.fromEntries(list?.searchParams ?? [])).toEqual({
      fieldSelector: 'metadata.name=grid-overlay',
    });
    expect(Object.fromEntries(watch?.searchParams ?? [])).toEqual({
      fieldSelector: 'metadata.name=grid-overlay',
      watch: '1',
      allowWatchBookmarks: 'true',
      resourceVersion: String(lab.kubernetes.store.version),
      timeoutSeconds: '270',
    });
  });

  it('tells each change, byte for byte, whatever the bytes are', async () => {
    await using lab = await SourceLab.create();
    const odd = '{"a": "\u00e9\u{1f600}\\u0000 \\/"}\r\n\n\t ';
    lab.publish('one');
    await lab.follow();
    expect(await lab.document()).toBe('one');
    lab.publish(odd);
    expect(await lab.document()).toBe(odd);
    lab.publish('x'.repeat(900_000));
    expect(await lab.document()).toHaveLength(900_000);
  });

  it('reads a key from binaryData, too', async () => {
    await using lab = await SourceLab.create();
    const binaryData = { [KEY]: Buffer.from([0xff, 0x00]).toString('base64') };
    lab.kubernetes.store.create('grid-system', { metadata: { name: 'grid-overlay' }, binaryData });
    await lab.follow();
    expect([...(await lab.next('document')).bytes]).toEqual([0xff, 0x00]);
  });

  it('a ConfigMap of another name is none of its business', async () => {
    await using lab = await SourceLab.create();
    await lab.follow();
    await lab.next('absent');
    lab.kubernetes.store.create('grid-system', { metadata: { name: 'other' }, data: { [KEY]: 'no' } });
    lab.kubernetes.store.create('elsewhere', { metadata: { name: 'grid-overlay' }, data: { [KEY]: 'no' } });
    lab.publish('yes');
    expect(await lab.document()).toBe('yes');
  });
});

describe('what can be missing', () => {
  it('the key: named, with the keys that are there', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one', 'routing-config.json');
    await lab.follow();
    expect(await lab.next('absent')).toMatchObject({
      reason: 'missing_key',
      message:
        'the ConfigMap grid-system/grid-overlay has no key routing-overlay.json; found routing-config.json',
    });
    lab.publish('two');
    expect(await lab.document()).toBe('two');
    lab.kubernetes.store.update('grid-system', 'grid-overlay', { data: null });
    expect((await lab.next('absent')).message).toContain('found no keys at all');
  });

  it('the ConfigMap: from the start, and after a deletion', async () => {
    await using lab = await SourceLab.create();
    await lab.follow();
    expect(await lab.next('absent')).toMatchObject({ reason: 'deleted' });
    lab.publish('one');
    expect(await lab.document()).toBe('one');
    lab.remove();
    expect((await lab.next('absent')).message).toBe('the ConfigMap grid-system/grid-overlay was deleted');
  });

  it('a deletion while disconnected is found by the list that follows', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    await lab.document();
    lab.kubernetes.watches[0]?.drop();
    await lab.next('unavailable');
    lab.remove();
    lab.kubernetes.store.compact();
    lab.pause();
    expect(await lab.next('absent')).toMatchObject({ reason: 'deleted' });
  });
});

describe('a watch that ends', () => {
  it('by itself, after a good life: resumed at once from the last event, without a list', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    await lab.document();
    lab.publish('two');
    await lab.document();
    lab.time.advance(60_000);
    lab.kubernetes.watches[0]?.end();
    expect(await lab.next('reconnecting')).toEqual({ type: 'reconnecting', reason: 'stream_ended' });
    await lab.watching(2);
    expect(versionIn(lab.watchUrls[1])).toBe(String(lab.kubernetes.store.version));
    expect(lab.listUrls).toHaveLength(1);
    lab.publish('three');
    expect(await lab.document()).toBe('three');
  });

  it('is resumed from the last bookmark although the history before it is gone', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    await lab.document();
    for (let i = 0; i < 5; i++) lab.kubernetes.store.changeElsewhere();
    lab.kubernetes.watches[0]?.bookmark();
    await lab.next('alive');
    lab.kubernetes.store.compact();
    lab.time.advance(60_000);
    lab.kubernetes.watches[0]?.end();
    await lab.next('reconnecting');
    await lab.watching(2);
    expect(lab.listUrls).toHaveLength(1);
    lab.publish('two');
    expect(await lab.document()).toBe('two');
  });

  it('soon, again and again: with growing pauses', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    const pauses: number[] = [];
    for (let count = 1; count <= 4; count++) {
      await lab.watching(count);
      lab.kubernetes.watches[0]?.end();
      await lab.next('reconnecting');
      pauses.push(lab.pause());
    }
    expect(pauses).toEqual([1000, 2000, 4000, 8000]);
  });

  it('with 410 as a status: listed anew, and no fault of anybody', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    await lab.document();
    lab.kubernetes.store.changeElsewhere();
    lab.kubernetes.store.compact();
    lab.time.advance(60_000);
    lab.kubernetes.watches[0]?.end();
    await lab.next('reconnecting');
    expect(await lab.next('reconnecting')).toMatchObject({ reason: 'expired' });
    expect(lab.told).toEqual([]);
    lab.publish('two');
    lab.pause();
    expect(await lab.document()).toBe('two');
    expect(lab.listUrls).toHaveLength(2);
  });

  it('with 410 in the stream: the same', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    await lab.document();
    lab.kubernetes.watches[0]?.expire();
    expect(await lab.next('reconnecting')).toMatchObject({ reason: 'expired' });
    lab.pause();
    expect(await lab.document()).toBe('one');
  });

  it.each([
    ['a cut connection', 'drop'],
    ['half an event', '{"type":"MODIFIED","object":{"met'],
    ['a line that is no JSON', '<html>\n'],
    ['an event of an unknown kind', '{"type":"EXPLODED","object":{}}\n'],
    ['an error of the server', '{"type":"ERROR","object":{"kind":"Status","code":500,"message":"etcd"}}\n'],
  ])('with %s: said, and listed anew after a pause', async (_, how) => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    await lab.document();
    const [watch] = lab.kubernetes.watches;
    if (how !== 'drop') watch?.write(how);
    if (how === 'drop' || !how.endsWith('\n')) watch?.drop();
    expect(await lab.next('reconnecting')).toMatchObject({ reason: 'stream_error' });
    expect(await lab.next('unavailable')).toMatchObject({ reason: 'api_unavailable' });
    lab.publish('two');
    expect(lab.pause()).toBe(1000);
    expect(await lab.document()).toBe('two');
    await lab.watching(2);
  });
});

describe('close', () => {
  it.each(['hang', { status: 500 }] as const)('ends whatever it is doing: %j', async (fault) => {
    await using lab = await SourceLab.create();
    lab.kubernetes.fail('list', fault);
    lab.source.start();
    if (fault !== 'hang') await lab.next('unavailable');
    await lab.source.close();
    expect(lab.time.pending).toEqual([]);
  });

  it('ends a watch, and nothing is told any more', async () => {
    await using lab = await SourceLab.create();
    lab.publish('one');
    await lab.follow();
    await lab.source.close();
    lab.told.length = 0;
    lab.publish('two');
    expect(lab.told).toEqual([]);
    expect(lab.time.pending).toEqual([]);
  });

  it('an answer that comes together with the close is told to nobody, and arms nothing', async () => {
    const time = new ManualTime();
    const told: SourceEvent[] = [];
    let answer = (_: ConfigMapList): void => undefined;
    const source = new ConfigMapSource({
      namespace: 'grid-system',
      name: 'overlay',
      key: KEY,
      api: {
        list: () =>
          new Promise((resolve) => {
            answer = resolve;
          }),
        watch: () => Promise.reject(new Error('nobody should watch any more')),
        close: () => Promise.resolve(),
      },
      listen: (event) => told.push(event),
      time,
      jitter: () => 0,
      backOff: new BackOff({ initialMs: 1000, maxMs: 1000 }, () => 0),
      requestTimeoutMs: 1000,
      staleAfterMs: 1000,
      resetAfterMs: 1000,
    });
    source.start();
    answer({ resourceVersion: '1', items: [] });
    await source.close();
    expect(told).toEqual([]);
    expect(time.pending).toEqual([]);
  });

  it('many keys in the ConfigMap do not make an endless message', async () => {
    await using lab = await SourceLab.create();
    const data = Object.fromEntries(Array.from({ length: 5000 }, (_, i) => [`key-${i}`, '']));
    lab.kubernetes.store.create('grid-system', { metadata: { name: 'grid-overlay' }, data });
    lab.source.start();
    const { message } = await lab.next('absent');
    expect(message).toContain('found key-0, key-1, key-2');
    expect(message).toContain('and 4990 more');
    expect(message.length).toBeLessThan(300);
  });
});
