import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/main/arguments.ts';
import { helpText } from '../../src/main/help.ts';

const flags = {
  speed: {
    value: 'N',
    help: 'pace of the replay',
    check: (text: string) => (Number.isFinite(Number(text)) ? undefined : 'needs a number'),
  },
  once: { help: 'end after the first' },
};

describe("an app's own options", () => {
  it('reach the app by name, next to the common ones', () => {
    const command = parseArguments(['--speed', '10', '--config', 'a.yaml'], flags);
    expect(command).toEqual({ kind: 'run', configFile: 'a.yaml', flags: { speed: '10' } });
    expect(parseArguments(['--config', 'a.yaml', '--check'], flags)).toMatchObject({
      kind: 'check',
      flags: {},
    });
  });

  it('without a value they are switches, and what follows is an argument of its own', () => {
    for (const args of [
      ['--once', '-c', 'a.yaml'],
      ['-c', 'a.yaml', '--once'],
    ]) {
      expect(parseArguments(args, flags)).toEqual({
        kind: 'run',
        configFile: 'a.yaml',
        flags: { once: '' },
      });
    }
  });

  it.each([
    [['--once=yes'], '--once takes no value, found "yes"'],
    [['--once', 'yes'], 'unexpected argument "yes"'],
    [['--onec'], 'unknown option --onec, did you mean --once?'],
    [['--speed'], '--speed needs a N'],
    [['--speed', '--check'], '--speed needs a N'],
    [['--speed', 'fast'], '--speed needs a number, found "fast"'],
    [['--speed=1', '--speed=2'], '--speed was given twice, expected one'],
    [['--sped', '1'], 'unknown option --sped, did you mean --speed?'],
  ])('%j is a usage error', (args, message) => {
    expect(parseArguments(['-c', 'a.yaml', ...args], flags)).toEqual({ kind: 'usage_error', message });
  });

  it('are unknown to an app that has none', () => {
    expect(parseArguments(['--speed', '1', '-c', 'a.yaml'])).toMatchObject({ kind: 'usage_error' });
  });

  it('stand in the help text', () => {
    const text = helpText({ name: 'app', version: '1', summary: 'does', examples: [], flags });
    expect(text).toContain(
      '      --speed N       pace of the replay\n      --once          end after the first\n',
    );
  });
});
