import { HELP } from './cli/help.ts';
import { readCommand, UsageError } from './cli/options.ts';
import { createScreen } from './cli/screen.ts';
import { runCommand } from './run/run-command.ts';
import { verifyCommand } from './verify/verify-command.ts';

const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** Runs the demo's command line and sets the exit code. */
async function main(argv: readonly string[]): Promise<number> {
  const command = readCommand(argv, process.env);
  if (command.command === 'help') {
    process.stdout.write(HELP);
    return EXIT.ok;
  }
  const screen = createScreen({ stream: process.stdout, env: process.env, silent: command.json });
  return command.command === 'verify' ? verifyCommand(command, screen) : runCommand(command, screen);
}

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  const usage = error instanceof UsageError;
  process.stderr.write(`demo: ${(error as Error).message}\n${usage ? 'Try: pnpm demo --help\n' : ''}`);
  process.exitCode = usage ? EXIT.usage : EXIT.failure;
}
