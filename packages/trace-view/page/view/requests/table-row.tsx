import type { RequestRow } from '../../../src/page/state.ts';
import { duration, timeOfDay, words } from '../../model/format.ts';
import type { ProviderLook } from '../../model/providers.ts';
import { ProviderName } from '../marks.tsx';

interface TableRowProps {
  readonly row: RequestRow;
  /** Place in the whole table, the head being 1. */
  readonly index: number;
  readonly look: ProviderLook;
  readonly chosen: boolean;
  /** Whether the Tab key stops here: at one row of the table, from which the arrow keys lead to the others. */
  readonly entry: boolean;
  readonly traceUrl: string | null;
}

/** One request. The whole row leads to its trace. */
export function TableRow({ row, index, look, chosen, entry, traceUrl }: TableRowProps) {
  const { number, traceId, status, error } = row;
  const here = `#request=${number}`;
  const shortId = traceId.slice(0, 6);
  const tabIndex = entry ? 0 : -1;
  return (
    <tr aria-rowindex={index} class={`${chosen ? 'chosen' : ''} ${status === 200 ? '' : 'failed'}`}>
      <th scope="row" class="number">
        <a
          class="cover"
          href={here}
          aria-current={chosen ? 'true' : undefined}
          aria-label={`Request ${number}`}
          tabIndex={tabIndex}
        >
          {number}
        </a>
      </th>
      <td class="soft">{timeOfDay(row.sentAtMs)}</td>
      <td>
        <ProviderName look={look} />
      </td>
      <td class="number">{row.group ?? '–'}</td>
      <td>{row.policy === null ? '–' : words(row.policy)}</td>
      <td>{row.affinity === null ? '–' : words(row.affinity)}</td>
      <td class="number">{row.attempts ?? '–'}</td>
      <td title={error ?? ''}>
        <span class={`chip ${status === 200 && error === null ? 'good' : 'bad'}`}>
          {status === 0 ? '✕ no answer' : status === 200 && error === null ? '✓ 200' : `✕ ${status}`}
        </span>
      </td>
      <td class="number">{duration(row.ttfbMs)}</td>
      <td class="number">{duration(row.totalMs)}</td>
      <td>
        <a
          class="above"
          href={traceUrl === null ? here : traceUrl.replaceAll('{traceId}', traceId)}
          {...(traceUrl === null ? {} : { target: '_blank', rel: 'noreferrer' })}
          aria-label={`${shortId}, trace of request ${number}`}
          tabIndex={tabIndex}
        >
          {shortId}
        </a>
      </td>
    </tr>
  );
}
