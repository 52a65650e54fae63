import type { Overlay } from '@switchyard/overlay-contract';
import { safeText } from '../output/safe-text.ts';
import type { Screen } from '../output/screen.ts';
import { didYouMean } from '../overlay/nearest.ts';
import type { CapabilityOptions } from './arguments.ts';

/** Longest list of names in a message. */
const NAMES_MAX = 10;

/** Says which capabilities there are instead of the one asked for. */
export function noteUnknownCapability(
  { candidates }: Overlay,
  { kind, model }: CapabilityOptions,
  screen: Screen,
): void {
  const names = [...new Set(candidates.filter((each) => each.kind === kind).map(({ name }) => name))];
  const other = candidates.find((each) => each.name === model)?.kind;
  const hint = other === undefined ? didYouMean(model, names) : ` There is one as --kind ${other}.`;
  screen.line(safeText(`switchyard: the overlay has no ${kind} named ${JSON.stringify(model)}.${hint}`));
  if (names.length > 0) screen.line(safeText(`It has: ${list(names)}.`));
}

/** Says which of the gateway's clusters the overlay never names: perhaps misspelt. */
export function noteUnknownClusters(
  { candidates }: Overlay,
  { clusters = [] }: CapabilityOptions,
  screen: Screen,
): void {
  const known = [...new Set(candidates.map(({ cluster }) => cluster))];
  for (const name of clusters.filter((each) => !known.includes(each))) {
    const hint = didYouMean(name, known);
    screen.line(safeText(`switchyard: no candidate names the cluster ${JSON.stringify(name)}.${hint}`));
  }
}

function list(names: readonly string[]): string {
  const more = names.length - NAMES_MAX;
  return names.slice(0, NAMES_MAX).join(', ') + (more > 0 ? ` and ${more} more` : '');
}
