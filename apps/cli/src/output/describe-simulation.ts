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
  { policy, group, members, sequence }: Simulation,
  { kind, name, revision, picks, seed }: SimulationQuestion,
  screen: Screen,
): string[] {
  const title = screen.paint('bold', `${picks} picks of ${kind} ${safeText(name)}`);
  const where = group === null ? 'no groups' : `group ${group}`;
  const split = members.map(({ cluster, weight, count, share }) => ({
    label: safeText(cluster),
    detail: weight === null ? '' : `weight ${weight}`,
    count,
    share,
  }));
  const shown = sequence.slice(0, SHOWN_MAX).map(({ cluster }) => safeText(cluster));
  const more = sequence.length > SHOWN_MAX ? ' ...' : '';
  return [
    `${title}, ${where}, policy ${policy}, revision ${revision.slice(0, 12)}`,
    '',
    ...bars(split, screen.width).map((line) => screen.paint('cyan', line)),
    '',
    ...wrap(`first picks: ${shown.join(' ')}${more}`, screen.width),
    ...(policy.endsWith('random') ? [`seed ${seed}: --seed ${seed} draws the same again`] : []),
  ];
}
