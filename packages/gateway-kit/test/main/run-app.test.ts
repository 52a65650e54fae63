// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the config files under test hold ${ENV} references.
import { spawn } from 'node:child_process';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { closeServer, listen } from '../../src/index.ts';
import { configFile, fixtureArguments, runFixture, startFixture } from '../support/fixture-app.ts';

const GOOD = 'listen: { port: 0 }\nadmin: { port: 0 }\n';

describe.concurrent('commands that end by themselves', { timeout: 60_000 }, () => {
  it('--help: usage, examples, exit codes; 0', async () => {
    const { code, stdout, stderr } = await runFixture(['--help']);
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain('Usage: fixture-app --config FILE');
    expect(stdout).toContain('  fixture-app --config app.yaml');
    expect(stdout).toContain('5 port in use');
  });

  it('--version; 0', async () => {
    expect(await runFixture(['--version'])).toEqual({ code: 0, stdout: '1.2.3', stderr: '' });
  });

  it('--print-telemetry: what the app exposes as JSON, without a config; 0', async () => {
    const { code, stdout } = await runFixture(['--print-telemetry']);
    expect(code).toBe(0);
    const described = JSON.parse(stdout) as { metrics: { name: string; runtime: boolean }[] };
    expect(described).toMatchObject({ app: 'fixture-app', spans: [] });
    expect(described.metrics).toContainEqual(
      expect.objectContaining({ name: 'process_cpu_seconds_total', unit: 'seconds', runtime: true }),
    );
  });

  it('a log level or format that does not exist: 3, with those that do', async () => {
    await using file = await configFile('listen: { port: 0 }\n');
    const { code, stderr } = await runFixture(['--config', file.path], { LOG_FORMAT: 'xml' });
    expect({ code, stderr }).toEqual({
      code: 3,
      stderr: 'fixture-app: LOG_FORMAT: found "xml", expected auto, json, pretty',
    });
  });

  it('a usage error: 2, with what to do', async () => {
    const { code, stdout, stderr } = await runFixture(['--cofnig', 'x']);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr.split('\n')).toEqual([
      'fixture-app: unknown option --cofnig, did you mean --config?',
      'Usage: fixture-app --config FILE [--check | --print-config]',
      'Try: fixture-app --help',
    ]);
  });

  it('--check of a good file: "FILE: ok", 0', async () => {
    await using file = await configFile(GOOD);
    expect(await runFixture(['--config', file.path, '--check'])).toEqual({
      code: 0,
      stdout: `${file.path}: ok`,
      stderr: '',
    });
  });

  it('a bad config: 3 with every issue, for --check and for a run', async () => {
    await using file = await configFile('listen: { port: x }\nlisen: 1\n');
    for (const args of [['--check'], []]) {
      const { code, stdout, stderr } = await runFixture(['--config', file.path, ...args]);
      expect({ code, stdout }).toEqual({ code: 3, stdout: '' });
      expect(stderr.split('\n')).toEqual([
        `${file.path}: 2 problems`,
        `  ${file.path}:1:17: listen.port: expected a number, found "x"`,
        `  ${file.path}:2:1: lisen: unknown key, did you mean "listen"?`,
      ]);
    }
  });

  it('--print-config: the effective config, masked; 0', async () => {
    await using file = await configFile('listen: { port: ${PORT} }\napiKey: ${KEY}\n');
    const { code, stdout } = await runFixture(['--config', file.path, '--print-config'], {
      PORT: '81',
      KEY: 'hunter2',
    });
    expect({ code, lines: stdout.split('\n') }).toEqual({
      code: 0,
      lines: ['listen:', '  host: 127.0.0.1', '  port: 81', 'clusters: []', 'apiKey: "[redacted]"'],
    });
  });

  it('--print-config masks what sounds secret, although the app forgot to', async () => {
    await using file = await configFile('listen: { port: 1 }\nadminToken: hunter2\nmaxTokens: 5\n');
    const { stdout } = await runFixture(['--config', file.path, '--print-config']);
    expect(stdout).toContain('adminToken: "[redacted]"\nmaxTokens: 5');
  });

  it('a port in use: 5, naming the address and the way out', async () => {
    const taken = createServer();
    const port = await listen(taken, { host: '127.0.0.1', port: 0 });
    await using file = await configFile(`listen: { port: ${port} }\nadmin: { port: 0 }\n`);
    const { code, stderr } = await runFixture(['--config', file.path]);
    await closeServer(taken, 0);
    expect({ code, stderr }).toEqual({
      code: 5,
      stderr: `fixture-app: 127.0.0.1:${port} is already in use: another process listens there. Stop it, or choose another port (0 picks a free one).`,
    });
  });

  it('a start that throws: 1, with the reason in the log', async () => {
    await using file = await configFile(`${GOOD}misbehave: throw\n`);
    const { code, stderr } = await runFixture(['--config', file.path]);
    expect(code).toBe(1);
    expect(JSON.parse(stderr)).toMatchObject({
      level: 'fatal',
      msg: 'could not start',
      err: { message: 'cannot come up' },
    });
  });

  it('an exception nobody caught: 1, logged', async () => {
    await using file = await configFile(`${GOOD}misbehave: crash_later\n`);
    const { code, stderr } = await runFixture(['--config', file.path]);
    expect(code).toBe(1);
    expect(stderr).toContain('"msg":"uncaught exception: ending"');
    expect(stderr).toContain('"message":"late"');
  });

  it('an app whose work is done: closed without a signal, 0', async () => {
    await using file = await configFile(`${GOOD}misbehave: finish\n`);
    const { code, stderr } = await runFixture(['--config', file.path]);
    expect(code).toBe(0);
    expect(stderr).toContain('"msg":"stopped"');
  });

  it('stdout closed by its reader is no failure', async () => {
    const child = spawn(process.execPath, fixtureArguments('app.ts', ['--help']), {
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child.stdout.destroy();
    let stderr = '';
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk.toString();
    });
    const code = await new Promise((resolve) => child.once('close', resolve));
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  });
});

