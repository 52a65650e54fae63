import { describe, expect, it } from 'vitest';
import { parseArguments } from '../../src/main/arguments.ts';

describe('parseArguments', () => {
  it.each([
    [['--config', 'a.yaml'], { kind: 'run', configFile: 'a.yaml', flags: {} }],
    [['-c', 'a.yaml'], { kind: 'run', configFile: 'a.yaml', flags: {} }],
    [['--config=a.yaml', '--check'], { kind: 'check', configFile: 'a.yaml', flags: {} }],
    [['--config=-odd.yaml'], { kind: 'run', configFile: '-odd.yaml', flags: {} }],
    [['--print-config', '--config', 'a.yaml'], { kind: 'print-config', configFile: 'a.yaml', flags: {} }],
    [['--help'], { kind: 'help' }],
    [['-h', '--nonsense'], { kind: 'help' }],
    [['--version'], { kind: 'version' }],
  ])('%j', (args, command) => {
    expect(parseArguments(args)).toEqual(command);
  });

  it.each([
    [[], 'missing --config FILE'],
    [['--check'], 'missing --config FILE'],
    [['--confg', 'a'], 'unknown option --confg, did you mean --config?'],
    [['--zzzzzz'], 'unknown option --zzzzzz'],
    [['--toString', '-c', 'a'], 'unknown option --toString'],
    [['--config'], '--config needs a FILE'],
    [['--config='], '--config needs a FILE'],
    [['--config', '--check'], '--config needs a FILE'],
    [['-c', 'a', '-c', 'b'], '--config was given twice, expected one'],
    [['-c', 'a', '--check=yes'], '--check takes no value, found "yes"'],
    [['-c', 'a', '--check', '--print-config'], 'found both --check and --print-config, expected one of them'],
    [['gateway.yaml'], 'unexpected argument "gateway.yaml"; did you mean --config gateway.yaml?'],
    [['-c', 'a', 'run'], 'unexpected argument "run"'],
  ])('%j is a usage error', (args, message) => {
    expect(parseArguments(args)).toEqual({ kind: 'usage_error', message });
  });
});
