import { shortRevision, words } from '../../model/format.ts';
import { lookOf, type ProviderLook } from '../../model/providers.ts';
import type { JudgedCandidate, Turn, Why } from '../../model/why.ts';
import { Badge, ProviderName } from '../marks.tsx';

interface WhyHereProps {
  readonly why: Why;
  readonly looks: readonly ProviderLook[];
}

const VERDICTS = { chosen: '✓ chosen', waits: '○ eligible', skipped: '✕ skipped' } as const;

/** Which overlay decided, who was there, who was passed over and why, and whose turn it was. */
export function WhyHere({ why, looks }: WhyHereProps) {
  const { revision, overlay, policy, group, reason, attempts } = why;
  return (
    <div class="why">
      <h3>Why here?</h3>
      <p>
        <b>{words(reason ?? policy ?? 'unknown')}</b>
        {group === null ? '' : ` in group ${group}`}, by overlay{' '}
        <code class="chip">{shortRevision(revision)}</code>
        {overlay?.generation != null && ` (generation ${overlay.generation})`}, held in memory.
      </p>
      {attempts.length > 1 && (
        <p>
          {attempts.map(({ number, provider, failed, result }, index) => (
            <span key={number}>
              {index > 0 && ' → '}attempt {number}: {provider} {failed ? `✕ ${result}` : '✓'}
            </span>
          ))}
        </p>
      )}
      <WhoseTurn turn={why.turn} looks={looks} />
      {why.candidates.length > 0 && <Candidates candidates={why.candidates} looks={looks} />}
    </div>
  );
}

function WhoseTurn({ turn, looks }: { readonly turn: Turn; readonly looks: readonly ProviderLook[] }) {
  if (turn.kind === 'none') return <p class="soft">{turn.because}</p>;
  const { ring, before, after, next } = turn;
  return (
    <div class="turn">
      <p class="ring" aria-hidden="true">
        {ring.map((name) => (
          <span key={name} class={name === before ? 'before' : name === after ? 'after' : ''}>
            <Badge look={lookOf(looks, name)} />
          </span>
        ))}
      </p>
      <p>
        Turn before: <b>{before}</b>. Turn after: <b>{after}</b>
        {next === null
          ? '.'
          : `; request ${next.request} went to ${next.provider}${next.provider === after ? ', as it should' : ''}.`}
      </p>
    </div>
  );
}

function Candidates({
  candidates,
  looks,
}: {
  readonly candidates: readonly JudgedCandidate[];
  readonly looks: readonly ProviderLook[];
}) {
  return (
    <table>
      <caption class="hidden">Candidates of the overlay</caption>
      <thead>
        <tr>
          <th scope="col">Candidate</th>
          <th scope="col" class="number">
            Group
          </th>
          <th scope="col">Admission</th>
          <th scope="col">Verdict</th>
        </tr>
      </thead>
      <tbody>
        {candidates.map(({ candidate, verdict, why }) => (
          <tr key={candidate.stableId} class={verdict}>
            <th scope="row">
              <ProviderName look={lookOf(looks, candidate.provider)} />
            </th>
            <td class="number">{candidate.group ?? '–'}</td>
            <td>{words(candidate.admission)}</td>
            <td>
              <b>{VERDICTS[verdict]}</b> <small>{why}</small>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
