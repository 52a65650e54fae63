import { startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { createUpstream, type Upstream, type UpstreamRequest } from '../../src/index.ts';

const POST: UpstreamRequest = { method: 'POST', path: '/', headers: [], body: Buffer.from('{"model":"m"}') };

/** The status, or why there is none. */
function send(upstream: Upstream, request: UpstreamRequest): Promise<number | string> {
  return new Promise((resolve) => {
    let status = 0;
    upstream.dispatch(request, {
      onHead: (head) => {
        status = head.status;
      },
      onData: () => {},
      onEnd: () => resolve(status),
      onError: ({ reason }) => resolve(reason),
    });
  });
}

describe('a request that must not be sent twice', () => {
  it('is sent once when the upstream resets, although a connection had served before', async () => {
    await using server = await startFaultUpstream();
    const upstream = createUpstream({ origin: server.origin });
    expect(await send(upstream, POST)).toBe(200);
    server.next('reset');
    expect(await send(upstream, { ...POST, once: true })).toBe('reset');
    expect(server.requests).toHaveLength(2);
    // What the reset looks like to any other request.
    server.next('reset', 'ok');
    expect(await send(upstream, POST)).toBe(200);
    await upstream.destroy();
  });

  it('is lost to no idle connection that is being closed: it gets one of its own', async () => {
    await using server = await startFaultUpstream({ mode: 'idle:0' });
    const upstream = createUpstream({ origin: server.origin });
    for (let n = 0; n < 20; n++) expect(await send(upstream, { ...POST, once: true })).toBe(200);
    expect(server.requests.every(({ socketReused }) => !socketReused)).toBe(true);
    expect(server.connections).toBe(20);
    await upstream.close();
  });

  it('leaves no connection open behind it', async () => {
    await using server = await startFaultUpstream();
    const upstream = createUpstream({ origin: server.origin });
    expect(await send(upstream, { ...POST, once: true })).toBe(200);
    // Closing waits for what is in use, and there is nothing.
    await upstream.close();
  });
});
