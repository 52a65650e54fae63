import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { createLogger } from '../../src/index.ts';

const ESCAPE = '\u001b';

/** The text that one logger writes while `use` has it. */
function written(
  options: { env?: NodeJS.ProcessEnv; terminal: boolean },
  use: (log: ReturnType<typeof createLogger>) => void,
): string {
  let text = '';
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      done();
    },
  });
  use(createLogger({ name: 'app', env: {}, destination, ...options }));
  return text;
}

describe('on a terminal', () => {
  it('a line is for people: time, level, message, fields, without app and pid', () => {
    const text = written({ terminal: true, env: { NO_COLOR: '1' } }, (log) =>
      log.warn({ port: 1, path: '/v1/models', said: 'two words', list: ['a'] }, 'hello'),
    );
    expect(text).toMatch(
      /^\d\d:\d\d:\d\d\.\d{3} WARN {2}hello port=1 path=\/v1\/models said="two words" list=\["a"\]\n$/,
    );
  });

  it('has colours, unless NO_COLOR says no', () => {
    expect(written({ terminal: true }, (log) => log.info('hello'))).toContain(ESCAPE);
    expect(written({ terminal: true, env: { NO_COLOR: '' } }, (log) => log.info('hello'))).toContain(ESCAPE);
    expect(written({ terminal: true, env: { NO_COLOR: '0' } }, (log) => log.info('hello'))).not.toContain(
      ESCAPE,
    );
  });

  it('shows the stack of an error below the line, with its secrets redacted', () => {
    const error = Object.assign(new Error('refused'), { headers: { authorization: 's3cret' } });
    const text = written({ terminal: true, env: { NO_COLOR: '1' } }, (log) => {
      log.error({ err: error, headers: { cookie: 's3cret' } }, 'failed');
    });
    expect(text).toMatch(/ERROR failed headers=\{"cookie":"\[redacted\]"\}\n {4}Error: refused\n {4} +at /);
    expect(text).not.toContain('s3cret');
  });

  it('a foreign text cannot steer the terminal', () => {
    const text = written({ terminal: true, env: { NO_COLOR: '1' } }, (log) =>
      log.info({ model: `${ESCAPE}[2Jgone` }, `hi${ESCAPE}[2J`),
    );
    expect(text).not.toContain(ESCAPE);
  });

  it('LOG_FORMAT=json keeps JSON', () => {
    const text = written({ terminal: true, env: { LOG_FORMAT: 'json' } }, (log) => log.info('hello'));
    expect(JSON.parse(text)).toMatchObject({ msg: 'hello' });
  });
});

describe('elsewhere', () => {
  it('a line is JSON; LOG_FORMAT=pretty makes it readable, without colours', () => {
    expect(JSON.parse(written({ terminal: false }, (log) => log.info('hello')))).toMatchObject({
      level: 'info',
      msg: 'hello',
    });
    const text = written({ terminal: false, env: { LOG_FORMAT: 'Pretty' } }, (log) => log.info('hello'));
    expect(text).toMatch(/^\S+ INFO {2}hello\n$/);
  });
});
