import type { EvidenceDocument } from '../../src/page/state.ts';
import type { PageState } from '../model/page-state.ts';

/** The raw records behind the verdict, and how to judge them anew. */
export function Evidence({ evidence, state }: { evidence: EvidenceDocument | undefined; state: PageState }) {
  const files = evidence?.files ?? [];
  return (
    <section class="card evidence" aria-labelledby="evidence">
      <h2 id="evidence">
        Evidence{' '}
        <small>
          {files.length === 0 ? 'written when the run is judged' : 'download it, and judge it yourself'}
        </small>
      </h2>
      <ul>
        {files.map(({ name, href, about }) => (
          <li key={name}>
            <a href={href} download={state.connection === 'recorded' ? undefined : name.replaceAll('/', '-')}>
              {name}
            </a>
            <small>{about}</small>
          </li>
        ))}
      </ul>
      {evidence?.verify != null && (
        <p>
          Recompute the verdict from the raw records: <code>{evidence.verify}</code>
        </p>
      )}
    </section>
  );
}
