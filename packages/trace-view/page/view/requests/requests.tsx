import { useEffect, useState } from 'preact/hooks';
import type { RequestRow } from '../../../src/page/state.ts';
import { plural } from '../../model/format.ts';
import type { Place } from '../../model/place.ts';
import type { ProviderLook } from '../../model/providers.ts';
import { RequestTable } from './request-table.tsx';

interface RequestsProps {
  readonly requests: readonly RequestRow[];
  readonly looks: readonly ProviderLook[];
  readonly place: Place;
  readonly go: (change: Partial<Place>) => void;
  readonly traceUrl: string | null;
}

/** Every request as the client saw it: filter by provider, follow the newest or stay. */
export function Requests({ requests, looks, place, go, traceUrl }: RequestsProps) {
  const [following, setFollowing] = useState(place.request === null);
  // Who looks at one request must not lose it to the newest.
  useEffect(() => {
    if (place.request !== null) setFollowing(false);
  }, [place.request]);
  const shown =
    place.provider === null ? requests : requests.filter(({ provider }) => provider === place.provider);
  // A deep link may name one that is not here, or not here yet: a filter in force must be seen.
  const names = new Set([
    ...looks.map(({ name }) => name),
    ...(place.provider === null ? [] : [place.provider]),
  ]);
  return (
    <section class="card requests" aria-labelledby="requests-title">
      <h2 id="requests-title">
        Requests{' '}
        <small>
          {shown.length === requests.length
            ? plural(requests.length, 'request')
            : `${shown.length} of ${requests.length}`}
        </small>
      </h2>
      <div class="tools">
        <label>
          Provider{' '}
          <select
            value={place.provider ?? ''}
            onChange={(event) => go({ provider: event.currentTarget.value || null })}
          >
            <option value="">all</option>
            {[...names].map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
        <button type="button" aria-pressed={following} onClick={() => setFollowing(!following)}>
          Follow the newest
        </button>
      </div>
      {shown.length === 0 ? (
        <p class="empty">
          {requests.length === 0 ? 'No request yet.' : `No request went to ${place.provider}.`}
        </p>
      ) : (
        <RequestTable
          rows={shown}
          looks={looks}
          chosen={place.request}
          choose={(request) => go({ request })}
          follow={{ following, stop: () => setFollowing(false) }}
          traceUrl={traceUrl}
        />
      )}
    </section>
  );
}
