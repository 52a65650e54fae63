import { UsageError } from '@switchyard/demo-kit';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../src/cli/options.ts';

const env = { INIT_CWD: '/somewhere' };

describe('readCommand', () => {
  it('knows the defaults', () => {
    expect(readCommand([], env)).toEqual({
      command: 'run',
      requests: 60,
      policy: 'round_robin',
      seed: null,
      keep: false,
      out: null,
      json: false,
    });
  });

  it('the page is there when it is asked for, and its options have no effect without it', () => {
    expect(readCommand([], env)).not.toHaveProperty('ui');
    expect(readCommand(['--ui'], env)).toMatchObject({ ui: { port: 0, traceUrl: null, forwardTo: null } });
    const all = [
      '--ui',
      '--ui-port',
      '8090',
      '--trace-url',
      'http://j/{traceId}',
      '--forward-otlp',
      'http://o',
    ];
    expect(readCommand(all, env)).toMatchObject({
      ui: { port: 8090, traceUrl: 'http://j/{traceId}', forwardTo: 'http://o' },
    });
  });

  it('takes folders from where the user stands', () => {
    expect(readCommand(['--out', 'proof'], env)).toMatchObject({ out: '/somewhere/proof' });
    expect(readCommand(['verify', 'proof', '--json'], env)).toEqual({
      command: 'verify',
      directory: '/somewhere/proof',
      json: true,
    });
  });

  it.each([
    [['--requests', '0'], '--requests must be a whole number from 1 to 10000'],
    [['--requests', '1e3'], '--requests must be a whole number'],
    [['--seed', '-1'], 'seed'],
    [['--policy', 'roundRobin'], '--policy must be one of round_robin, random, deterministic'],
    [['--ui-port', '8090'], '--ui-port has no effect without --ui'],
    [['--ui', '--trace-url', 'http://j'], '--trace-url must contain {traceId}'],
    [['--nonsense'], 'nonsense'],
    [['verify'], 'verify needs the evidence folder'],
    [['verify', 'a', 'b'], 'one folder'],
    [['walk'], 'unknown command: walk'],
  ])('%j is a usage error', (argv, message) => {
    expect(() => readCommand(argv, env)).toThrow(UsageError);
    expect(() => readCommand(argv, env)).toThrow(message);
  });
});
