import { get } from 'node:http';
import { startFaultUpstream } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { send } from '../support/client.ts';
import { startProxy } from '../support/proxy.ts';
import { startRawUpstream } from '../support/raw-upstream.ts';

const HEAD = 'HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\ntransfer-encoding: chunked\r\n\r\n';

describe('an answer that is committed at its head', () => {
  it('shows the client its head while the body has not begun, and no first-byte limit ends it', async () => {
    let release: () => void = () => {};
    await using upstream = await startRawUpstream(({ socket }) => {
      socket.once('data', () => socket.write(HEAD));
      release = () => socket.end('5\r\nlater\r\n0\r\n\r\n');
    });
    const options = { judge: () => 'commit_at_head' as const, timeouts: { firstByteMs: 200 } };
    await using proxy = await startProxy(upstream.origin, { forward: options });
    const status = await new Promise((resolve, reject) => {
      get({ port: proxy.port, path: '/' }, (response) => {
        let text = '';
        response.setEncoding('utf8').on('data', (piece: string) => {
          text += piece;
        });
        response.on('end', () => resolve(text));
        // Longer than the limit, which must be over with the head.
        setTimeout(() => release(), 500);
      }).on('error', reject);
    });
    expect(status).toBe('later');
    expect(await proxy.outcome()).toMatchObject({ kind: 'completed', status: 200, responseBytes: 5 });
  });
});

describe('the observer of an answer', () => {
  it('sees the pieces as they are passed on, until it has seen enough', async () => {
    await using upstream = await startFaultUpstream({ mode: 'pace:5', chunks: 10 });
    const seen: string[] = [];
    const onPiece = (piece: Buffer): boolean => {
      seen.push(piece.toString());
      return seen.length < 2;
    };
    await using proxy = await startProxy(upstream.origin, { forward: { onPiece } });
    const reply = await send({ port: proxy.port, body: '{"model":"m","stream":true}' });
    expect(seen).toHaveLength(2);
    expect(reply.body.toString().startsWith(seen.join(''))).toBe(true);
    expect(reply.body.toString()).toContain('[DONE]');
  });
});
