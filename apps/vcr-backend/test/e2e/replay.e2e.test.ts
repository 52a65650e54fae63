import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { tempDir, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { Cassette } from '../../src/cassette/format.ts';
import { loadCassettes } from '../../src/cassette/load.ts';
import { CHECKED_IN, EVENT_STREAM, cassette as readCassette, sealedText } from '../cassettes.ts';
import { send, sendForJson } from '../http/vcr.ts';
import { ask, replyLines, startVcrProcess } from './app.ts';

async function streamCassette(): Promise<Cassette> {
  const found = (await loadCassettes(CHECKED_IN)).find((one) => one.id === 'which-site-stream');
  if (found === undefined) throw new Error('which-site-stream is not checked in');
  return found;
}

/** When each recorded chunk had arrived in full, in milliseconds since the request was sent. */
async function arrivals(port: number, cassette: Cassette): Promise<number[]> {
  const sentMs = performance.now();
  const exchange = await send(port, cassette.match.body);
  const reads: { bytes: number; atMs: number }[] = [];
  let bytes = 0;
  let seen = 0;
  await waitUntil(
    () => {
      for (; seen < exchange.chunks.length; seen++) {
        bytes += exchange.chunks[seen]?.byteLength ?? 0;
        reads.push({ bytes, atMs: performance.now() - sentMs });
      }
      return bytes >= cassette.response.byteLength;
    },
    { intervalMs: 0, timeoutMs: 30_000 },
  );
  expect(await exchange.body).toEqual(Buffer.concat(cassette.response.chunks.map((chunk) => chunk.bytes)));
  let end = 0;
  return cassette.response.chunks.map((chunk) => {
    end += chunk.bytes.byteLength;
    return reads.find((read) => read.bytes >= end)?.atMs ?? Number.NaN;
  });
}

describe('the built app', () => {
  it('gives back every checked-in cassette byte for byte', async () => {
    await using app = await startVcrProcess({ args: ['--speed', '0'] });
    for (const { id, match, response } of await loadCassettes(CHECKED_IN)) {
      const exchange = await send(app.port('proxy'), match.body);
      expect(exchange.headers).toMatchObject({ 'x-vcr-cassette': id, 'x-vcr-hit': 'true' });
      expect(await exchange.body).toEqual(Buffer.concat(response.chunks.map((chunk) => chunk.bytes)));
    }
    expect(app.stderr.join('\n')).not.toContain('"level":"error"');
  });

  it.each([
    { speed: 1, config: {}, args: [] },
    { speed: 4, config: { speed: 4 }, args: [] },
    { speed: 0.5, config: { speed: 4 }, args: ['--speed', '0.5'] },
  ])('is never ahead of the recorded offsets at speed $speed', async ({ speed, config, args }) => {
    const cassette = await streamCassette();
    await using app = await startVcrProcess({ config, args });
    const dueMs = cassette.response.chunks.map((chunk) => chunk.offsetMs / speed);
    const endMs = dueMs.at(-1) ?? Number.NaN;
    // The client's clock starts before the server's, so no chunk may arrive ahead of its offset.
    const arrivedMs = await arrivals(app.port('proxy'), cassette);
    for (const [index, dueAtMs] of dueMs.entries()) expect(arrivedMs[index]).toBeGreaterThanOrEqual(dueAtMs);
    const [line] = await waitUntil(() => replyLines(app).length === 1 && replyLines(app));
    expect(line?.durationMs).toBeGreaterThanOrEqual(endMs);
  });

  it.each([
    { speed: '100', dueMs: 600 },
    { speed: '0', dueMs: 0 },
  ])('is faster than recorded at --speed $speed, however busy the machine is', async ({ speed, dueMs }) => {
    await using dir = await tempDir();
    // A minute as recorded: between that and any load of the machine lies enough to tell them apart.
    const chunks = [
      { offsetMs: 0, text: 'data: 1\n\n' },
      { offsetMs: 60_000, text: 'data: 2\n\n' },
    ];
    const slow = { id: 'slow', headers: EVENT_STREAM, chunks };
    await writeFile(join(dir.path, 'slow.json'), sealedText(slow));
    await using app = await startVcrProcess({ config: { cassettes: dir.path }, args: ['--speed', speed] });
    const arrivedMs = await arrivals(app.port('proxy'), readCassette(slow));
    expect(arrivedMs.at(-1)).toBeGreaterThanOrEqual(dueMs);
    expect(arrivedMs.at(-1)).toBeLessThan(dueMs + 15_000);
  });

  it('explains a miss, refuses malformed JSON and unknown paths, and serves models and health', async () => {
    await using app = await startVcrProcess({ config: { admin: { port: 0 } } });
    const port = app.port('proxy');
    const miss = await sendForJson(port, ask('Which site is it?'));
    expect(miss).toMatchObject({
      status: 404,
      json: { error: { code: 'vcr_miss', param: 'messages[0].content' } },
    });
    expect(JSON.stringify(miss.json)).toContain('which-site');
    expect(await sendForJson(port, '{"model"')).toMatchObject({ status: 400 });
    expect(await sendForJson(port, ask(), { path: '/v1/nowhere' })).toMatchObject({ status: 404 });
    const models = await sendForJson(port, undefined, { method: 'GET', path: '/v1/models' });
    expect(models).toMatchObject({ status: 200, json: { data: [{ id: 'demo-model' }] } });
    const get = { method: 'GET' };
    expect(await sendForJson(port, undefined, { ...get, path: '/health' })).toMatchObject({ status: 200 });
    expect(await sendForJson(app.port('admin'), undefined, { ...get, path: '/readyz' })).toMatchObject({
      status: 200,
    });
    const metrics = await send(app.port('admin'), undefined, { ...get, path: '/metrics' });
    const text = (await metrics.body).toString('utf8');
    expect(text).toContain('switchyard_vcr_replies_total{hit="false",status="404"} 2\n');
    expect(text).toContain('switchyard_vcr_replies_total{hit="false",status="400"} 1\n');
    expect(text).toContain('switchyard_vcr_replies_total{hit="true",status="200"} 0\n');
  });

  it('writes one JSON line per reply', async () => {
    await using app = await startVcrProcess({ config: { instance: 'site-a', speed: 0 } });
    const port = app.port('proxy');
    const headers = { 'x-ai-provider-attribution': 'provider-a', 'x-ai-provider-request-id': 'req-1' };
    await (await send(port, ask(undefined, { user: 'anybody' }), { headers })).body;
    await (await send(port, ask('nothing like it'))).body;
    const lines = await waitUntil(() => replyLines(app).length === 2 && replyLines(app));
    expect(lines).toMatchObject([
      { n: 1, instance: 'site-a', cassette: 'which-site', hit: true, status: 200, attribution: 'provider-a' },
      { n: 2, instance: 'site-a', cassette: null, hit: false, status: 404, attribution: null },
    ]);
    expect(lines[0]).toMatchObject({
      providerRequestId: 'req-1',
      routingRevision: null,
      traceId: null,
      stream: false,
    });
    expect(app.stdout.join('\n')).not.toContain('Which site');
  });

  it('stops a replay when the client leaves, and lives on', async () => {
    // Five hundred times slower than recorded: the first byte is due after 20 seconds, the last after 80.
    await using app = await startVcrProcess({ args: ['--speed', '0.002'] });
    let abort: () => void = () => {};
    const sent = send(app.port('proxy'), ask(undefined, { stream: true }), {
      onSent: (how) => (abort = how),
    });
    const leaving = expect(sent).rejects.toThrow();
    // Long enough for the request to have been read, on a busy machine too.
    setTimeout(() => abort(), 1500);
    await leaving;
    const [line] = await waitUntil(() => replyLines(app).length > 0 && replyLines(app));
    expect(line).toMatchObject({ aborted: true, cassette: 'which-site-stream', status: 499, bytes: 0 });
    expect(line?.durationMs).toBeLessThan(15_000);
    expect(await app.stop()).toBe(0);
  });
});
