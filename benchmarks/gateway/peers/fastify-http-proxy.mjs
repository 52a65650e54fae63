// @fastify/http-proxy over three targets in turn: node fastify-http-proxy.mjs PORT TARGET...
import httpProxy from '@fastify/http-proxy';
import fastify from 'fastify';

const [port, ...targets] = process.argv.slice(2).map(Number);
const app = fastify({ keepAliveTimeout: 60_000, bodyLimit: 64 * 2 ** 20 });
let turn = 0;
await app.register(httpProxy, {
  upstream: '',
  undici: { connections: 1024 },
  replyOptions: { getUpstream: () => `http://127.0.0.1:${targets[turn++ % targets.length]}` },
});
await app.listen({ port, host: '127.0.0.1', backlog: 4096 });
