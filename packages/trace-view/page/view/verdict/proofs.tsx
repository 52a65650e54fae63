import type { ProofEntry } from '../../../src/page/state.ts';
import { Mark } from '../marks.tsx';

const MARKS = { holds: 'good', fails: 'bad', pending: 'wait' } as const;

/** Each proof with the facts that it was judged from. */
export function Proofs({ proofs }: { readonly proofs: readonly ProofEntry[] }) {
  const holding = proofs.filter(({ state }) => state === 'holds').length;
  return (
    <section class="card proofs" aria-labelledby="proofs">
      <h2 id="proofs">
        Proofs{' '}
        <small>
          {proofs.length === 0 ? 'none yet' : `${holding} of ${proofs.length} hold, each from observed facts`}
        </small>
      </h2>
      {proofs.length === 0 && (
        <p class="empty">
          A run of a known number of requests is judged when its last span has arrived. Traffic that flows is
          counted, not judged.
        </p>
      )}
      <ol>
        {proofs.map((proof) => (
          <li key={proof.id}>
            <Proof proof={proof} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function Proof({ proof: { title, state, summary, facts } }: { readonly proof: ProofEntry }) {
  return (
    <details class={state}>
      <summary>
        <Mark kind={MARKS[state]} />
        <span class="hidden">{state}: </span>
        <span>
          {title}
          {summary !== '' && <small>{summary}</small>}
        </span>
      </summary>
      <pre>{JSON.stringify(facts, null, 2)}</pre>
    </details>
  );
}
