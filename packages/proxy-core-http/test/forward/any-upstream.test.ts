import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, describe, expect, it } from 'vitest';
import {
  type ForwardOptions,
  type ForwardOutcome,
  forward,
  ProxyHttpError,
  type Upstream,
  type UpstreamHandler,
} from '../../src/index.ts';
import { openClient } from '../support/stream-client.ts';

const HEAD = { status: 200, statusMessage: 'OK', headers: [] };
const CUT = { reason: 'reset', error: new ProxyHttpError('reset', 'cut') } as const;

/** An implementation of Upstream without a network, that answers as it is told while it is being asked. */
function scripted(script: (handler: UpstreamHandler) => void) {
  const calls: string[] = [];
  const upstream: Upstream = {
    origin: 'http://scripted',
    dispatch: (_request, handler) => {
      script(handler);
      return {
        pause: () => calls.push('pause'),
        resume: () => calls.push('resume'),
        abort: () => calls.push('abort'),
      };
    },
    close: async () => {},
    destroy: async () => {},
  };
  return { upstream, calls };
}

const cleanUps: (() => unknown)[] = [];
afterEach(() => {
  for (const cleanUp of cleanUps.splice(0)) cleanUp();
});

/** Serves one request with `forward`, and returns what the client saw and how it ended. */
async function serve(
  upstream: Upstream,
  options: Partial<ForwardOptions> = {},
  onOutgoing?: (o: ServerResponse) => void,
) {
  let settle: (outcome: ForwardOutcome) => void;
  const outcome = new Promise<ForwardOutcome>((resolve) => {
    settle = resolve;
  });
  const server = createServer((_incoming, outgoing) => {
    onOutgoing?.(outgoing);
    const request = { method: 'GET', path: '/', headers: [], body: null };
    void forward({ upstream, outgoing, request, ...options }).then(settle);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  cleanUps.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const client = openClient((server.address() as AddressInfo).port, 'GET / HTTP/1.1\r\nHost: test\r\n\r\n');
  return { client, outcome: await outcome };
}

describe('an upstream that calls back before dispatch returns', () => {
  it('with a whole answer', async () => {
    const { upstream, calls } = scripted((handler) => {
      handler.onHead(HEAD);
      handler.onData(Buffer.from('hello'));
      handler.onEnd();
    });
    const { client, outcome } = await serve(upstream);
    await client.heard('hello');
    expect(outcome).toEqual({ kind: 'completed', status: 200, responseBytes: 5 });
    expect(calls).toEqual([]);
  });

  it('with data and a cut in the same turn: the data still reaches the client', async () => {
    const { upstream } = scripted((handler) => {
      handler.onHead(HEAD);
      handler.onData(Buffer.from('hello'));
      handler.onError(CUT);
    });
    const { client, outcome } = await serve(upstream);
    await client.ended;
    expect(client.received).toMatch(/5\r\nhello\r\n$/);
    expect(outcome).toEqual({ kind: 'broken', reason: 'upstream_cut', status: 200, responseBytes: 5 });
  });

  it('with a refusal by the caller: the exchange is given up all the same', async () => {
    const { upstream, calls } = scripted((handler) => handler.onHead(HEAD));
    const { outcome } = await serve(upstream, {
      judge: () => {
        throw new Error('boom');
      },
    });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'local' });
    expect(calls).toEqual(['abort']);
  });

  it('with a failure just after the client left: the client counts', async () => {
    let response: ServerResponse | undefined;
    const { upstream } = scripted((handler) => {
      response?.socket?.destroy();
      handler.onError(CUT);
    });
    const { outcome } = await serve(upstream, {}, (outgoing) => {
      response = outgoing;
    });
    expect(outcome).toEqual({ kind: 'client_gone', committed: false, responseBytes: 0 });
  });
});

describe('a response that can no longer be used', () => {
  it('headers already sent: local, and the client is not touched', async () => {
    const { upstream, calls } = scripted((handler) => {
      handler.onHead(HEAD);
      handler.onData(Buffer.from('x'));
    });
    const { outcome } = await serve(upstream, {}, (outgoing) => outgoing.flushHeaders());
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'local' });
    expect(calls).toEqual(['abort']);
  });
});
