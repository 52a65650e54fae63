import http from 'node:http';
import type { AdmissionState } from '@switchyard/overlay-contract';
import { type FaultMode, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ask, CHAT, type Reply, STREAM } from './support/client.ts';
import { accessLines, lineSince, startGateway } from './support/gateway.ts';
import { candidate, overlay } from './support/overlay.ts';

const providers = ['provider-a', 'provider-b', 'provider-c'];

function countBy<T>(items: readonly T[], key: (item: T) => string): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const item of items) counts[key(item)] = (counts[key(item)] ?? 0) + 1;
  return counts;
}

describe('three providers in one group', () => {
  it('share 60 requests 20/20/20 in the order A, B, C, told the same way by client, log and upstreams', async () => {
    await using gateway = await startGateway({ cluster: { providerHop: true } });
    const replies: Reply[] = [];
    for (let i = 0; i < 60; i++) replies.push(await ask(gateway.app.port('proxy')));

    expect(replies.every((reply) => reply.status === 200)).toBe(true);
    const served = replies.map((reply) => String(reply.headers['x-switchyard-provider']));
    expect(served).toEqual(Array.from({ length: 60 }, (_, i) => providers[i % 3]));
    expect(replies.map((reply) => reply.headers['x-fault-upstream'])).toEqual(served);

    const even = { 'provider-a': 20, 'provider-b': 20, 'provider-c': 20 };
    const lines = await waitUntil(() => {
      const requests = accessLines(gateway);
      return requests.length === 60 && requests;
    });
    expect(countBy(lines, (line) => String(line['provider']))).toEqual(even);
    expect(
      Object.fromEntries(providers.map((name) => [name, gateway.upstream(name).requests.length])),
    ).toEqual(even);
    expect(lines.map((line) => line['n'])).toEqual(Array.from({ length: 60 }, (_, i) => i + 1));
    expect(lines[0]).toMatchObject({
      route: '/v1/chat/completions',
      model: 'demo-model',
      provider: 'provider-a',
      site: 'site-a',
      group: 0,
      policy: 'round_robin',
      affinity: 'disabled',
      attempts: 1,
      status: 200,
      outcome: 'success',
      revision: gateway.revision,
      bytes: replies[0]?.body.length,
    });
    expect(new Set(lines.map((line) => line['requestId'])).size).toBe(60);
  });

  it('get the body untouched, the hop headers, and none of the client’s secrets or forgeries', async () => {
    await using gateway = await startGateway({ cluster: { providerHop: true } });
    const body = `{"zeta":1.0,  "model":"demo-model","big":12345678901234567890,"zeta":2, "emoji":"🙂\\u0041"}\n`;
    const reply = await ask(gateway.app.port('proxy'), {
      path: '/v1/chat/completions?api-version=1%2F2&x=',
      body,
      headers: {
        authorization: 'Bearer secret',
        'x-api-key': 'secret',
        cookie: 'a=secret',
        'x-ai-routing-candidate': 'forged',
        'X-AI-Routing-Extra': 'forged',
        'x-ai-provider-attribution': 'forged',
        'x-switchyard-provider': 'forged',
        connection: 'keep-alive, x-nominated',
        'x-nominated': 'gone',
        'x-own': 'kept',
        'x-session-id': 'conversation',
      },
    });
    const received = gateway.upstream('provider-a').requests[0];
    expect(received?.body.toString()).toBe(body);
    expect(received?.path).toBe('/v1/chat/completions?api-version=1%2F2&x=');
    const headers = received?.rawHeaders.join('\n') ?? '';
    expect(headers).not.toMatch(/secret|forged|gone/);
    expect(received?.header('x-own')).toBe('kept');
    // Not a credential: a provider may keep its own caches by it.
    expect(received?.header('x-session-id')).toBe('conversation');
    expect(received?.header('x-ai-routing-candidate')).toMatch(/^.{1,256}$/);
    expect(received?.header('x-ai-routing-request-id')).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4/);
    expect(received?.header('x-ai-routing-revision')).toBe(gateway.revision);
    expect(reply.headers).toMatchObject({
      'x-switchyard-provider': 'provider-a',
      'x-switchyard-group': '0',
      'x-switchyard-policy': 'round_robin',
      'x-switchyard-affinity': 'created',
      'x-switchyard-attempts': '1',
      'x-switchyard-revision': gateway.revision.slice(0, 12),
    });
  });

  it('see no hop header without providerHop, and the credentials with passthrough', async () => {
    await using gateway = await startGateway({ cluster: { credentials: 'passthrough' } });
    await ask(gateway.app.port('proxy'), { headers: { authorization: 'Bearer mine' } });
    const received = gateway.upstream('provider-a').requests[0];
    expect(received?.header('authorization')).toBe('Bearer mine');
    expect(received?.rawHeaders.filter((name) => name.startsWith('x-ai-'))).toEqual([]);
  });

  it('add no response header when the operator opted out', async () => {
    await using gateway = await startGateway({ config: { responseHeaders: false } });
    const reply = await ask(gateway.app.port('proxy'));
    expect(reply.status).toBe(200);
    expect(Object.keys(reply.headers).filter((name) => name.startsWith('x-switchyard-'))).toEqual([]);
  });

  it('are reached on every JSON route, with one sequence for all', async () => {
    await using gateway = await startGateway();
    const paths = [
      '/v1/chat/completions',
      '/v1/completions',
      '/v1/embeddings',
      '/v1/responses',
      '/v1/messages',
    ];
    const served: unknown[] = [];
    for (const path of paths) {
      const reply = await ask(gateway.app.port('proxy'), { path });
      expect(reply.status).toBe(200);
      served.push(reply.headers['x-switchyard-provider']);
    }
    expect(served).toEqual([...providers, 'provider-a', 'provider-b']);
  });
});

