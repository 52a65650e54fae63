import { createScreen, type Screen } from './screen.ts';
import { UsageError } from './usage-error.ts';

const EXIT = { ok: 0, failure: 1, usage: 2 } as const;

/** A command that a demo runs. */
interface AnyCommand {
  readonly command: string;
  /** Print the result as JSON and nothing else. */
  readonly json?: boolean;
}

/** One demo's command line. */
export interface DemoCommandLine<Command extends AnyCommand> {
  /** As people type it, such as `pnpm demo`. */
  readonly name: string;
  /** Text of `--help`. */
  readonly help: string;
  /** @throws UsageError when the command line is wrong. */
  readonly read: (argv: readonly string[], env: NodeJS.ProcessEnv) => Command | { readonly command: 'help' };
  /** Runs a command and returns the exit code. */
  readonly run: (command: Command, screen: Screen) => Promise<number>;
}

/**
 * Runs a demo's command line: reads it, runs the command and sets the exit code of the process. 1 when it failed, 2 when
 * the command line was wrong; what was wrong goes to standard error, with what to do next.
 */
export async function demoMain<Command extends AnyCommand>(demo: DemoCommandLine<Command>): Promise<void> {
  // A reader that leaves (`demo | head`) must not turn a verdict into a crash: what nobody reads is dropped.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => undefined);
  try {
    process.exitCode = await answer(demo);
  } catch (error) {
    const usage = error instanceof UsageError;
    const hint = usage ? `Try: ${demo.name} --help\n` : '';
    process.stderr.write(`${demo.name.replace(/^pnpm /, '')}: ${(error as Error).message}\n${hint}`);
    process.exitCode = usage ? EXIT.usage : EXIT.failure;
  }
}

async function answer<Command extends AnyCommand>(demo: DemoCommandLine<Command>): Promise<number> {
  const command = demo.read(process.argv.slice(2), process.env);
  if (isHelp(command)) {
    process.stdout.write(demo.help);
    return EXIT.ok;
  }
  const screen = createScreen({ stream: process.stdout, env: process.env, silent: command.json === true });
  return demo.run(command, screen);
}

function isHelp(command: AnyCommand): command is { readonly command: 'help' } {
  return command.command === 'help';
}
