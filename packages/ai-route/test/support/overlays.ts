import {
  type BuiltOverlay,
  buildOverlay,
  type Overlay,
  parseOverlay,
  type SelectionPolicy,
  type WireCandidate,
} from '@switchyard/overlay-contract';
import type { RouteRequest, RouteResult } from '../../src/index.ts';

/** The model everything in these tests is about. */
export const MODEL: RouteRequest = { kind: 'inference_model', name: 'demo-model' };

export interface OverlayInput {
  readonly candidates: readonly WireCandidate[];
  readonly policy?: SelectionPolicy;
  readonly generation?: number;
  readonly sourceUid?: string;
  readonly renderedAt?: string;
}

/** A candidate for {@link MODEL} at `site`, in group 0 of a cluster named after the site. */
export function at(site: string, fields: Partial<WireCandidate> = {}): WireCandidate {
  const { kind, name } = MODEL;
  return {
    kind,
    name,
    site,
    cluster: `provider-${site}`,
    stable_id: `id-${site}`,
    selection_group: 0,
    ...fields,
  };
}

/** A published overlay. */
export function publication(input: OverlayInput): BuiltOverlay {
  return buildOverlay({
    scope: { network: 'demo', gateway: 'consumer', namespace: 'grid-system', localSite: 'here' },
    provenance: {
      producer: 'test',
      producerVersion: '1',
      sourceName: 'demo',
      sourceUid: input.sourceUid ?? 'uid-1',
      sourceGeneration: input.generation ?? 1,
      renderedAt: input.renderedAt ?? '2026-01-01T00:00:00Z',
    },
    candidates: input.candidates,
    selectionPolicy: input.policy ?? 'round_robin',
  });
}

/** An accepted overlay. */
export function overlayOf(input: OverlayInput): Overlay {
  const parsed = parseOverlay(new TextEncoder().encode(publication(input).text));
  if (!parsed.ok) throw new Error(JSON.stringify(parsed.issues));
  return parsed.overlay;
}

/** The site a result names, or why it names none. */
export function siteOf(result: RouteResult): string {
  return result.ok ? result.selection.decision.candidate.site : result.reason;
}
