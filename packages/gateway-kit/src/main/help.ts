import type { FlagDefinition } from './app-definition.ts';

/** What a help text speaks of. */
export interface HelpSubject {
  readonly name: string;
  readonly version: string;
  /** One sentence. */
  readonly summary: string;
  /** Complete command lines. */
  readonly examples: readonly string[];
  /** The app's own options. */
  readonly flags?: Readonly<Record<string, FlagDefinition>>;
}

/** The one line that usage errors repeat. */
export function usageLine(name: string): string {
  return `Usage: ${name} --config FILE [--check | --print-config]`;
}

/** The text of `--help`: usage, examples first, then options, environment and exit codes. */
export function helpText(subject: HelpSubject): string {
  const examples = subject.examples.length > 0 ? subject.examples : [`${subject.name} --config FILE`];
  return `${subject.name} ${subject.version}: ${subject.summary}

${usageLine(subject.name)}

Examples:
${examples.map((example) => `  ${example}`).join('\n')}

Options:
  -c, --config FILE   the YAML config file; \${NAME} and \${NAME:-default} in it are expanded
      --check         validate the config file, print "FILE: ok", and end
      --print-config  print the effective config as YAML, secrets masked, and end
      --print-telemetry  print every span, attribute, metric and label as JSON, and end
${flagLines(subject)}  -h, --help          print this text
  -v, --version       print the version

Environment:
  LOG_LEVEL           trace, debug, info (default), warn, error, fatal, silent; the log goes to stderr
  LOG_FORMAT          json, pretty, or auto (default): pretty on a terminal, JSON lines elsewhere
  NO_COLOR            no colours on a terminal
  OTEL_*              the standard OpenTelemetry variables; tracing is off until one names an exporter or endpoint

Exit codes:
  0 ok, 1 failure, 2 usage, 3 bad config, 5 port in use
`;
}

const FLAG_COLUMN = 16;

function flagLines({ flags = {} }: HelpSubject): string {
  return Object.entries(flags)
    .map(([name, flag]) => `      ${`--${name} ${flag.value ?? ''}`.padEnd(FLAG_COLUMN - 2)}  ${flag.help}\n`)
    .join('');
}
