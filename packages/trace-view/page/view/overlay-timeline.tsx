import type { OverlayEntry, RequestRow } from '../../src/page/state.ts';
import { plural, shortRevision, timeOfDay, words } from '../model/format.ts';
import { Mark } from './marks.tsx';

interface OverlayTimelineProps {
  readonly overlays: readonly OverlayEntry[];
  readonly requests: readonly RequestRow[];
}

/** What the gateway was offered, newest first: accepted, or rejected and why. */
export function OverlayTimeline({ overlays, requests }: OverlayTimelineProps) {
  const serving = overlays.findLast(({ outcome }) => outcome === 'accepted');
  return (
    <section class="card" aria-labelledby="overlays">
      <h2 id="overlays">
        Overlay timeline <small>what the gateway was offered, newest first</small>
      </h2>
      <ol class="timeline">
        {overlays
          .map((entry) => (
            <li key={`${entry.at} ${entry.outcome}`} class={entry.outcome}>
              <Entry entry={entry} serving={entry === serving} served={servedBy(entry, requests)} />
            </li>
          ))
          .reverse()}
      </ol>
      {overlays.length === 0 && <p class="empty">No overlay has been read yet.</p>}
    </section>
  );
}

function Entry({ entry, serving, served }: { entry: OverlayEntry; serving: boolean; served: number }) {
  const { at, outcome, revision, generation, policy, code, message, candidates } = entry;
  const facts = [
    generation === null ? null : `generation ${generation}`,
    policy === null ? null : words(policy),
    candidates.length === 0 ? null : plural(candidates.length, 'candidate'),
    outcome === 'accepted' ? plural(served, 'request') : null,
  ].filter((fact) => fact !== null);
  return (
    <>
      <p class="head">
        <Mark kind={outcome === 'accepted' ? 'good' : 'bad'} />
        <b>{outcome}</b>
        {code !== null && <code class="chip bad">{code}</code>}
        {revision !== null && <code class="chip">{shortRevision(revision)}</code>}
        {serving && <span class="chip good">serving</span>}
        <time dateTime={at}>{timeOfDay(Date.parse(at))}</time>
      </p>
      <p>{message}</p>
      {facts.length > 0 && <p class="soft">{facts.join(' · ')}</p>}
    </>
  );
}

function servedBy({ outcome, revision }: OverlayEntry, requests: readonly RequestRow[]): number {
  if (outcome !== 'accepted' || revision === null) return 0;
  return requests.filter((request) => request.revision !== null && revision.startsWith(request.revision))
    .length;
}
