import { UsageError } from '@switchyard/demo-kit';
import { describe, expect, it } from 'vitest';
import { readCommand } from '../src/cli/options.ts';

const env = { INIT_CWD: '/somewhere' };

describe('the command line of demo:drain', () => {
  it('runs by default', () => {
    expect(readCommand([], env)).toEqual({ command: 'run', keep: false, out: null, json: false });
  });

  it('means folders from where the user stands', () => {
    expect(readCommand(['--out', 'proof'], env)).toMatchObject({ out: '/somewhere/proof' });
    expect(readCommand(['verify', 'proof'], env)).toMatchObject({ directory: '/somewhere/proof' });
  });

  it.each([[['verify']], [['verify', 'a', 'b']], [['dance']], [['--speed', '2']], [['run', 'x']]])(
    'refuses %j',
    (argv) => {
      expect(() => readCommand(argv, env)).toThrow(UsageError);
    },
  );
});