describe.concurrent('a running app', { timeout: 60_000 }, () => {
  it.each(['SIGTERM', 'SIGINT'] as const)('closes on %s and ends with 0', async (signal) => {
    await using file = await configFile(GOOD);
    await using app = await startFixture(file.path);
    const answer = await fetch(`http://127.0.0.1:${app.port}/`);
    expect(await answer.text()).toBe('hello\n');
    expect((await fetch(`http://127.0.0.1:${app.adminPort}/readyz`)).status).toBe(200);
    app.process.kill(signal);
    expect(await app.process.exited).toEqual({ code: 0, signal: null });
    expect(app.logged('shutting down; a second signal ends at once')).toMatchObject([{ signal }]);
    expect(app.logged('stopped')).toHaveLength(1);
  });

  it('resolves paths from the folder of its config file', async () => {
    await using file = await configFile(GOOD);
    await using app = await startFixture(file.path);
    await waitUntil(() => app.process.stdout.length === 3);
    expect(JSON.parse(app.process.stdout[2] ?? '')).toEqual({
      event: 'paths',
      data: join(file.path, '..', 'data'),
    });
  });

  it('that does not close in time ends with 1', async () => {
    await using file = await configFile(`${GOOD}misbehave: hang_on_close\n`);
    await using app = await startFixture(file.path, { FIXTURE_DEADLINE_MS: '100' });
    app.process.kill('SIGTERM');
    expect(await app.process.exited).toEqual({ code: 1, signal: null });
    expect(app.logged('shutdown did not finish in time: ending with work cut off')).toHaveLength(1);
  });

  it('that hangs ends at once at the second signal, with 128 + its number', async () => {
    await using file = await configFile(`${GOOD}misbehave: hang_on_close\n`);
    await using app = await startFixture(file.path);
    app.process.kill('SIGTERM');
    await waitUntil(() => app.logged('shutting down; a second signal ends at once').length === 1);
    app.process.kill('SIGINT');
    expect(await app.process.exited).toEqual({ code: 130, signal: null });
  });

  it('that fails to close ends with 1', async () => {
    await using file = await configFile(`${GOOD}misbehave: fail_on_close\n`);
    await using app = await startFixture(file.path);
    app.process.kill('SIGTERM');
    expect(await app.process.exited).toEqual({ code: 1, signal: null });
    expect(app.logged('closing failed')).toMatchObject([{ err: { message: 'stuck' } }]);
  });

  it('closes when the signal came while it still started', async () => {
    await using file = await configFile(`${GOOD}misbehave: slow_start\n`);
    const child = spawn(process.execPath, fixtureArguments('app.ts', ['-c', file.path]), {
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    child.stdout.once('data', () => child.kill('SIGTERM'));
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0);
  });

  it('keeps credentials out of its log', async () => {
    await using file = await configFile(`${GOOD}misbehave: log_secrets\n`);
    await using app = await startFixture(file.path);
    expect(app.logged('a request')).toMatchObject([{ headers: { Authorization: '[redacted]' } }]);
    expect(app.process.stderr.join('\n')).not.toContain('hunter2');
  });
});
