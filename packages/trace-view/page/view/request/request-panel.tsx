import type { RequestRow } from '../../../src/page/state.ts';
import { duration } from '../../model/format.ts';
import type { PageState } from '../../model/page-state.ts';
import { lookOf, type ProviderLook } from '../../model/providers.ts';
import type { Source } from '../../model/source.ts';
import { explainRequest } from '../../model/why.ts';
import { useTrace } from '../hooks.ts';
import { ProviderName } from '../marks.tsx';
import { Waterfall } from './waterfall.tsx';
import { WhyHere } from './why-here.tsx';

interface RequestPanelProps {
  readonly source: Source;
  readonly state: PageState;
  readonly looks: readonly ProviderLook[];
  /** Of the chosen request; null when none is chosen. */
  readonly number: number | null;
}

/** The chosen request: why it went where it went, and its trace. */
export function RequestPanel({ source, state, looks, number }: RequestPanelProps) {
  const { requests = [] } = state.documents;
  const request = number === null ? undefined : requests.find((row) => row.number === number);
  const summary = request && state.traces.get(request.traceId);
  const trace = useTrace(source, request?.traceId ?? null, summary?.updatedAtMs ?? 0);
  return (
    <section class="card request" aria-labelledby="request">
      <h2 id="request">{request === undefined ? 'One request' : `Request ${request.number}`}</h2>
      {request === undefined ? (
        <p class="empty">
          {number === null
            ? 'Choose a request to see its trace and why it went where it went.'
            : `There is no request ${number} here, or it has left the memory.`}
        </p>
      ) : (
        <>
          <Headline request={request} looks={looks} traceUrl={state.traceUrl} />
          <WhyHere
            why={explainRequest({
              request,
              trace: trace ?? null,
              overlays: state.documents.overlays ?? [],
              ejections: state.documents.ejections ?? [],
              following: requests.find((row) => row.number === request.number + 1) ?? null,
            })}
            looks={looks}
          />
          {trace == null ? (
            <p class="empty">
              {trace === undefined
                ? 'Loading its spans …'
                : 'Its spans are not here: they have not arrived, or have left the memory.'}
            </p>
          ) : (
            <Waterfall key={trace.traceId} trace={trace} looks={looks} />
          )}
        </>
      )}
    </section>
  );
}

interface HeadlineProps {
  readonly request: RequestRow;
  readonly looks: readonly ProviderLook[];
  readonly traceUrl: string | null;
}

function Headline({ request, looks, traceUrl }: HeadlineProps) {
  const { provider, status, totalMs, ttfbMs, stream, traceId, error } = request;
  return (
    <div class="headline">
      <p>
        <ProviderName look={lookOf(looks, provider)} /> answered {status === 0 ? 'nothing' : status} in{' '}
        {duration(totalMs)}, first byte after {duration(ttfbMs)}
        {stream ? ', streamed' : ''}.
      </p>
      {error !== null && <p class="bad">✕ {error}</p>}
      <p class="soft">
        trace <code>{traceId}</code>{' '}
        {traceUrl !== null && (
          <a href={traceUrl.replaceAll('{traceId}', traceId)} target="_blank" rel="noreferrer">
            open in your tracing tool
          </a>
        )}
      </p>
    </div>
  );
}
