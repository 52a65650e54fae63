import type { RequestRow } from '../../../src/page/state.ts';
import { lookOf, type ProviderLook } from '../../model/providers.ts';

/** Most cells that are drawn; of longer runs the last ones. */
const CELLS = 120;

/** Who answered, one cell per request in the order sent. A failure has another shape. */
export function Sequence({
  requests,
  looks,
}: {
  readonly requests: readonly RequestRow[];
  readonly looks: readonly ProviderLook[];
}) {
  const shown = requests.slice(-CELLS);
  const first = shown
    .slice(0, 6)
    .map(({ provider }) => lookOf(looks, provider).letter)
    .join(' ');
  return (
    <div class="sequence">
      <h2>
        Sequence{' '}
        <small>
          {requests.length > CELLS ? `the last ${CELLS}` : 'one cell per request, in the order sent'}
        </small>
      </h2>
      <p class="hidden">{shown.length === 0 ? 'No request yet.' : `It begins ${first}.`}</p>
      <ol aria-hidden="true">
        {shown.map(({ number, provider, status }) => {
          const { hue, letter } = lookOf(looks, provider);
          return (
            <li key={number} class={status === 200 ? hue : `${hue} failed`}>
              {status === 200 ? letter : '✕'}
            </li>
          );
        })}
      </ol>
    </div>
  );
}
