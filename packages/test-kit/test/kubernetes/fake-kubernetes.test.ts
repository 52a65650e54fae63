import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { type FakeKubernetes, startFakeKubernetes, waitUntil } from '../../src/index.ts';

let fake: FakeKubernetes;
beforeEach(async () => {
  fake = await startFakeKubernetes();
});
afterEach(() => fake.close());

const PATH = '/api/v1/namespaces/n/configmaps';
type Answer = Record<string, unknown> & { readonly metadata: Record<string, string> };

async function call(
  method: string,
  path: string,
  body?: object,
  type = 'application/json',
): Promise<{ readonly status: number; readonly body: Answer }> {
  const response = await fetch(fake.url + path, {
    method,
    ...(body === undefined ? {} : { body: JSON.stringify(body), headers: { 'content-type': type } }),
  });
  return { status: response.status, body: (await response.json()) as Answer };
}

/** Opens a watch and collects its lines. */
async function watch(query: string): Promise<{ readonly lines: string[]; readonly ended: Promise<void> }> {
  const response = await fetch(`${fake.url}${PATH}?watch=1&${query}`);
  const lines: string[] = [];
  const read = async (): Promise<void> => {
    let text = '';
    for await (const chunk of response.body ?? []) {
      text += Buffer.from(chunk as Uint8Array).toString('utf8');
      lines.splice(0, lines.length, ...text.split('\n').filter(Boolean).map(short));
    }
  };
  return { lines, ended: read().catch(() => undefined) };
}

function short(line: string): string {
  const { type, object } = JSON.parse(line) as { type: string; object: Answer };
  const { name, resourceVersion } = object.metadata;
  return [type, name, resourceVersion, object['code']].filter((part) => part !== undefined).join(' ');
}

const make = (name: string, text = 'one'): Promise<{ readonly status: number; readonly body: Answer }> =>
  call('POST', PATH, { metadata: { name }, data: { key: text } });

describe('objects', () => {
  it('are created, read, replaced, patched and deleted, each change with a higher version', async () => {
    const created = await make('a');
    expect(created).toMatchObject({ status: 201, body: { kind: 'ConfigMap', metadata: { namespace: 'n' } } });
    expect((await make('a')).body).toMatchObject({ code: 409, reason: 'AlreadyExists' });
    expect((await call('GET', `${PATH}/a`)).body).toEqual(created.body);
    const replaced = await call('PUT', `${PATH}/a`, { metadata: {}, data: { key: 'two' } });
    expect(replaced.body['data']).toEqual({ key: 'two' });
    expect(replaced.body.metadata['uid']).toBe(created.body.metadata['uid']);
    const patch = { data: { key: null, more: 'x' } };
    const patched = await call('PATCH', `${PATH}/a`, patch, 'application/merge-patch+json');
    expect(patched.body['data']).toEqual({ more: 'x' });
    const versions = [created, replaced, patched].map(({ body }) => Number(body.metadata['resourceVersion']));
    expect(versions).toEqual([...versions].sort((a, b) => a - b));
    expect(new Set(versions).size).toBe(3);
    expect((await call('DELETE', `${PATH}/a`)).body).toMatchObject({ status: 'Success' });
    expect((await call('GET', `${PATH}/a`)).body).toMatchObject({ code: 404, reason: 'NotFound' });
  });

  it('an update with an old version is a conflict; one that changes nothing makes no version', async () => {
    const { body } = await make('a');
    const same = await call('PUT', `${PATH}/a`, { metadata: body.metadata, data: { key: 'one' } });
    expect(same.body.metadata['resourceVersion']).toBe(body.metadata['resourceVersion']);
    await call('PUT', `${PATH}/a`, { metadata: {}, data: { key: 'two' } });
    const late = await call('PUT', `${PATH}/a`, { metadata: body.metadata, data: { key: 'three' } });
    expect(late.body).toMatchObject({ code: 409, reason: 'Conflict' });
  });

  it('server-side apply creates and changes', async () => {
    const apply = (data: object): Promise<{ readonly status: number; readonly body: Answer }> =>
      call('PATCH', `${PATH}/a`, { metadata: { name: 'a' }, data }, 'application/apply-patch+yaml');
    expect((await apply({ key: '1' })).status).toBe(201);
    expect(await apply({ other: '2' })).toMatchObject({
      status: 200,
      body: { data: { key: '1', other: '2' } },
    });
  });

  it('lists select by name and namespace; other selectors are refused, not ignored', async () => {
    await make('a');
    await make('b');
    const named = await call('GET', `${PATH}?fieldSelector=metadata.name%3Da`);
    expect(named.body['items']).toHaveLength(1);
    expect((await call('GET', '/api/v1/configmaps')).body['items']).toHaveLength(2);
    expect((await call('GET', '/api/v1/namespaces/other/configmaps')).body['items']).toEqual([]);
    expect((await call('GET', `${PATH}?fieldSelector=data.x%3D1`)).status).toBe(400);
  });
});

