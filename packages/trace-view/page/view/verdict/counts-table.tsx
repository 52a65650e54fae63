import type { VerdictDocument } from '../../../src/page/state.ts';
import { share } from '../../model/format.ts';
import type { ProviderLook } from '../../model/providers.ts';
import { ProviderName } from '../marks.tsx';

const COUNTERS = [
  { by: 'client', title: 'Client', about: 'what the answers said' },
  { by: 'gateway', title: 'Gateway', about: 'its own spans' },
  { by: 'backend', title: 'Backends', about: 'their own logs' },
] as const;

interface CountsTableProps {
  readonly verdict: VerdictDocument;
  readonly looks: readonly ProviderLook[];
  readonly total: number;
}

/** With more columns than these a name has no room: the letter stands for it. */
const NAMED_COLUMNS = 4;

/** The same requests, counted by three parties that don't ask one another. */
export function CountsTable({ verdict: { counts, state }, looks, total }: CountsTableProps) {
  return (
    <div class="counts">
      <table class={looks.length > NAMED_COLUMNS ? 'many' : ''}>
        <caption>Counted three ways</caption>
        <thead>
          <tr>
            <th scope="col">by</th>
            {looks.map((look) => (
              <th key={look.name} scope="col" class="number">
                <ProviderName look={look} />
              </th>
            ))}
            <th scope="col">agrees</th>
          </tr>
        </thead>
        <tbody>
          {COUNTERS.map(({ by, title, about }) => {
            const same = looks.every(({ name }) => (counts[by][name] ?? 0) === (counts.client[name] ?? 0));
            return (
              <tr key={by}>
                <th scope="row">
                  {title} <small>{about}</small>
                </th>
                {looks.map(({ name }) => (
                  <td key={name} class="number">
                    {counts[by][name] ?? 0}
                  </td>
                ))}
                <td class={same ? 'good' : state === 'pending' ? '' : 'bad'}>
                  {same ? '= yes' : state === 'pending' ? '… yet' : '≠ no'}
                </td>
              </tr>
            );
          })}
          <tr class="share">
            <th scope="row">Share</th>
            {looks.map(({ name }) => (
              <td key={name} class="number">
                {share(counts.client[name] ?? 0, total)}
              </td>
            ))}
            <td />
          </tr>
        </tbody>
      </table>
    </div>
  );
}
