import { describeValue } from '../../errors.ts';
import type { OverlayIssue } from '../../issues.ts';
import type { OverlayScope } from '../../model.ts';
import type { WireEnvelopeParsed } from '../wire.ts';

/** The envelope's two digests against each other and against what the content hashes to. */
export function digestIssues(envelope: WireEnvelopeParsed, computed: string): OverlayIssue[] {
  const issues: OverlayIssue[] = [];
  const revision = envelope.revision.value;
  const declared = envelope.content_digest.value;
  if (revision !== declared) {
    const message = `found ${revision}, but content_digest.value is ${declared}; in this version they are equal. Render the overlay again.`;
    issues.push({ code: 'revision_digest_mismatch', path: 'revision.value', message });
  }
  if (declared !== computed) {
    const message = `found ${declared}, but the content hashes to ${computed}; it was changed after it was rendered, or hashed by another rule. Render it again, never edit it.`;
    issues.push({ code: 'digest_mismatch', path: 'content_digest.value', message });
  }
  return issues;
}

/** The envelope's scope against its own payload and provenance, and against what the reader expects. */
export function scopeIssues(
  envelope: WireEnvelopeParsed,
  expected: Partial<OverlayScope> | undefined,
): OverlayIssue[] {
  const { scope, overlay, provenance } = envelope;
  const issues: OverlayIssue[] = [];
  function compare(path: string, found: string, wanted: string | undefined, reason: string): void {
    if (wanted === undefined || found === wanted) return;
    const message = `found ${describeValue(found)}; expected ${describeValue(wanted)}, ${reason}.`;
    issues.push({ code: 'scope_mismatch', path, message });
  }
  compare('overlay.network', overlay.network, scope.network, 'as in scope.network');
  compare('overlay.local_site', overlay.local_site, scope.local_site, 'as in scope.local_site');
  compare('provenance.source_name', provenance.source_name, scope.network, 'as in scope.network');
  const reason = 'as this reader is configured; the overlay is for someone else';
  compare('scope.network', scope.network, expected?.network, reason);
  compare('scope.gateway', scope.gateway, expected?.gateway, reason);
  compare('scope.namespace', scope.namespace, expected?.namespace, reason);
  compare('scope.local_site', scope.local_site, expected?.localSite, reason);
  return issues;
}
