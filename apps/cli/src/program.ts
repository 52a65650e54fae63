import { Command } from 'commander';
import type { CommandContext } from './commands/context.ts';
import { addDiff } from './commands/diff.ts';
import { addDigest } from './commands/digest.ts';
import { addExplain } from './commands/explain.ts';
import { addSimulate } from './commands/simulate.ts';
import { addValidate } from './commands/validate.ts';
import { EXAMPLES, EXIT_CODES_HELP } from './help.ts';
import { table, wrap } from './output/table.ts';
import { didYouMean, nearest } from './overlay/nearest.ts';
import { VERSION } from './version.ts';

/** The whole command line. Parsing throws CommanderError where commander alone would end the process. */
export function createProgram(context: CommandContext): Command {
  const program = new Command('switchyard')
    .version(VERSION, '-V, --version', 'print the version')
    .helpOption('-h, --help', 'print this help')
    .helpCommand('help [command]', 'print the help of a command')
    .exitOverride()
    .configureOutput({
      writeOut: (text) => context.stdout.write(text),
      writeErr: (text) => context.stderr.write(text),
      getOutHelpWidth: () => helpWidth(context),
      getErrHelpWidth: () => helpWidth(context),
      outputError: (text, write) => write(text.replace(/^error: /, 'switchyard: ')),
    });
  const overlay = program
    .command('overlay')
    .summary('look into routing overlays: validate, digest, diff, explain, simulate')
    .helpCommand('help [command]', 'print the help of a command');
  for (const add of [addValidate, addDigest, addDiff, addExplain, addSimulate]) add(overlay, context);

  addHelp(program, 'switchyard', context);
  addHelp(overlay, 'switchyard overlay', context);
  for (const command of overlay.commands) addHelp(command, `switchyard overlay ${command.name()}`, context);
  program.on('command:*', ([word = '']: readonly string[]) => {
    const verbs = overlay.commands.map((command) => command.name());
    const verb = verbs.find((name) => name === word) ?? nearest(word, verbs);
    const hint =
      didYouMean(word, ['overlay']) || (verb === undefined ? '' : ` Did you mean "overlay ${verb}"?`);
    program.error(`switchyard: unknown command '${word}'.${hint}`);
  });
  return program;
}

/** Columns for help that goes to no terminal. */
const HELP_WIDTH = 100;

function helpWidth({ stdout }: CommandContext): number {
  return stdout.columns || HELP_WIDTH;
}

/** Examples come first: most people want one of these and a small change. */
function addHelp(command: Command, typed: string, context: CommandContext): void {
  const { about, lines } = EXAMPLES[command.name()] ?? { about: '', lines: [] };
  const width = helpWidth(context);
  const before = [...wrap(about, width), '', 'Examples', ...table(lines, { width }), ''];
  const after = ['', 'Exit codes', ...table(EXIT_CODES_HELP, { width })];
  command
    .showHelpAfterError(`Try: ${typed} --help`)
    .addHelpText('before', before.join('\n'))
    .addHelpText('after', after.join('\n'));
}
