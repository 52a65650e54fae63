// Gateways and proxies of others on Node, from npm, installed on demand into ../peers.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, listening, PROXY_CORE, start } from '../lab/processes.mjs';

const room = new URL('../peers/', import.meta.url).pathname;

function peer({ name, module, args, headers, exact = true }) {
  return {
    name,
    exact,
    node: true,
    missing: () =>
      existsSync(join(room, 'node_modules'))
        ? undefined
        : 'it is not installed (cd benchmarks/gateway/peers && npm ci --ignore-scripts)',
    async start({ directory, targets, node = process.execPath, nodeArguments = [] }) {
      const port = await freePort();
      const [log, errors] = [join(directory, `peer-${port}.log`), join(directory, `peer-${port}.err`)];
      const child = start(node, [...nodeArguments, join(room, module), ...args(port, targets)], {
        core: PROXY_CORE,
        stdout: log,
        stderr: errors,
        env: { ...process.env, NODE_ENV: 'production' },
      });
      await listening(child, port, errors);
      return { port, pid: child.pid, log, headers: headers?.(targets), stop: () => child.stop() };
    },
  };
}

/** Balances at random over targets that each request names, so its split is even only on average. */
export const portkey = peer({
  name: 'Portkey gateway',
  exact: false,
  module: 'node_modules/@portkey-ai/gateway/build/start-server.js',
  args: (port) => [`--port=${port}`, '--headless'],
  headers: (targets) => [
    `X-Portkey-Config: ${JSON.stringify({
      strategy: { mode: 'loadbalance' },
      targets: targets.map((target) => ({
        provider: 'openai',
        api_key: 'sk-bench',
        custom_host: `http://127.0.0.1:${target}/v1`,
        weight: 1,
      })),
    })}`,
  ],
});

export const httpProxy3 = peer({
  name: 'http-proxy-3',
  module: 'http-proxy-3.mjs',
  args: (port, targets) => [port, ...targets].map(String),
});

export const fastifyProxy = peer({
  name: '@fastify/http-proxy',
  module: 'fastify-http-proxy.mjs',
  args: (port, targets) => [port, ...targets].map(String),
});
