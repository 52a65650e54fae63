import { describe, expect, it } from 'vitest';
import { startTraceView, type TraceViewOptions } from '../src/index.ts';
import { EventStream } from './support/event-stream.ts';
import { testView } from './support/view.ts';

describe('startTraceView', () => {
  it.each<[TraceViewOptions, string, string]>([
    [{ host: '0.0.0.0' }, 'not_loopback', 'can be reached from other machines'],
    [{ host: '192.168.1.4' }, 'not_loopback', 'set allowRemote'],
    [{ host: '127.evil.example' }, 'not_loopback', 'use 127.0.0.1'],
    [{ port: 65_536 }, 'invalid_options', 'port: expected a whole number from 0 to 65535'],
    [{ requestMs: 0 }, 'invalid_options', 'requestMs'],
    [{ receiver: { maxValues: 0 } }, 'invalid_options', 'receiver.maxValues'],
    [{ events: { maxEvents: 0 } }, 'invalid_options', 'events.maxEvents'],
    [{ store: { maxSpans: -1 } }, 'invalid_options', 'store.maxSpans'],
    [{ traceUrl: 'http://localhost:16686/trace/' }, 'invalid_options', 'no {traceId} in it'],
    [{ traceUrl: 'javascript:alert("{traceId}")' }, 'invalid_options', 'not an http or https URL'],
    [{ traceUrl: 'http://{traceId}.example/' }, 'invalid_options', 'stands in its host'],
    [{ traceUrl: 'http://me:secret@jaeger/{traceId}' }, 'invalid_options', 'credentials'],
    [{ traceUrl: 'localhost/{traceId}' }, 'invalid_options', 'not a URL'],
    [{ randomToken: () => 'too-short' }, 'invalid_options', 'at least 16 letters and digits'],
    [{ forwardTo: ['localhost:4318'] }, 'invalid_options', 'forwardTo[0]: expected an http or https URL'],
    [{ forwardTo: ['http://me:secret@x/'] }, 'invalid_options', 'credentials'],
  ])('%j: %s', async (options, code, message) => {
    const starting = startTraceView({ port: 0, pageDirectory: null, ...options });
    await expect(starting).rejects.toMatchObject({
      code,
      message: expect.stringContaining(message) as unknown,
    });
  });

  it('a port in use is named, with what to do', async () => {
    const view = await testView();
    await expect(testView({ port: view.port })).rejects.toMatchObject({
      code: 'address_in_use',
      message: expect.stringContaining('0 picks a free one') as unknown,
    });
  });

  it('listens on ::1 and says so in its URL', async () => {
    const view = await testView({ host: '::1' });
    expect(view.url).toBe(`http://[::1]:${view.port}/`);
    expect((await fetch(`${view.url}api/state`)).status).toBe(200);
  });

  it('told to, it listens where others can reach it, and still knows its names', async () => {
    const view = await testView({ host: '0.0.0.0', allowRemote: true });
    expect((await fetch(`http://127.0.0.1:${view.port}/api/state`)).status).toBe(200);
  });

  it('close ends open streams and frees the port; a second view can have it', async () => {
    const view = await testView();
    const stream = await EventStream.open(view);
    await stream.next('hello');
    const ended = new Promise((resolve) => stream.response.once('end', resolve));
    await view.close();
    await ended;
    await testView({ port: view.port });
  });

  it('clock and randomness are those given', async () => {
    const view = await testView({ randomToken: () => 'abcdefghijklmnopqrst' });
    expect(view.state()).toMatchObject({ token: 'abcdefghijklmnopqrst', epoch: 'abcdefghijkl' });
  });
});