describe('watches', () => {
  it('tell what came after the version, then what comes', async () => {
    const first = Number((await make('a')).body.metadata['resourceVersion']);
    await make('b');
    const { lines } = await watch(`resourceVersion=${first}&fieldSelector=`);
    await call('DELETE', `${PATH}/a`);
    await waitUntil(() => lines.length === 2);
    expect(lines).toEqual([`ADDED b ${first + 1}`, `DELETED a ${first + 2}`]);
  });

  it('without a version begin with what is there', async () => {
    await make('a');
    const { lines } = await watch('');
    await waitUntil(() => lines.length === 1);
    expect(lines[0]).toMatch(/^ADDED a /);
  });

  it('have bookmarks for those who asked for them', async () => {
    const asked = await watch('allowWatchBookmarks=true&resourceVersion=100');
    const other = await watch('resourceVersion=100');
    fake.store.changeElsewhere();
    for (const stream of fake.watches) stream.bookmark();
    await make('a');
    await waitUntil(() => asked.lines.length === 2 && other.lines.length === 1);
    expect(asked.lines[0]).toBe('BOOKMARK 101');
  });

  it('from before the history: 410, as an answer or in the stream', async () => {
    const open = await watch('resourceVersion=100');
    await make('a');
    fake.store.compact();
    expect((await call('GET', `${PATH}?watch=1&resourceVersion=100`)).body).toMatchObject({ code: 410 });
    fake.watches[0]?.expire();
    await open.ended;
    expect(open.lines.at(-1)).toBe('ERROR 410');
    expect(fake.watches).toEqual([]);
  });

  it('end after timeoutSeconds', async () => {
    const { ended } = await watch('resourceVersion=100&timeoutSeconds=1');
    await ended;
    await waitUntil(() => fake.watches.length === 0);
  });
});

describe('faults', () => {
  it('are used once, in order, by the kind of request they are for', async () => {
    fake.fail('watch', { status: 500 });
    fake.fail('list', { status: 429, retryAfterSeconds: 3 });
    fake.fail('list', 'drop');
    const throttled = await fetch(fake.url + PATH);
    expect([throttled.status, throttled.headers.get('retry-after')]).toEqual([429, '3']);
    await throttled.text();
    await expect(fetch(fake.url + PATH)).rejects.toThrow();
    expect((await call('GET', PATH)).status).toBe(200);
    expect((await call('GET', `${PATH}?watch=1`)).status).toBe(500);
  });

  it('hang: no answer until the client gives up', async () => {
    fake.fail('list', 'hang');
    await expect(fetch(fake.url + PATH, { signal: AbortSignal.timeout(100) })).rejects.toThrow('timeout');
  });

  it('the right token is asked for when there is one', async () => {
    await using guarded = await startFakeKubernetes({ token: () => 'secret' });
    expect((await fetch(guarded.url + PATH)).status).toBe(401);
    const headers = { authorization: 'Bearer secret' };
    expect((await fetch(guarded.url + PATH, { headers })).status).toBe(200);
  });
});

describe('discovery', () => {
  it('answers what generic clients ask first', async () => {
    expect((await call('GET', '/api')).body['versions']).toEqual(['v1']);
    expect((await call('GET', '/apis')).body['groups']).toEqual([]);
    const { body } = await call('GET', '/api/v1');
    expect(body['resources']).toContainEqual(
      expect.objectContaining({ name: 'configmaps', kind: 'ConfigMap' }),
    );
    const { body: index } = await call('GET', '/openapi/v3');
    const { 'api/v1': core } = index['paths'] as Record<string, { serverRelativeURL: string }>;
    expect((await call('GET', core?.serverRelativeURL ?? '')).body['openapi']).toBe('3.0.0');
    expect((await call('GET', '/api/v1/pods')).status).toBe(404);
  });
});
