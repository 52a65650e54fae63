import { createServer } from 'node:net';
import { startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import {
  createUpstream,
  ProxyHttpError,
  type UpstreamFailure,
  type UpstreamOptions,
  type UpstreamRequest,
} from '../../src/index.ts';
import { classifyFailure } from '../../src/upstream/classify.ts';
import { answering, startRawUpstream } from '../support/raw-upstream.ts';

const GET: UpstreamRequest = { method: 'GET', path: '/', headers: [], body: null };

/** The failure of one request; rejects when there is none. */
async function failureOf(
  options: UpstreamOptions,
  request: Partial<UpstreamRequest> = {},
): Promise<UpstreamFailure> {
  const upstream = createUpstream(options);
  try {
    return await new Promise((resolve, reject) => {
      upstream.dispatch(
        { ...GET, ...request },
        {
          onHead: () => {},
          onData: () => {},
          onEnd: () => reject(new Error('answered')),
          onError: resolve,
        },
      );
    });
  } finally {
    await upstream.destroy();
  }
}

async function failureAfter(answer: string): Promise<UpstreamFailure> {
  await using raw = await startRawUpstream(answering(answer));
  return await failureOf({ origin: raw.origin, maxHeaderBytes: 8192 });
}

describe('connect', () => {
  it('nobody listens', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const { port } = server.address() as { port: number };
    await new Promise((resolve) => {
      server.close(resolve);
    });
    const failure = await failureOf({ origin: `http://127.0.0.1:${port}` });
    expect(failure.reason).toBe('connect');
    expect(failure.error).toBeInstanceOf(ProxyHttpError);
    expect(failure.error.message).toContain(`127.0.0.1:${port}`);
    expect(failure.error.message).toContain('ECONNREFUSED');
    expect(failure.error.cause).toMatchObject({ code: 'ECONNREFUSED' });
  });

  it('a name that does not resolve', async () => {
    expect((await failureOf({ origin: 'http://nobody.invalid:80' })).reason).toBe('connect');
  });

  it('a TLS handshake with something that speaks no TLS', async () => {
    await using faulty = await startFaultUpstream();
    const failure = await failureOf({ origin: faulty.origin.replace('http:', 'https:') });
    expect(failure.reason).toBe('connect');
  });
});

describe('invalid_response', () => {
  it.each([
    ['not HTTP at all', 'SSH-2.0-OpenSSH_9.2\r\n'],
    ['a broken header', 'HTTP/1.1 200 OK\r\nno colon here\r\n\r\n'],
    ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
    ['a head above the limit', `HTTP/1.1 200 OK\r\nx: ${'a'.repeat(9000)}\r\n\r\n`],
    [
      'an upgrade nobody asked for',
      'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n',
    ],
  ])('%s', async (_name, answer) => {
    const failure = await failureAfter(answer);
    expect(failure).toMatchObject({ reason: 'invalid_response' });
  });
});

describe('reset', () => {
  it('a head that is never finished', async () => {
    await using raw = await startRawUpstream(({ socket }) => {
      socket.once('data', () => socket.write('HTTP/1.1 200 OK\r\nx-half: ', () => socket.end()));
    });
    expect(await failureOf({ origin: raw.origin })).toMatchObject({ reason: 'reset' });
  });

  it('a connection closed without an answer', async () => {
    await using raw = await startRawUpstream(({ socket }) => socket.once('data', () => socket.end()));
    expect(await failureOf({ origin: raw.origin })).toMatchObject({ reason: 'reset' });
  });
});

describe('local: said of no upstream, and nothing is sent', () => {
  it.each<[string, Partial<UpstreamRequest>]>([
    ['a header value with a line break', { headers: ['x-a', 'b\r\nc: d'] }],
    ['a header name with a space', { headers: ['x a', 'b'] }],
    ['an odd list of headers', { headers: ['x-a'] }],
    ['a path without a slash', { path: 'http://elsewhere/' }],
    ['a path with a space', { path: '/a b' }],
    ['CONNECT', { method: 'CONNECT' }],
    ['a method that is none', { method: 'G T' }],
    ['an expect header', { headers: ['expect', '100-continue'] }],
    ['two hosts', { headers: ['host', 'a', 'host', 'b'] }],
  ])('%s', async (_name, request) => {
    await using faulty = await startFaultUpstream();
    const failure = await failureOf({ origin: faulty.origin }, request);
    expect(failure.reason).toBe('local');
    expect(faulty.requests).toHaveLength(0);
  });

  it('an upstream that was closed', async () => {
    const upstream = createUpstream({ origin: 'http://127.0.0.1:9' });
    await upstream.close();
    const failure = await new Promise<UpstreamFailure>((resolve) => {
      upstream.dispatch(GET, { onHead: () => {}, onData: () => {}, onEnd: () => {}, onError: resolve });
    });
    expect(failure.reason).toBe('local');
    expect(failure.error.message).toContain('UND_ERR_DESTROYED');
  });

  it('this machine having run out of descriptors or ports', () => {
    for (const code of ['EMFILE', 'ENFILE', 'EADDRNOTAVAIL']) {
      const cause = Object.assign(new Error(`connect ${code}`), { code });
      const context = { origin: 'http://x', sent: false, answered: false, head: false };
      expect(classifyFailure(cause, context).reason).toBe('local');
    }
  });
});
