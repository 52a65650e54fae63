import type { Simulation } from '../routing/simulate.ts';
import { bars } from './bars.ts';
import { safeText } from './safe-text.ts';
import type { Screen } from './screen.ts';
import { wrap } from './table.ts';

/** What was asked. */
export interface SimulationQuestion {
  readonly kind: string;
  readonly name: string;
  /** Of the overlay. */
  readonly revision: string;
  readonly picks: number;
  readonly seed: number;
}

/** Picks shown one by one; `--json` has all. */
const SHOWN_MAX = 12;

/** A split as bars, the first picks, and where chance decides the seed. */
export function describeSimulation(
  simulation: Simulation,
  { kind, name, revision, picks, seed }: SimulationQuestion,
  screen: Screen,
): string[] {
  const { policy, group, members, sequence } = simulation;
  const title = screen.paint('bold', `${picks} picks of ${kind} ${safeText(name)}`);
  const where = group === null ? 'no groups' : `group ${group}`;
  const split = members.map(({ cluster, weight, count, share, attempts }) => ({
    label: safeText(cluster),
    detail: [
      ...(weight === null ? [] : [`weight ${weight}`]),
      ...(attempts === count ? [] : [`${attempts - count} failed`]),
    ].join(', '),
    count,
    share,
  }));
  const shown = sequence
    .slice(0, SHOWN_MAX)
    .map((member) => (member === null ? 'nobody' : safeText(member.cluster)));
  const more = sequence.length > SHOWN_MAX ? ' ...' : '';
  return [
    `${title}, ${where}, policy ${policy}, revision ${revision.slice(0, 12)}`,
    '',
    ...bars(split, screen.width).map((line) => screen.paint('cyan', line)),
    '',
    ...wrap(`first picks: ${shown.join(' ')}${more}`, screen.width),
    ...failures(simulation),
    ...(policy.endsWith('random') ? [`seed ${seed}: --seed ${seed} draws the same again`] : []),
  ];
}

/** What became of failing clusters, if there were any. */
function failures({ members, sequence, retried, ejections }: Simulation): string[] {
  if (members.every(({ attempts, count }) => attempts === count)) return [];
  const unanswered = sequence.filter((member) => member === null).length;
  const told = ejections.slice(0, SHOWN_MAX).map(({ pick, cluster, forMs }) => {
    const what = forMs === null ? 'is back' : `is ejected for ${(forMs / 1000).toFixed(1)} s`;
    return `request ${pick}: ${safeText(cluster)} ${what}`;
  });
  return [
    `${retried} retried, ${unanswered} unanswered`,
    ...told,
    ...(ejections.length > SHOWN_MAX ? ['...'] : []),
  ];
}
