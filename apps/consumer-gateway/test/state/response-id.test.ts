import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { ResponseIdPeek } from '../../src/state/response-id.ts';

const CREATED = {
  type: 'response.created',
  sequence_number: 0,
  response: { id: 'resp_1', object: 'response' },
};
const STREAM = `event: response.created\ndata: ${JSON.stringify(CREATED)}\n\nevent: x\ndata: {"response":{"id":"resp_2"}}\n\n`;
const PLAIN = JSON.stringify({ id: 'resp_1', object: 'response', output: [{ id: 'msg_1' }] });

/** Every id that is found when the text comes in pieces, and how many pieces were wanted. */
function peek(
  pieces: readonly Buffer[],
  format: { events?: boolean; encoding?: string } = {},
): { ids: string[]; taken: number } {
  const ids: string[] = [];
  const watch = new ResponseIdPeek({ events: false, encoding: '', ...format }, (id) => void ids.push(id));
  let taken = 0;
  for (const piece of pieces) {
    taken++;
    if (!watch.take(piece)) break;
  }
  return { ids, taken };
}

function bytes(text: string | Buffer): Buffer[] {
  return [...Buffer.from(text)].map((byte) => Buffer.of(byte));
}

describe('the id of a response', () => {
  it('stands in the answer, whole or in single bytes, and then no more is looked at', () => {
    expect(peek([Buffer.from(PLAIN), Buffer.from('x')])).toEqual({ ids: ['resp_1'], taken: 1 });
    expect(peek(bytes(PLAIN + ' '.repeat(100))).ids).toEqual(['resp_1']);
    expect(peek([Buffer.from(STREAM)], { events: true }).ids).toEqual(['resp_1']);
    expect(peek(bytes(STREAM), { events: true }).ids).toEqual(['resp_1']);
    const late = `event: ping\ndata: {"type":"ping","id":"resp_no"}\n\n${STREAM}`;
    expect(peek(bytes(late), { events: true }).ids).toEqual(['resp_1']);
    const crlf = STREAM.replaceAll('\n', '\r\n');
    expect(peek([Buffer.from(`: hello\r\n\r\n${crlf}`)], { events: true }).ids).toEqual(['resp_1']);
  });

  it.each([
    ['gzip', gzipSync],
    ['br', brotliCompressSync],
    ['deflate', deflateSync],
  ])('is found through %s', (encoding, compress) => {
    expect(peek([compress(PLAIN)], { encoding }).ids).toEqual(['resp_1']);
  });

  it('is found in the first piece of a compressed stream that goes on', () => {
    const padded = gzipSync(`${PLAIN.slice(0, -1)},"pad":"${'abcdefgh'.repeat(5000)}"}`);
    expect(peek([padded.subarray(0, padded.length - 20)], { encoding: 'gzip' }).ids).toEqual(['resp_1']);
  });

  it.each([
    ['inside another object', '{"metadata":{"id":"resp_evil"},"x":1}'],
    ['inside a text', '{"text":"{\\"id\\":\\"resp_evil\\"}"}'],
    ['as a value', '{"a":"id","b":"resp_evil"}'],
    ['that is no string', '{"id":{"id":"resp_evil"}}'],
    ['in a list', '[{"id":"resp_evil"}]'],
    ['after the object', '{} {"id":"resp_evil"}'],
  ])('%s is not taken for one', (_what, text) => {
    expect(peek([Buffer.from(text)]).ids).toEqual([]);
  });

  it('is found behind whatever a client made the provider echo before it', () => {
    const text = '{"metadata":{"id":"resp_evil","x":["}",{"id":"resp_evil"}]},"id":"resp_1"}';
    expect(peek([Buffer.from(text)]).ids).toEqual(['resp_1']);
  });

  it('is given up after 16 KiB, and at once when the bytes cannot be read', () => {
    const kilobyte = Buffer.from(`"${'x'.repeat(1022)}"`);
    expect(peek(Array.from({ length: 100 }, () => kilobyte)).taken).toBe(16);
    expect(peek([Buffer.from('no gzip'), kilobyte], { encoding: 'gzip' })).toEqual({ ids: [], taken: 1 });
    expect(peek([Buffer.from(PLAIN)], { encoding: 'zstd' }).taken).toBe(1);
    expect(peek([gzipSync(' '.repeat(4_000_000))], { encoding: 'gzip' })).toEqual({ ids: [], taken: 1 });
  });

  it('costs no more than its bytes, though a provider sends a megabyte of events that never end', () => {
    // Each event was read to the end of all: half an hour in which the gateway answered nobody.
    const endless = '\ndata:{'.repeat(140_000);
    expect(peek([gzipSync(endless)], { events: true, encoding: 'gzip' }).ids).toEqual([]);
    expect(peek(bytes(endless.slice(0, 16_384)), { events: true }).ids).toEqual([]);
  });
});
