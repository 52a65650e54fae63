import { systemRandom, type ViabilityEvent } from '@switchyard/ai-route';
import { type Command, InvalidArgumentError } from 'commander';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { describeSimulation } from '../output/describe-simulation.ts';
import { safeText } from '../output/safe-text.ts';
import { overlayRouter, SEED_MAX, seededSource } from '../routing/overlay-router.ts';
import { type Simulation, simulate as simulatePicks } from '../routing/simulate.ts';
import { SimulatedTime } from '../routing/simulated-time.ts';
import {
  addCapabilityOptions,
  addLimitOptions,
  type CapabilityOptions,
  type LimitOptions,
  wholeNumber,
} from './arguments.ts';
import { noteUnknownCapability, noteUnknownClusters } from './capability-notes.ts';
import { addOutputOptions, type CommandContext, createReport, type OutputOptions } from './context.ts';
import { readOneOverlay } from './read-overlay.ts';

interface SimulateOptions extends OutputOptions, LimitOptions, CapabilityOptions {
  readonly picks: number;
  readonly seed?: number;
  readonly fail?: ReadonlyMap<string, number>;
}

/** Bound on --picks: more says no more, and the sequence is kept. */
const PICKS_MAX = 1_000_000;

/** Requests come this far apart: slowly enough that an ejection of ten seconds ends within the default 60. */
const APART_MS = 1000;

/** Adds `simulate` to the overlay commands. */
export function addSimulate(overlay: Command, context: CommandContext): void {
  const command = overlay
    .command('simulate')
    .summary("draw picks with the gateway's own picker and show the split")
    .argument('[file]', 'overlay document; - or none reads standard input')
    .option(
      '-n, --picks <count>',
      `new requests to draw for, 1 to ${PICKS_MAX}`,
      wholeNumber(1, PICKS_MAX),
      60,
    )
    .option(
      '--seed <n>',
      `seed of the random policies, 0 to ${SEED_MAX} (default: drawn anew)`,
      wholeNumber(0, SEED_MAX),
    )
    .option(
      '--fail <cluster[:n]>',
      'a cluster that cannot be connected to, for its first n attempts (default: all); may be repeated',
      readFailing,
    );
  addOutputOptions(addLimitOptions(addCapabilityOptions(command))).action(
    async (file: string | undefined, options: SimulateOptions) => {
      context.finish(await simulate(file, options, context));
    },
  );
}

async function simulate(
  named: string | undefined,
  options: SimulateOptions,
  context: CommandContext,
): Promise<ExitCode> {
  const report = createReport('overlay simulate', options, context);
  const read = await readOneOverlay(named, { context, report }, options);
  if (!read.ok) return EXIT.badInput;
  const { file } = read;
  const { overlay } = read.loaded;
  const seed = options.seed ?? systemRandom()();
  const time = new SimulatedTime();
  const events: ViabilityEvent[] = [];
  const router = await overlayRouter(overlay, {
    knownClusters: options.clusters,
    random: seededSource(seed),
    clock: time,
    onViability: (event) => events.push(event),
  });
  const { kind, model: name, picks, fail: failing } = options;
  const pause = (): void => time.pass(APART_MS);
  const result = simulatePicks(router, { kind, name }, { picks, failing, pause, events });
  await router.close();

  noteUnknownClusters(overlay, options, report.errors);
  noteUnknownClusters(overlay, { ...options, clusters: [...(failing?.keys() ?? [])] }, report.errors);
  const asked = { file, kind, name, revision: overlay.revision, picks, seed };
  if (result.ok) {
    if (report.json) report.data({ ...asked, outcome: 'picked', ...simulationData(result.simulation) });
    else for (const line of describeSimulation(result.simulation, asked, report.out)) report.out.line(line);
    return EXIT.yes;
  }
  if (report.json) report.data({ ...asked, outcome: result.reason, ...NOTHING });
  if (result.reason === 'unknown_capability') noteUnknownCapability(overlay, options, report.errors);
  else report.errors.line(safeText(`switchyard: nobody can serve ${kind} ${name}; overlay explain says why`));
  return EXIT.no;
}

/** What a simulation without picks shows. */
const NOTHING = {
  policy: null,
  group: null,
  candidates: [],
  counts: {},
  sequence: [],
  retried: 0,
  ejections: [],
};

/** Counts and sequence by cluster, as everywhere a provider is named; `candidates` has each member by stable id. */
function simulationData(simulation: Simulation): Readonly<Record<string, unknown>> {
  const { policy, group, members, sequence, retried, ejections } = simulation;
  const counts = new Map<string, number>();
  for (const { cluster, count } of members) counts.set(cluster, (counts.get(cluster) ?? 0) + count);
  return {
    policy,
    group,
    candidates: members,
    counts: Object.fromEntries(counts),
    sequence: sequence.map((member) => member?.cluster ?? null),
    retried,
    ejections,
  };
}

/** `provider-b:5` fails five attempts, `provider-b` all. A number at the end counts only behind a colon. */
function readFailing(text: string, before: ReadonlyMap<string, number> = new Map()): Map<string, number> {
  const counted = /^(.+):(\d{1,7})$/s.exec(text);
  const [, cluster = text, attempts] = counted ?? [];
  if (cluster === '')
    throw new InvalidArgumentError('Expected the name of a cluster, as in provider-b or provider-b:5.');
  return new Map(before).set(cluster, attempts === undefined ? Number.POSITIVE_INFINITY : Number(attempts));
}
