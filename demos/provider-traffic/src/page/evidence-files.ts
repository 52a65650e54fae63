import type { EvidenceFile } from '@switchyard/trace-view';
import { FILES } from '../records/evidence.ts';

/** What people download, and what each file holds. */
const ABOUT = {
  [FILES.results]: 'verdict, counts, sequence, proofs with their facts',
  [FILES.requests]: 'one line per request, as the client saw it',
  [FILES.spans]: 'every trace export as received, OTLP/JSON',
  [FILES.replies]: 'what each backend logged',
  [FILES.observations]: 'revisions, controller state, overlay identity',
  [FILES.overlay]: 'the published overlay',
  [FILES.markdown]: 'the report as text',
  [FILES.html]: 'this page as one file, without a server',
  [FILES.checksums]: 'checksums of all of these, for sha256sum -c',
} as const;

/** Names of the files that may be downloaded. */
export const DOWNLOADS: readonly string[] = Object.keys(ABOUT);

/** The list of files for the page; `base` is put before each name, such as `evidence/`. */
export function evidenceFileList(base: string): EvidenceFile[] {
  return Object.entries(ABOUT).map(([name, about]) => ({ name, href: `${base}${name}`, about }));
}
