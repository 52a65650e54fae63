import { startApp, startFaultUpstream, waitUntil } from '@switchyard/test-kit';
import { expect, it } from 'vitest';
import { BODY, CHAT, config, HOP } from './helpers.ts';

const STREAM = BODY.replace('{', '{"stream":true,');

it('told to stop, it is unhealthy at once, serves on for delayMs, finishes a stream and ends with 0', {
  timeout: 60_000,
}, async () => {
  await using backend = await startFaultUpstream({ mode: 'pace:400' });
  await using gateway = await startApp({
    app: 'provider-gateway',
    config: config(backend, { shutdown: { delayMs: 2000, drainMs: 30_000 } }),
  });
  const proxy = `http://127.0.0.1:${gateway.port('proxy')}`;
  const ask = (body: string): Promise<Response> =>
    fetch(proxy + CHAT, { method: 'POST', headers: HOP, body });
  expect((await fetch(`${proxy}/health`)).status).toBe(200);
  const stream = await ask(STREAM);
  gateway.signal('SIGTERM');
  await waitUntil(() => gateway.stderr.some((line) => line.includes('"msg":"shutting down')));
  expect((await fetch(`${proxy}/health`)).status).toBe(503);
  expect((await fetch(`http://127.0.0.1:${gateway.port('admin')}/readyz`)).status).toBe(503);
  const late = await ask(BODY);
  expect([late.status, late.headers.get('connection')]).toEqual([200, 'close']);
  expect(await stream.text()).toMatch(/data: \[DONE\]\n\n$/);
  expect(await gateway.exited).toEqual({ code: 0, signal: null });
});

it('what it may not hold together with other bodies is a 503 that says when to come back', {
  timeout: 60_000,
}, async () => {
  await using backend = await startFaultUpstream();
  await using gateway = await startApp({
    app: 'provider-gateway',
    config: config(backend, { limits: { requestBodyBytes: 100_000, bufferedBytes: 100_000 } }),
  });
  const large = JSON.stringify({ model: 'demo-model', prompt: 'x'.repeat(60_000) });
  const ask = (body: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${gateway.port('proxy')}${CHAT}`, { method: 'POST', headers: HOP, body });
  backend.next('slow:3000');
  const first = ask(large);
  await backend.waitForRequest();
  const refused = await ask(large);
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '1']);
  expect(await refused.json()).toMatchObject({ error: { code: 'gateway_busy' } });
  expect((await first).status).toBe(200);
  expect((await ask(large)).status).toBe(200);
  expect(backend.requests).toHaveLength(2);
});
