import { createScreen, UsageError } from '@switchyard/demo-kit';
import { HELP } from './cli/help.ts';
import { readCommand } from './cli/options.ts';
import { runCommand } from './run/run-command.ts';
import { verifyCommand } from './verify/verify-command.ts';

const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** Runs the demo's command line and returns the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const command = readCommand(argv, process.env);
  if (command.command === 'help') {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const screen = createScreen({ stream: process.stdout, env: process.env, silent: command.json });
  return command.command === 'verify' ? verifyCommand(command, screen) : runCommand(command, screen);
}

// A reader that leaves (`demo:drain | head`) must not turn a verdict into a crash: what nobody reads is dropped.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const usage = error instanceof UsageError;
  process.stderr.write(
    `demo:drain: ${(error as Error).message}\n${usage ? 'Try: pnpm demo:drain --help\n' : ''}`,
  );
  process.exitCode = usage ? EXIT.usage : EXIT.failure;
}
