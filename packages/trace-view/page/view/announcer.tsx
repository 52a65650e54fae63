import type { PageState } from '../model/page-state.ts';

/** Tells a screen reader of the large steps only: quarters of a run, the verdict, what an action did. */
export function Announcer({ state }: { readonly state: PageState }) {
  return (
    <p class="hidden" role="status">
      {announcement(state)}
    </p>
  );
}

function announcement({
  connection,
  documents: { run, verdict, requests = [], activity = [] },
}: PageState): string {
  if (connection === 'lost') return 'The connection is lost; what is shown may be old.';
  if (run === undefined) return 'Waiting for the first facts.';
  const did = activity.at(-1)?.message ?? '';
  if (run.phase !== 'running')
    return `${run.message} ${verdict?.state === 'pending' ? '' : (verdict?.state ?? '')} ${did}`;
  if (run.requested === null) return `Traffic is flowing. ${did}`;
  const sent = requests.filter((request) => request.run === run.run).length;
  const quarter = Math.floor((sent / run.requested) * 4);
  return `Run ${run.run}: ${quarter * 25} percent sent. ${did}`;
}
