// The backend and the load generator: small C programs, so that neither is ever the bottleneck, compiled when the benchmark runs.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { LOAD_CORE, start } from './processes.mjs';

const source = (name) => new URL(`../native/${name}.c`, import.meta.url).pathname;

/** Compiles both programs into the directory. @throws Error that says what to install when there is no compiler. */
export function compile(directory) {
  const programs = {};
  for (const name of ['backend', 'load']) {
    programs[name] = join(directory, name);
    try {
      execFileSync('cc', ['-O2', '-o', programs[name], source(name)], {
        stdio: ['ignore', 'ignore', 'pipe'],
      });
    } catch (error) {
      const why =
        error.code === 'ENOENT'
          ? 'there is no `cc`; install a C compiler (Debian: gcc libc6-dev)'
          : error.stderr;
      throw new Error(`the load generator cannot be compiled: ${why}`);
    }
  }
  return programs;
}

/** Starts three providers and a sink for traces in one process. `ask` sends a command and returns what was counted until then. */
export async function startBackend(program) {
  const child = start(program, ['3'], { core: LOAD_CORE, stdin: 'pipe', stdout: 'pipe', stderr: 'inherit' });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const next = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the backend ended');
    return JSON.parse(value);
  };
  const { ports, sink } = await next();
  const ask = (command) => {
    child.stdin.write(`${command}\n`);
    return next();
  };
  return { ports, sink, ask, stop: () => child.stop() };
}

/**
 * A request of a given body size as the load generator reads it: the model first, then one long message, as clients write them.
 * `@@@@@@@@` becomes the session's number.
 */
export function writeRequest(directory, { name, port, bodyBytes, stream = false, headers = [] }) {
  const parts = [`{"model":"bench-model","stream":${stream},"messages":[{"role":"user","content":"`, '"}]}'];
  const words = 'All the traffic of one model is shared by providers that serve it equally well. ';
  const fill = words.repeat(Math.ceil(bodyBytes / words.length)).slice(0, bodyBytes - parts.join('').length);
  const body = parts.join(fill);
  const head = [
    'POST /v1/chat/completions HTTP/1.1',
    `Host: 127.0.0.1:${port}`,
    'User-Agent: OpenAI/JS 6.49.0',
    'Accept: application/json',
    'Content-Type: application/json',
    'Authorization: Bearer sk-bench-0123456789abcdef',
    'X-Session-Id: bench-@@@@@@@@',
    ...headers,
    `Content-Length: ${Buffer.byteLength(body)}`,
    '\r\n',
  ].join('\r\n');
  const file = join(directory, `${name}.request`);
  writeFileSync(file, head + body);
  return { file, head: head.length, bodyBytes: Buffer.byteLength(body) };
}

/** Runs the load generator once. `options` are its arguments, see native/load.c. Times are microseconds. */
export function startLoad(program, request, options) {
  const args = Object.entries({ request: request.file, head: request.head, ...options });
  const child = start(
    program,
    args.map(([name, value]) => `${name}=${value}`),
    {
      core: LOAD_CORE,
      stdout: 'pipe',
      stderr: 'inherit',
    },
  );
  const result = (async () => {
    let text = '';
    for await (const chunk of child.stdout) text += chunk;
    if (text === '') throw new Error('the load generator ended without a result');
    return JSON.parse(text);
  })();
  return { result, stop: () => child.stop() };
}
