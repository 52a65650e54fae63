import { CommanderError } from 'commander';
import type { CommandContext } from './commands/context.ts';
import { EXIT } from './exit-codes.ts';
import { createProgram } from './program.ts';
import { UsageError } from './usage-error.ts';

/** Sets the exit code instead of ending the process, so that pipes are written out. */
async function main(argv: readonly string[]): Promise<void> {
  const { stdin, stdout, stderr, env } = process;
  for (const stream of [stdout, stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      // Whoever read the pipe has seen enough, as `head` does; the answer in the exit code stands.
      if (error.code !== 'EPIPE') throw error;
    });
  }
  const finish: CommandContext['finish'] = (code) => {
    process.exitCode = code;
  };
  try {
    await createProgram({ stdin, stdout, stderr, env, finish }).parseAsync(argv);
  } catch (error) {
    // Commander has said what is wrong, or printed the help or version that was asked for.
    if (error instanceof CommanderError) finish(error.exitCode === 0 ? EXIT.yes : EXIT.usage);
    else if (error instanceof UsageError) {
      stderr.write(`switchyard: ${error.message}\nTry: switchyard overlay --help\n`);
      finish(EXIT.usage);
    } else throw error;
  }
}

await main(process.argv);
