import { startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { send } from '../support/client.ts';
import { startProxy } from '../support/proxy.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';
import { openClient, post } from '../support/stream-client.ts';

const STREAM = '{"model":"m","stream":true}';

/** An upstream that writes `text`, and a little later ends its connection. */
function writesThen(how: 'reset' | 'fin', text: string) {
  return startRawUpstream(({ socket }) => {
    socket.once('data', () => {
      socket.write(text, () => {
        setTimeout(() => (how === 'reset' ? socket.resetAndDestroy() : socket.end()), 20);
      });
    });
  });
}

describe('an upstream that dies in the middle of its answer', () => {
  it.each(['cut:2', 'cut:2:fin'] as const)(
    'SSE %s: the client sees a broken transfer, with what had come',
    async (mode) => {
      await using faulty = await startFaultUpstream({ mode });
      await using proxy = await startProxy(faulty.origin);
      const answer = await send({ port: proxy.port, body: STREAM });
      expect(answer.broken).toBe(true);
      expect(answer.body.toString().split('\n\n')).toHaveLength(3);
      expect(await proxy.outcome()).toEqual({
        kind: 'broken',
        reason: 'upstream_cut',
        status: 200,
        responseBytes: answer.body.length,
      });
    },
  );

  it('content-length longer than the body: never a clean 200', async () => {
    await using faulty = await startFaultUpstream({ mode: 'shortcl' });
    await using proxy = await startProxy(faulty.origin);
    const answer = await send({ port: proxy.port, body: '{"model":"m"}' });
    expect(answer.broken).toBe(true);
    expect(await proxy.outcome()).toMatchObject({ kind: 'broken', reason: 'upstream_cut' });
  });

  it('content-length longer than the body on a connection marked close', async () => {
    await using raw = await writesThen(
      'fin',
      'HTTP/1.1 200 OK\r\nconnection: close\r\ncontent-length: 9\r\n\r\nhello',
    );
    await using proxy = await startProxy(raw.origin);
    const answer = await send({ port: proxy.port });
    expect([answer.broken, answer.body.toString()]).toEqual([true, 'hello']);
  });

  it('chunks without the last one on a connection marked close', async () => {
    const head = 'HTTP/1.1 200 OK\r\nconnection: close\r\ntransfer-encoding: chunked\r\n\r\n';
    await using raw = await writesThen('fin', `${head}5\r\nhello\r\n`);
    await using proxy = await startProxy(raw.origin);
    const answer = await send({ port: proxy.port });
    expect([answer.broken, answer.body.toString()]).toEqual([true, 'hello']);
  });

  it('a body without a length that ends in a reset is a cut, not an end', async () => {
    await using raw = await writesThen('reset', 'HTTP/1.1 200 OK\r\n\r\nhello');
    await using proxy = await startProxy(raw.origin);
    const answer = await send({ port: proxy.port });
    expect([answer.broken, answer.body.toString()]).toEqual([true, 'hello']);
    expect(await proxy.outcome()).toMatchObject({ kind: 'broken', reason: 'upstream_cut' });
  });

  it('a body without a length that ends in a FIN is complete', async () => {
    await using raw = await writesThen('fin', 'HTTP/1.1 200 OK\r\n\r\nhello');
    await using proxy = await startProxy(raw.origin);
    const answer = await send({ port: proxy.port });
    expect([answer.broken, answer.body.toString()]).toEqual([false, 'hello']);
  });

  it('garbage between two chunks', async () => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
    await using raw = await writesThen('fin', `${head}5\r\nhello\r\nnot a size\r\n`);
    await using proxy = await startProxy(raw.origin);
    const answer = await send({ port: proxy.port });
    expect([answer.broken, answer.body.toString()]).toEqual([true, 'hello']);
  });

  it('data and cut in one piece: the data is not lost with the connection', async () => {
    await using raw = await startRawUpstream(({ socket }) => {
      const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n';
      socket.once('data', () => socket.end(`${head}5\r\nhello\r\n`));
    });
    await using proxy = await startProxy(raw.origin);
    const answer = await send({ port: proxy.port });
    expect([answer.broken, answer.body.toString()]).toEqual([true, 'hello']);
  });

  it('an HTTP/1.0 client, whose answer ends with the connection, is reset', async () => {
    await using raw = await writesThen(
      'fin',
      'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n5\r\nhello\r\n',
    );
    await using proxy = await startProxy(raw.origin);
    const client = openClient(proxy.port, 'GET / HTTP/1.0\r\nHost: test\r\n\r\n');
    await client.heard('hello');
    expect(await client.ended).toBe('error');
  });
});

describe('a complete answer right before the upstream closes', () => {
  it.each(['reset', 'fin'] as const)('is complete, %s', async (how) => {
    await using raw = await writesThen(how, 'HTTP/1.1 200 OK\r\ncontent-length: 5\r\n\r\nhello');
    await using proxy = await startProxy(raw.origin);
    const client = openClient(proxy.port, post('{}', ['Connection: close']));
    expect(await client.ended).toBe('end');
    expect(client.received).toContain('\r\n\r\nhello');
    expect(await proxy.outcome()).toEqual({ kind: 'completed', status: 200, responseBytes: 5 });
  });
});
