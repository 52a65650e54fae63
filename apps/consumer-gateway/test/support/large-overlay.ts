import { overlayDigest } from '@switchyard/overlay-contract';
import { candidate, overlay } from './overlay.ts';

/** An envelope with this many candidates, three per model, all of provider-a's kind. It may exceed the default limits. */
export function candidatesOfSize(count: number): { text: string; revision: string } {
  const { text } = overlay([candidate('provider-a')]);
  const document = JSON.parse(text) as {
    overlay: Record<string, unknown>;
    revision: { value: string };
    content_digest: { value: string };
  };
  document.overlay['candidates'] = Array.from({ length: count }, (_, i) =>
    candidate('provider-a', {
      name: `model-${Math.floor(i / 3)}`,
      site: `site-${i % 3}`,
      stable_id: `id-${i}`,
      note: 'n'.repeat(200),
    }),
  );
  const revision = overlayDigest(document.overlay);
  document.revision.value = revision;
  document.content_digest.value = revision;
  return { text: JSON.stringify(document), revision };
}
