import { Writable } from 'node:stream';
import { CREDENTIAL_HEADERS } from '@switchyard/proxy-core-http';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/index.ts';

type Line = Record<string, unknown>;

function capture(env: NodeJS.ProcessEnv = {}): { log: ReturnType<typeof createLogger>; lines: Line[] } {
  const lines: Line[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Line);
      done();
    },
  });
  return { log: createLogger({ name: 'app', env, destination }), lines };
}

describe('createLogger', () => {
  it('writes JSON lines with level, time, app, pid and msg', () => {
    const { log, lines } = capture();
    log.info({ port: 1 }, 'hello');
    const [line] = lines;
    expect(Object.keys(line ?? {})).toEqual(['level', 'time', 'app', 'pid', 'port', 'msg']);
    expect(line).toMatchObject({ level: 'info', app: 'app', pid: process.pid, port: 1, msg: 'hello' });
    expect(line?.['time']).toMatch(/^\d{4}-.*Z$/);
  });

  it('follows LOG_LEVEL, in any case; empty is unset', () => {
    for (const [level, messages] of [
      ['ERROR', ['e']],
      ['debug', ['d', 'i', 'e']],
      ['', ['i', 'e']],
      ['silent', []],
    ] as const) {
      const { log, lines } = capture({ LOG_LEVEL: level });
      log.debug('d');
      log.info('i');
      log.error('e');
      expect(lines.map((line) => line['msg'])).toEqual(messages);
    }
  });

  it('refuses a level and a format that do not exist, and names those that do', () => {
    expect(() => capture({ LOG_LEVEL: 'verbose' })).toThrow(
      'LOG_LEVEL: found "verbose", expected trace, debug, info, warn, error, fatal, silent',
    );
    expect(() => capture({ LOG_FORMAT: 'xml' })).toThrow(
      'LOG_FORMAT: found "xml", expected auto, json, pretty',
    );
  });

  const names = [...CREDENTIAL_HEADERS, 'set-cookie', 'set-cookie2', 'proxy-authentication-info'];
  it.each(names.flatMap((name) => [name, name.toUpperCase()]))('never writes the value of %s', (name) => {
    const { log, lines } = capture();
    const error = Object.assign(new Error('refused'), { headers: { [name]: 's3cret' } });
    log.info({ [name]: 's3cret', headers: { [name]: 's3cret', host: 'h' } }, 'object');
    log.info({ request: { head: { headers: { [name]: ['s3cret'] } } } }, 'deep');
    log.info({ rawHeaders: ['Host', 'h', name, 's3cret', 'Accept', name] }, 'flat list');
    log.info({ pairs: [[name, 's3cret']] }, 'pairs');
    log.child({ headers: { [name]: 's3cret' } }).info('child');
    log
      .child({ a: 1 })
      .child({ [name]: 's3cret' }, { level: 'debug' })
      .debug('grandchild');
    log.error({ err: error }, 'error');
    log.error(error);
    expect(lines).toHaveLength(8);
    expect(JSON.stringify(lines)).not.toContain('s3cret');
    expect(lines[0]).toMatchObject({ headers: { [name]: '[redacted]', host: 'h' } });
    expect(lines[2]).toMatchObject({ rawHeaders: ['Host', 'h', name, '[redacted]', 'Accept', name] });
  });

  it('leaves the logged object as it was, and copes with cycles', () => {
    const { log, lines } = capture();
    const request: Record<string, unknown> = { headers: { cookie: 'a=b' } };
    request['self'] = request;
    log.info({ request }, 'cycle');
    expect(request['headers']).toEqual({ cookie: 'a=b' });
    expect(lines).toHaveLength(1);
    expect(JSON.stringify(lines)).not.toContain('a=b');
  });
});
