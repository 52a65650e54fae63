import { useState } from 'preact/hooks';
import type { SpanView, TraceDetail, TreeRow } from '../../../src/contract/traces.ts';
import { duration } from '../../model/format.ts';
import { lookOf, type ProviderLook } from '../../model/providers.ts';
import { SpanDetails } from './span-details.tsx';

interface WaterfallProps {
  readonly trace: TraceDetail;
  readonly looks: readonly ProviderLook[];
}

/** The two gateways, whose spans are counted: one request has five of them. */
const GATEWAYS = /-gateway$/;
/** Deepest step of indentation that the stylesheet has. */
const DEPTHS = 8;

/** The spans of one request as bars on one time line; each opens to its attributes. */
export function Waterfall({ trace, looks }: WaterfallProps) {
  const [open, setOpen] = useState<string | null>(null);
  const gateway = trace.rows.filter(({ span }) => GATEWAYS.test(span.service)).map(({ span }) => span.spanId);
  return (
    <div class="waterfall">
      <h3>
        Trace{' '}
        <small>
          {trace.spans} spans, {gateway.length} of the gateways, {duration(trace.durationNs / 1e6)}
        </small>
      </h3>
      {trace.missingParents > 0 && (
        <p class="warn">
          ⚠ {trace.missingParents} parent{trace.missingParents === 1 ? ' is' : 's are'} missing: named by a
          span, and not arrived.
        </p>
      )}
      <Scale durationMs={trace.durationNs / 1e6} />
      <ol>
        {trace.rows.map((row) => (
          <li key={row.span.spanId}>
            <SpanBar
              row={row}
              durationNs={trace.durationNs}
              step={gateway.indexOf(row.span.spanId) + 1}
              hue={lookOf(looks, providerOf(row.span)).hue}
              open={open === row.span.spanId}
              toggle={() => setOpen(open === row.span.spanId ? null : row.span.spanId)}
            />
            {open === row.span.spanId && <SpanDetails span={row.span} />}
          </li>
        ))}
      </ol>
    </div>
  );
}

function Scale({ durationMs }: { readonly durationMs: number }) {
  return (
    <p class="scale" aria-hidden="true">
      {[0, 0.25, 0.5, 0.75, 1].map((part) => (
        <span key={part}>{part === 0 ? '0' : duration(durationMs * part)}</span>
      ))}
    </p>
  );
}

interface SpanBarProps {
  readonly row: TreeRow;
  readonly durationNs: number;
  /** Which of the gateways' spans this is, from 1; 0 for the client's and the backend's. */
  readonly step: number;
  readonly hue: string;
  readonly open: boolean;
  readonly toggle: () => void;
}

function SpanBar({ row: { span, depth, place }, durationNs, step, hue, open, toggle }: SpanBarProps) {
  const whole = Math.max(1, durationNs);
  const left = (span.offsetNs / whole) * 100;
  const width = ((span.durationNs ?? whole - span.offsetNs) / whole) * 100;
  const took = span.durationNs === null ? 'not ended' : duration(span.durationNs / 1e6);
  return (
    <button
      type="button"
      class={`span ${span.status.code} depth-${Math.min(depth, DEPTHS)}`}
      aria-expanded={open}
      onClick={toggle}
    >
      <span class="what">
        {step > 0 ? <i class="step">{step}</i> : <i class="step none" aria-hidden="true" />}
        <span>
          <b>{span.name}</b>
          <small>
            {span.status.code === 'error' && <em class="bad">✕ error · </em>}
            {place === 'missing_parent' && <em class="warn">⚠ parent missing · </em>}
            {place === 'cycle' && <em class="warn">⚠ parents in a circle · </em>}
            {span.instance ?? span.service} · {span.kind}
          </small>
        </span>
      </span>
      <span class="lane">
        <i
          class={`bar ${hue}`}
          style={{ left: `${left}%`, width: `${Math.max(0.4, width)}%` }}
          aria-hidden="true"
        />
        <span
          class={left > 60 ? 'took before' : 'took'}
          style={left > 60 ? { right: `${100 - left}%` } : { left: `${left}%` }}
        >
          {took}
        </span>
      </span>
    </button>
  );
}

/** The provider that a span belongs to: the process that made it, or the one that a decision names. */
function providerOf({ service, instance, attributes }: SpanView): string | null {
  if (service === 'provider-gateway') return instance;
  const selected = attributes['selected.provider'];
  return typeof selected === 'string' && service === 'consumer-gateway' ? selected : null;
}
