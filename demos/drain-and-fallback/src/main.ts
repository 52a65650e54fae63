import { demoMain } from '@switchyard/demo-kit';
import { HELP } from './cli/help.ts';
import { readCommand } from './cli/options.ts';
import { runCommand } from './run/run-command.ts';
import { verifyCommand } from './verify/verify-command.ts';

await demoMain({
  name: 'pnpm demo:drain',
  help: HELP,
  read: readCommand,
  run: (command, screen) =>
    command.command === 'verify' ? verifyCommand(command, screen) : runCommand(command, screen),
});
