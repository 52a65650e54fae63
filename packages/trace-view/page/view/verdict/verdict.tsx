import type { RequestRow, RunDocument, VerdictDocument } from '../../../src/page/state.ts';
import { countedOf } from '../../model/counted.ts';
import { duration, words } from '../../model/format.ts';
import type { ProviderLook } from '../../model/providers.ts';
import { Badge, Mark } from '../marks.tsx';
import { CountsTable } from './counts-table.tsx';
import { Sequence } from './sequence.tsx';

interface VerdictProps {
  readonly run: RunDocument | undefined;
  readonly verdict: VerdictDocument | undefined;
  /** Requests of the current run. */
  readonly current: readonly RequestRow[];
  readonly looks: readonly ProviderLook[];
}

/** `20 / 20 / 20 - exact`, how it was counted, and the order in which it came about. */
export function Verdict({ run, verdict, current, looks }: VerdictProps) {
  const state = verdict?.state ?? 'pending';
  return (
    <section class={`card verdict ${state}`} aria-labelledby="verdict">
      <div class="said">
        <h1 id="verdict">
          <Split looks={looks} verdict={verdict} />
          <VerdictWord state={state} split={verdict?.split ?? null} />
        </h1>
        <p class="sentence">{sentence(run, countedOf(verdict))}</p>
        {run?.tryByHand != null && (
          <details class="by-hand">
            <summary>Try it by hand</summary>
            <code>{run.tryByHand}</code>
          </details>
        )}
      </div>
      {verdict !== undefined && <CountsTable verdict={verdict} looks={looks} total={countedOf(verdict)} />}
      <Sequence requests={current} looks={looks} />
    </section>
  );
}

/** Widths in ems of the stylesheet's bold figures and of the slash with its room. */
const EMS = { digit: 0.64, slash: 0.76 } as const;

function Split({ looks, verdict }: Pick<VerdictProps, 'looks' | 'verdict'>) {
  const counts = looks.map(({ name }) => String(verdict?.counts.client[name] ?? 0));
  const ems = counts.join('').length * EMS.digit + (counts.length - 1) * EMS.slash;
  return (
    <span class="split" style={{ '--ems': Math.max(1, ems).toFixed(2) }}>
      {looks.map((look, index) => (
        <span key={look.name} class={`part ${look.hue}`}>
          {index > 0 && <span class="slash">/</span>}
          <span class="count">
            {counts[index]}
            <Badge look={look} />
          </span>
        </span>
      ))}
    </span>
  );
}

/** Mark and word of each state, where the split has no word of its own. */
const STATES = {
  pending: { mark: 'wait', word: 'counting' },
  passed: { mark: 'good', word: 'proven' },
  changed: { mark: 'good', word: 'changed by hand' },
  failed: { mark: 'bad', word: 'not proven' },
} as const;

interface VerdictWordProps {
  readonly state: VerdictDocument['state'];
  readonly split: string | null;
}

function VerdictWord({ state, split }: VerdictWordProps) {
  const { mark, word } = STATES[state];
  return (
    <span class={`word ${state}`}>
      <Mark kind={mark} />
      {split ?? word}
    </span>
  );
}

function sentence(run: RunDocument | undefined, sent: number): string {
  if (run === undefined) return 'Waiting for the first facts.';
  const of = run.requested === null || run.requested === sent ? '' : ` of ${run.requested}`;
  const took = run.durationMs === null ? '' : `, in ${duration(run.durationMs)}`;
  const which = run.run > 1 ? `Run ${run.run}: ` : '';
  return `${which}${sent}${of} requests through one consumer gateway, ${words(run.policy)}${took}. ${run.message}`;
}
