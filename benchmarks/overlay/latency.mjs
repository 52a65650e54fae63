// What a reload adds to the latency of the requests that come meanwhile. Requests are sent by the clock, whatever became
// of those before, and their latency counts from the moment they were due: a server that stands still looks slow.
import { spawn } from 'node:child_process';
import { rename, writeFile } from 'node:fs/promises';
import http from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as pause } from 'node:timers/promises';
import { ms, quantile, table } from '../figures.mjs';
import { makeDocument } from './documents.mjs';

const RATE = 400;
const WINDOW_MS = 600;
/** So many that p99.9 is the 17th-worst request: fewer tell more of the machine than of the reload. */
const WINDOWS = 88;

/** A router on its own, by where it reads large overlays and how many models are asked for in turn; and the app. */
const SERVERS = ['router, inline, 10', 'router, worker, 10', 'router, worker, 1000', 'consumer gateway'];

/** Measures each server with and without reloads, in alternating windows. Returns a Markdown table. */
export async function measureLatency(directory, size) {
  const rows = [];
  for (const what of SERVERS) {
    const { quiet, reloading } = await windowsOf(what, directory, size);
    const at = (share) => [quantile(quiet, share), quantile(reloading, share)];
    const [p50, p99, p999] = [at(0.5), at(0.99), at(0.999)];
    rows.push([
      what,
      String(reloading.length),
      ...p50.map(ms),
      ...p99.map(ms),
      ...p999.map(ms),
      ms(p999[1] - p999[0]),
      ms(Math.max(...reloading)),
    ]);
  }
  return table(
    [
      'server',
      'requests',
      'p50 quiet, ms',
      'p50 reloading',
      'p99 quiet',
      'p99 reloading',
      'p99.9 quiet',
      'p99.9 reloading',
      'added',
      'worst reloading',
    ],
    rows,
  );
}

async function windowsOf(what, directory, size) {
  const file = join(directory, `latency-${what.replaceAll(/\W+/g, '-')}.json`);
  await writeFile(file, makeDocument(size).bytes);
  const { port, accepted, request, stop } = await (what === 'consumer gateway'
    ? startGateway(file, directory)
    : startServer(file, what.split(', ').slice(1)));
  const documents = [1, 2].map((salt) => makeDocument(size, salt));
  const agent = new http.Agent({ keepAlive: true, maxSockets: 64 });
  const load = startLoad(port, request, agent);
  await pause(2000);
  const quiet = [];
  const reloading = [];
  for (let i = 0; i < WINDOWS; i++) {
    quiet.push(...(await load.during(() => pause(WINDOW_MS))));
    const { bytes, revision } = documents[i % 2];
    // Written before the window: it is the reading that is measured.
    await writeFile(`${file}.new`, bytes);
    const latencies = await load.during(async () => {
      const seen = accepted(revision);
      await rename(`${file}.new`, file);
      await Promise.all([seen, pause(WINDOW_MS)]);
    });
    if (i >= 4) reloading.push(...latencies);
  }
  load.stop();
  // Those on their way may end; cut off, they would count as failures.
  await pause(1000);
  agent.destroy();
  await stop();
  return { quiet, reloading };
}

function startLoad(port, options, agent) {
  const began = performance.now();
  let sent = 0;
  let sink = [];
  const send = (due) => {
    const into = sink;
    const request = http.request({ port, host: '127.0.0.1', agent, ...options.head }, (response) => {
      response.resume().on('end', () => into.push(performance.now() - due));
      if (response.statusCode !== 200) throw new Error(`status ${response.statusCode}`);
    });
    request.end(options.body);
  };
  const timer = setInterval(() => {
    for (; began + (sent * 1000) / RATE <= performance.now(); sent++) send(began + (sent * 1000) / RATE);
  }, 1);
  return {
    /** The latencies of the requests that were due meanwhile. */
    async during(work) {
      const mine = [];
      sink = mine;
      await work();
      sink = [];
      await pause(100);
      return mine;
    },
    stop: () => clearInterval(timer),
  };
}

/** Starts a process; `event` resolves with the first line of JSON, on either output, that matches. */
function startProcess(args) {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const waiting = new Set();
  for (const stream of [child.stdout, child.stderr]) {
    createInterface({ input: stream }).on('line', (line) => {
      if (!line.startsWith('{')) return;
      const event = JSON.parse(line);
      for (const wait of waiting) if (wait.matches(event) && waiting.delete(wait)) wait.resolve(event);
    });
  }
  return {
    event: (matches) => new Promise((resolve) => waiting.add({ matches, resolve })),
    stop: () =>
      new Promise((resolve) => {
        child.once('exit', resolve);
        child.kill('SIGTERM');
      }),
  };
}

const here = (name) => new URL(name, import.meta.url).pathname;

async function startServer(file, options) {
  const server = startProcess([here('server.mjs'), file, ...options]);
  const { port } = await server.event(({ type }) => type === 'listening');
  return {
    port,
    request: { head: { path: '/' } },
    accepted: (revision) => server.event((event) => event.type === 'accepted' && event.revision === revision),
    stop: server.stop,
  };
}

async function startGateway(file, directory) {
  const upstream = startProcess([here('upstream.mjs')]);
  const { port: target } = await upstream.event(({ type }) => type === 'listening');
  const config = join(directory, 'gateway.yaml');
  // Far more than serve any one model: what a reload tells of models is then not over at the first look.
  const clusters = Array.from({ length: 20 }, (_, i) => ({
    name: `provider-${i}`,
    endpoints: [{ url: `http://127.0.0.1:${target}` }],
  }));
  const routing = {
    overlayFile: file,
    overlayLimits: { bytes: 2 ** 30, candidates: 1_000_000 },
    reload: { debounceMs: 5 },
  };
  await writeFile(config, JSON.stringify({ listen: { port: 0 }, admin: { port: 0 }, routing, clusters }));
  const gateway = startProcess([here('../../apps/consumer-gateway/dist/main.js'), '--config', config]);
  const { port } = await gateway.event((event) => event.event === 'listening' && event.listener === 'proxy');
  return {
    port,
    request: {
      head: { method: 'POST', path: '/v1/chat/completions', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify({ model: 'organisation/model-7', messages: [{ role: 'user', content: 'hi' }] }),
    },
    accepted: (revision) =>
      gateway.event((event) => event.event === 'overlay_accepted' && event.revision === revision),
    stop: async () => {
      await gateway.stop();
      await upstream.stop();
    },
  };
}
