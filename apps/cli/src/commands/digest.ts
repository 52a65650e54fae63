import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { safeText } from '../output/safe-text.ts';
import type { Screen } from '../output/screen.ts';
import { table } from '../output/table.ts';
import { type DigestReport, digestReport } from '../overlay/digest.ts';
import { inputName, readInput } from '../overlay/read-input.ts';
import {
  addOutputOptions,
  type CommandContext,
  createReport,
  inputSources,
  type OutputOptions,
} from './context.ts';
import { reportProblem } from './read-overlay.ts';

/** Adds `digest` to the overlay commands. */
export function addDigest(overlay: Command, context: CommandContext): void {
  const command = overlay
    .command('digest')
    .summary('hash the content and compare it with what the document claims')
    .argument('[file]', 'overlay document, valid or not; - or none reads standard input');
  addOutputOptions(command).action(async (file: string | undefined, options: OutputOptions) => {
    context.finish(await digest(file, options, context));
  });
}

async function digest(
  named: string | undefined,
  options: OutputOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const output = createReport('overlay digest', options, context);
  const [file = '-'] = inputSources(named === undefined ? [] : [named], context);
  const input = await readInput(file, context.stdin);
  if (!input.ok) {
    reportProblem({ code: 'unreadable', file, message: input.failure.message, issues: [] }, output);
    return EXIT.badInput;
  }
  const result = digestReport(input.bytes);
  if (!result.ok) {
    const message = `${inputName(file)} has no content that could be hashed`;
    reportProblem({ code: 'invalid_overlay', file, message, issues: result.issues }, output);
    return EXIT.badInput;
  }
  if (output.json) output.data({ file, ...result.report });
  else describe(result.report, output.out);
  return result.report.agrees === false ? EXIT.no : EXIT.yes;
}

function describe({ format, computed, claimed, agrees }: DigestReport, screen: Screen): void {
  const claim = (name: string, value: string | null): string[] => {
    if (value === null) return [name, 'missing', 'DIFFERS'];
    return [name, safeText(value), value === computed ? 'agrees' : 'DIFFERS'];
  };
  const rows = [
    ['computed', computed, ''],
    ...(agrees === null
      ? []
      : [claim('revision', claimed.revision), claim('content_digest', claimed.contentDigest)]),
  ];
  // Digests are for copying: never broken to fit.
  const lines = table(rows, {
    width: Number.POSITIVE_INFINITY,
    indent: 0,
    paint: (text) => screen.paint(text === 'DIFFERS' ? 'red' : text === 'agrees' ? 'green' : 'bold', text),
  });
  for (const line of lines) screen.line(line);
  if (format === 'legacy') screen.line('A bare overlay claims no revision; readers compute this one.');
  if (agrees === false)
    screen.tip('Never correct the digest by hand: change the source and render it again.');
}
