import { Agent, createServer, get, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { waitUntil } from '@switchyard/test-kit';
import { afterEach, expect, it } from 'vitest';
import {
  createLogger,
  type OpenPort,
  openPort,
  type ResolvedShutdown,
  RunningRequests,
} from '../../src/index.ts';

const log = createLogger({ name: 'test', env: { LOG_LEVEL: 'silent' } });
const agents: Agent[] = [];
afterEach(() => {
  for (const agent of agents.splice(0)) agent.destroy();
});

interface Opened {
  /** Answers to `/held`, which the test ends. */
  readonly held: ServerResponse[];
  readonly stop: AbortController;
  readonly opened: OpenPort;
  readonly server: Server;
  ask(path: string): Promise<IncomingMessage>;
}

async function open(options: ResolvedShutdown): Promise<Opened> {
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/held') held.push(response);
    else response.end('done');
  });
  const stop = new AbortController();
  const opened = await openPort(server, {
    listen: { host: '127.0.0.1', port: 0 },
    stopping: stop.signal,
    shutdown: options,
    running: new RunningRequests(),
    log,
  });
  const agent = new Agent({ keepAlive: true });
  agents.push(agent);
  const ask = (path: string): Promise<IncomingMessage> =>
    new Promise((resolve, reject) => {
      get({ port: opened.port, host: '127.0.0.1', path, agent }, (response) => {
        response
          .resume()
          .on('end', () => resolve(response))
          .on('error', reject);
      }).on('error', reject);
    });
  return { held, stop, opened, ask, server };
}

it('says connection: close from the moment it is told to stop, and goes on accepting for delayMs', async () => {
  const { stop, opened, ask, server } = await open({ delayMs: 500, drainMs: 60_000 });
  expect((await ask('/')).headers.connection).toBe('keep-alive');
  stop.abort();
  expect((await ask('/')).headers.connection).toBe('close');
  const closed = opened.close();
  expect(server.listening).toBe(true);
  expect((await ask('/')).statusCode).toBe(200);
  await closed;
  await expect(ask('/')).rejects.toMatchObject({ code: 'ECONNREFUSED' });
});

it('lets a request that runs end, while no other is accepted', async () => {
  const { held, stop, opened, ask, server } = await open({ delayMs: 0, drainMs: 60_000 });
  const running = ask('/held');
  await waitUntil(() => held.length === 1);
  stop.abort();
  const closed = opened.close();
  await waitUntil(() => !server.listening);
  held[0]?.end('done');
  expect((await running).statusCode).toBe(200);
  await closed;
});

it('cuts off what does not end within drainMs', async () => {
  const { held, stop, opened, ask } = await open({ delayMs: 0, drainMs: 20 });
  const running = ask('/held').catch((error: unknown) => error);
  await waitUntil(() => held.length === 1);
  stop.abort();
  await opened.close();
  expect(await running).toMatchObject({ code: 'ECONNRESET' });
});

it('does not wait for balancers when it was not told to stop, such as after a failed start', async () => {
  const { opened } = await open({ delayMs: 86_400_000, drainMs: 0 });
  await opened.close();
});
