import type { Serving } from '../routing/serving.ts';
import { safeText } from './safe-text.ts';

/** Who takes new requests, in one line: `group 0, round_robin: provider-a, provider-b`. */
export function describeServing(serving: Serving | null): string {
  if (serving === null) return 'not in the overlay';
  const { policy, group, members } = serving;
  if (members.length === 0) return 'nobody can serve';
  const names = members.map(
    ({ cluster, weight }) => safeText(cluster) + (weight === null ? '' : ` (${weight})`),
  );
  return `${group === null ? 'no groups' : `group ${group}`}, ${policy}: ${names.join(', ')}`;
}
