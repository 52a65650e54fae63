// Sends the official exporter's bytes to a receiver in a process of its own, held to one core where `taskset` is there:
// first at a steady 10,000 spans per second, then as fast as it takes them. Says what arrived and what it cost.
//
//   pnpm turbo run build --filter=@switchyard/trace-view && node packages/trace-view/bench/sustained.mjs [SECONDS]
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { Agent, createServer, request } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { ROOT_CONTEXT, SpanKind, trace } from '@opentelemetry/api';
import { OTLPTraceExporter as JsonExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { OTLPTraceExporter as ProtobufExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import { InMemorySpanExporter, NodeTracerProvider, SimpleSpanProcessor } from '@opentelemetry/sdk-trace-node';

const RATE = 10_000;
const BATCH = 512;
/** Spans of one request across two gateways, client and backend included. */
const SPANS_PER_TRACE = 7;

if (process.argv[2] === 'receiver') await receive();
else await measure(Number(process.argv[2] ?? 10));

async function receive() {
  const { startTraceView } = await import('../dist/index.js');
  const view = await startTraceView({ port: 0, pageDirectory: null });
  process.on('message', () => {
    const { user, system } = process.cpuUsage();
    process.send({
      stats: view.store.stats(),
      cpuMs: (user + system) / 1000,
      rss: process.memoryUsage.rss(),
    });
  });
  process.on('disconnect', () => process.exit(0));
  process.send({ url: `${view.url}v1/traces` });
}

async function measure(seconds) {
  for (const [encoding, Exporter] of [
    ['protobuf', ProtobufExporter],
    ['json', JsonExporter],
  ]) {
    const bodies = await officialBodies(Exporter, seconds * RATE);
    const spans = bodies.reduce((sum, { spans }) => sum + spans, 0);
    console.log(`${encoding}: ${spans} spans in ${bodies.length} exports of ${bodies[0].body.length} bytes`);
    await phase('steady', encoding, bodies, 4, (n) => (n * BATCH * 1000) / RATE);
    await phase('flat out', encoding, bodies, 4, () => 0);
  }
}

/** Sends all bodies to a fresh receiver, each not before its time, over `connections` connections. */
async function phase(name, encoding, bodies, connections, dueMs) {
  const pinned = spawnSync('taskset', ['-c', '0', 'true']).status === 0;
  const self = [process.execPath, fileURLToPath(import.meta.url), 'receiver'];
  const [command, ...args] = pinned ? ['taskset', '-c', '0', ...self] : self;
  const child = spawn(command, args, { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const [{ url }] = await once(child, 'message');
  const ask = async () => {
    child.send('stats');
    return (await once(child, 'message'))[0];
  };
  const before = await ask();
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const started = performance.now();
  const tookMs = [];
  let refused = 0;
  let next = 0;
  const sender = async () => {
    for (let n = next++; n < bodies.length; n = next++) {
      const early = dueMs(n) - (performance.now() - started);
      if (early > 0) await sleep(early);
      const sent = performance.now();
      if ((await post(url, bodies[n], encoding, agent)) !== 200) refused += 1;
      tookMs.push(performance.now() - sent);
    }
  };
  await Promise.all(Array.from({ length: connections }, sender));
  const wallSeconds = (performance.now() - started) / 1000;
  const { stats, cpuMs, rss } = await ask();
  agent.destroy();
  child.disconnect();
  const sent = bodies.reduce((sum, { spans }) => sum + spans, 0);
  tookMs.sort((a, b) => a - b);
  const cpuSeconds = (cpuMs - before.cpuMs) / 1000;
  console.log(
    `  ${name.padEnd(8)} ${Math.round(sent / wallSeconds)} spans/s; taken ${stats.accepted} of ${sent}, exports refused ${refused}; ` +
      `${((cpuSeconds / wallSeconds) * 100).toFixed(0)} % of ${pinned ? 'the one core' : 'a core'}, ` +
      `${((cpuSeconds * 1e6) / sent).toFixed(1)} us CPU a span; answer p50 ${at(tookMs, 0.5)} ms, p99 ${at(tookMs, 0.99)} ms; rss ${(rss / 2 ** 20).toFixed(0)} MiB`,
  );
  if (stats.accepted !== sent) process.exitCode = 1;
}

function at(sorted, share) {
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))].toFixed(1);
}

async function post(url, { body }, encoding, agent) {
  const type = encoding === 'json' ? 'application/json' : 'application/x-protobuf';
  const headers = { 'content-type': type, 'content-length': body.length };
  const outgoing = request(url, { method: 'POST', agent, headers });
  outgoing.end(body);
  const [answer] = await once(outgoing, 'response');
  answer.resume();
  await once(answer, 'end');
  return answer.statusCode;
}

/** What the official exporter sends for spans like a gateway's, in batches. */
async function officialBodies(Exporter, spans) {
  const bodies = [];
  const server = createServer(async (incoming, response) => {
    bodies.push({ body: Buffer.concat(await incoming.toArray()), spans: BATCH });
    response.end();
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const exporter = new Exporter({ url: `http://127.0.0.1:${server.address().port}/v1/traces` });
  const memory = new InMemorySpanExporter();
  const provider = new NodeTracerProvider({
    resource: resourceFromAttributes({ 'service.name': 'gateway', 'service.instance.id': 'gateway-1' }),
    spanProcessors: [new SimpleSpanProcessor(memory)],
  });
  const tracer = provider.getTracer('bench', '1.0.0');
  const batches = Math.ceil(spans / BATCH);
  for (let batch = 0; batch < batches; batch++) {
    let context = ROOT_CONTEXT;
    for (let n = 0; n < BATCH; n++) {
      if (n % SPANS_PER_TRACE === 0) context = ROOT_CONTEXT;
      const span = tracer.startSpan('POST /v1/chat/completions', { kind: SpanKind.SERVER }, context);
      span.setAttributes({
        'http.request.method': 'POST',
        'http.route': '/v1/chat/completions',
        'http.response.status_code': 200,
        'routing.policy': 'round_robin',
        'routing.group': 0,
        'selected.provider': 'provider-a',
        'overlay.revision.serving': 'a'.repeat(64),
      });
      context = trace.setSpan(context, span);
      span.end();
    }
    await new Promise((resolve, reject) =>
      exporter.export(memory.getFinishedSpans(), ({ code, error }) =>
        code === 0 ? resolve() : reject(error),
      ),
    );
    memory.reset();
  }
  await exporter.shutdown();
  server.close();
  return bodies;
}