/** Long enough not to stand by chance in a random id or the name of a temp folder. */
const KEY = 'conversation-of-somebody';

describe('sessions', () => {
  it('are kept when the client hangs up on a response it has begun to receive, not when it left before', async () => {
    await using gateway = await startGateway();
    const port = gateway.app.port('proxy');
    const hangUp = async (session: string, mode: FaultMode): Promise<void> => {
      const since = Date.now();
      for (const name of providers) {
        gateway.upstream(name).reset();
        gateway.upstream(name).setMode(mode);
      }
      const request = http.request({ port, host: '127.0.0.1', method: 'POST', path: '/v1/chat/completions' });
      request.on('error', () => undefined);
      request.on('response', (response) => response.once('data', () => request.destroy()));
      request.setHeader('x-session-id', session);
      request.end(STREAM);
      if (mode === 'hang') {
        await waitUntil(() => providers.some((name) => gateway.upstream(name).requests.length > 0));
        request.destroy();
      }
      await lineSince(gateway, since);
      for (const name of providers) gateway.upstream(name).reset();
    };
    const affinity = async (session: string): Promise<unknown> =>
      (await ask(port, { headers: { 'x-session-id': session } })).headers['x-switchyard-affinity'];
    await hangUp('begun', 'stall:1');
    expect(await affinity('begun')).toBe('reused');
    await hangUp('before', 'hang');
    expect(await affinity('before')).toBe('created');
  });

  it('stay with their provider by header or cookie, and take no turn from others', async () => {
    await using gateway = await startGateway({ cluster: { credentials: 'passthrough' } });
    const port = gateway.app.port('proxy');
    const served = async (headers: Record<string, string>): Promise<string> => {
      const reply = await ask(port, { headers });
      return `${String(reply.headers['x-switchyard-provider'])} ${String(reply.headers['x-switchyard-affinity'])}`;
    };
    expect(await served({ 'x-session-id': KEY })).toBe('provider-a created');
    expect(await served({ 'x-session-id': KEY })).toBe('provider-a reused');
    expect(await served({ cookie: `switchyard_session=${KEY}` })).toBe('provider-a reused');
    expect(await served({})).toBe('provider-b disabled');
    expect(await served({ 'x-session-id': 'x'.repeat(257) })).toBe('provider-c disabled');
    expect([...gateway.app.stdout, ...gateway.app.stderr].join('\n')).not.toContain(KEY);
  });
});

describe('a session across overlays', () => {
  it('stays while its provider is drained, fails over once when it is excluded, and does not flap back', async () => {
    await using gateway = await startGateway({ routing: { reload: { debounceMs: 10, pollMs: 100 } } });
    const port = gateway.app.port('proxy');
    const served = async (): Promise<string> => {
      const { headers } = await ask(port, { headers: { 'x-session-id': 'long-lived' } });
      return `${String(headers['x-switchyard-provider'])} ${String(headers['x-switchyard-affinity'])}`;
    };
    // Drained members move to a lower group: a group has one admission state.
    const publish = async (a: AdmissionState): Promise<void> => {
      const open = [candidate('provider-b'), candidate('provider-c')];
      const rest =
        a === 'new_and_existing'
          ? [candidate('provider-a')]
          : [candidate('provider-a', { admission_state: a, selection_group: 1 })];
      const next = overlay(a === 'new_and_existing' ? [...rest, ...open] : [...open, ...rest]);
      await gateway.publish(next.text);
      await waitUntil(async () => {
        const { headers } = await ask(port, { body: '{"model":"demo-model"}' });
        return headers['x-switchyard-revision'] === next.revision.slice(0, 12);
      });
    };
    expect(await served()).toBe('provider-a created');
    await publish('existing_only');
    expect([await served(), await served()]).toEqual(['provider-a reused', 'provider-a reused']);
    await publish('excluded');
    const moved = await served();
    expect(moved).toMatch(/^provider-[bc] failed_over$/);
    await publish('new_and_existing');
    expect(await served()).toBe(moved.replace('failed_over', 'reused'));
  });
});

describe('inline candidates', () => {
  it('serve without any overlay file', async () => {
    await using gateway = await startGateway({
      routing: {
        overlayFile: undefined,
        localSite: 'here',
        selectionPolicy: 'round_robin',
        candidates: providers.map((cluster) => ({
          name: 'demo-model',
          site: cluster,
          cluster,
          selectionGroup: 0,
        })),
      },
    });
    const served: unknown[] = [];
    for (let i = 0; i < 3; i++)
      served.push((await ask(gateway.app.port('proxy'))).headers['x-switchyard-provider']);
    expect(served).toEqual(providers);
  });
});

describe('several models', () => {
  it('are told apart exactly and keep their own turns', async () => {
    const candidates = [
      candidate('provider-a'),
      candidate('provider-b'),
      candidate('provider-b', { name: 'other/model' }),
      candidate('provider-c', { name: 'other/model' }),
    ];
    await using gateway = await startGateway({ candidates });
    const port = gateway.app.port('proxy');
    const served = async (model: string): Promise<unknown> =>
      (await ask(port, { body: CHAT.replace('demo-model', model) })).headers['x-switchyard-provider'];
    expect(await served('demo-model')).toBe('provider-a');
    expect(await served('other/model')).toBe('provider-b');
    expect(await served('demo-model')).toBe('provider-b');
    expect(await served('other/model')).toBe('provider-c');
  });
});
