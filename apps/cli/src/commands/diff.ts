import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { describeDiff } from '../output/describe-diff.ts';
import { sameMeaning } from '../overlay/changes.ts';
import type { LoadedOverlay } from '../overlay/load-overlay.ts';
import { semanticDiff } from '../overlay/semantic-diff.ts';
import { overlayRouter } from '../routing/overlay-router.ts';
import { type ServingChange, servingChanges } from '../routing/serving.ts';
import { addLimitOptions, type LimitOptions } from './arguments.ts';
import {
  addOutputOptions,
  type CommandContext,
  createReport,
  inputSources,
  type OutputOptions,
} from './context.ts';
import { readOverlay, reportProblem } from './read-overlay.ts';

/** Adds `diff` to the overlay commands. */
export function addDiff(overlay: Command, context: CommandContext): void {
  const command = overlay
    .command('diff')
    .summary('say what changed, in meaning, and whether the revision does')
    .argument('<before>', 'overlay document; - reads standard input')
    .argument('<after>', 'overlay document; - reads standard input');
  addOutputOptions(addLimitOptions(command)).action(
    async (before: string, after: string, options: OutputOptions & LimitOptions) => {
      context.finish(await diff([before, after], options, context));
    },
  );
}

async function diff(
  [before, after]: readonly [string, string],
  options: OutputOptions & LimitOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const report = createReport('overlay diff', options, context);
  inputSources([before, after], context);
  const old = await readOverlay(before, context, options);
  const young = await readOverlay(after, context, options);
  for (const result of [old, young]) if (!result.ok) reportProblem(result.problem, report);
  if (!old.ok || !young.ok) return EXIT.badInput;

  const changes = semanticDiff(old.loaded, young.loaded);
  const serving = await servingBetween(old.loaded, young.loaded);
  const same = sameMeaning(changes);
  const revisions = { before: old.loaded.overlay.revision, after: young.loaded.overlay.revision };
  const revision = { ...revisions, changed: revisions.before !== revisions.after };
  if (report.json) report.data({ files: { before, after }, same, revision, changes, serving });
  else for (const line of describeDiff({ changes, serving, revision }, report.out)) report.out.line(line);
  return same ? EXIT.yes : EXIT.no;
}

async function servingBetween(before: LoadedOverlay, after: LoadedOverlay): Promise<ServingChange[]> {
  const [old, young] = await Promise.all([overlayRouter(before.overlay), overlayRouter(after.overlay)]);
  const changes = servingChanges([...old.routes()], [...young.routes()]);
  await Promise.all([old.close(), young.close()]);
  return changes;
}
