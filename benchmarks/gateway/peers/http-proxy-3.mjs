// http-proxy-3 over three targets in turn, upstream connections kept: node http-proxy-3.mjs PORT TARGET...
import http from 'node:http';
import { createProxyServer } from 'http-proxy-3';

const [port, ...targets] = process.argv.slice(2).map(Number);
const proxy = createProxyServer({ agent: new http.Agent({ keepAlive: true }) });
let turn = 0;
proxy.on('error', (_error, _request, response) => response.writeHead?.(502).end());
const server = http.createServer((request, response) => {
  proxy.web(request, response, { target: `http://127.0.0.1:${targets[turn++ % targets.length]}` });
});
server.keepAliveTimeout = 60_000;
server.listen({ port, host: '127.0.0.1', backlog: 4096 });
