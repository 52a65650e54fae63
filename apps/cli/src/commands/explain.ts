import type { RouteExplanation } from '@switchyard/ai-route';
import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { describeExplanation } from '../output/describe-explanation.ts';
import { overlayRouter } from '../routing/overlay-router.ts';
import {
  addCapabilityOptions,
  addLimitOptions,
  type CapabilityOptions,
  type LimitOptions,
} from './arguments.ts';
import { noteUnknownCapability, noteUnknownClusters } from './capability-notes.ts';
import { addOutputOptions, type CommandContext, createReport, type OutputOptions } from './context.ts';
import { readOneOverlay } from './read-overlay.ts';

type ExplainOptions = OutputOptions & LimitOptions & CapabilityOptions;

/** Adds `explain` to the overlay commands. */
export function addExplain(overlay: Command, context: CommandContext): void {
  const command = overlay
    .command('explain')
    .summary('which group is active for a model, and why each other candidate is not chosen')
    .argument('[file]', 'overlay document; - or none reads standard input');
  addOutputOptions(addLimitOptions(addCapabilityOptions(command))).action(
    async (file: string | undefined, options: ExplainOptions) => {
      context.finish(await explain(file, options, context));
    },
  );
}

async function explain(
  named: string | undefined,
  options: ExplainOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const report = createReport('overlay explain', options, context);
  const read = await readOneOverlay(named, { context, report }, options);
  if (!read.ok) return EXIT.badInput;
  const { file } = read;
  const { overlay } = read.loaded;
  const router = await overlayRouter(overlay, { knownClusters: options.clusters });
  const explanation = router.explain({ kind: options.kind, name: options.model });
  const [view] = router.routes({ kind: options.kind, name: options.model });
  await router.close();

  const facts = {
    policy: view?.policy ?? null,
    activeGroup: view?.groups.find(({ active }) => active)?.group ?? null,
    revision: overlay.revision,
  };
  noteUnknownClusters(overlay, options, report.errors);
  if (explanation.outcome === 'unknown_capability') noteUnknownCapability(overlay, options, report.errors);
  if (report.json) report.data({ file, ...facts, ...explanationData(explanation) });
  else if (explanation.outcome !== 'unknown_capability') {
    for (const line of describeExplanation(explanation, facts, report.out)) report.out.line(line);
  }
  return explanation.outcome === 'decided' || explanation.outcome === 'drawn_at_random' ? EXIT.yes : EXIT.no;
}

/** The router's own revision is left out: it covers the routing part of the overlay only. */
function explanationData({
  kind,
  name,
  outcome,
  decision,
  candidates,
}: RouteExplanation): Readonly<Record<string, unknown>> {
  return {
    kind,
    name,
    outcome,
    chosen: decision?.candidate ?? null,
    reason: decision?.reason ?? null,
    candidates,
  };
}
