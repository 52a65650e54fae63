import { agrees, type Proof } from '@switchyard/demo-kit';
import type { Records } from '../records/types.ts';

interface PublishedCandidate {
  readonly kind?: string;
  readonly name?: string;
  readonly cluster?: string;
  readonly stable_id?: string;
  readonly selection_group?: number;
}
interface PublishedOverlay {
  readonly revision?: { readonly value?: string };
  readonly overlay?: {
    readonly selection_policy?: string | { readonly mode?: string };
    readonly candidates?: readonly PublishedCandidate[];
  };
}

/** How many providers the demo promises. */
const PROVIDERS = 3;

/** Proof 2: the providers were discovered by the control plane and accepted by the gateway, in one active group. */
export function proveProviders({ overlay, observations }: Records): Proof {
  const published = (overlay as PublishedOverlay).overlay?.candidates ?? [];
  const accepted = observations.activeGroup;
  const wanted = Object.keys(observations.backends).sort();
  const same = (names: readonly string[]): boolean => names.toSorted().join() === wanted.join();
  const ids = (values: readonly (string | undefined)[]): string => values.toSorted().join();
  return {
    id: 'three-providers',
    title: 'Three providers discovered and accepted in one active group',
    passed:
      wanted.length === PROVIDERS &&
      same(published.map((candidate) => candidate.cluster ?? '')) &&
      published.every((candidate) => candidate.selection_group === 0) &&
      observations.activeGroups === 1 &&
      same(accepted.map((member) => member.cluster)) &&
      accepted.every((member) => member.viable) &&
      ids(published.map((candidate) => candidate.stable_id)) ===
        ids(accepted.map((member) => member.stableId)),
    summary: `published ${published.length}, accepted ${accepted.filter((member) => member.viable).length} viable, in ${observations.activeGroups} group: ${accepted.map((member) => member.cluster).join(', ')}`,
    facts: {
      published: published.map((candidate) => `${candidate.cluster} (group ${candidate.selection_group})`),
      accepted: accepted.map(
        (member) => `${member.cluster} ${member.stableId}${member.viable ? '' : ' not viable'}`,
      ),
      groups: observations.activeGroups,
    },
  };
}

/** Proof 5: every request succeeded and names its provider. A retry would hide a failure, so none is allowed. */
export function proveSuccess({ requests, observations }: Records): Proof {
  const failed = requests.filter(
    (request) => request.status !== 200 || request.error !== null || request.attempts !== 1,
  );
  const unnamed = requests.filter(
    (request) => !(request.provider !== null && request.provider in observations.backends),
  );
  return {
    id: 'all-succeeded',
    title: 'Every request succeeded and names its provider',
    passed: requests.length > 0 && failed.length === 0 && unnamed.length === 0,
    summary: `${requests.length - failed.length} of ${requests.length} answered 200 with whole content at the first attempt, ${unnamed.length} without a provider's name`,
    facts: {
      succeeded: requests.length - failed.length,
      failed: failed.slice(0, 3).map(({ n, status, attempts, error }) => ({ n, status, attempts, error })),
      unnamed: unnamed.length,
    },
  };
}

/** Proof 6: one revision was published, accepted and serving before, during and after the window. */
export function proveUnchanged({ requests, spans, overlay, overlaySha256, observations }: Records): Proof {
  const { before, after } = observations.revisions;
  const file = (overlay as PublishedOverlay).revision?.value ?? null;
  const seen = [...new Set(requests.map((request) => request.revision))];
  const opened = observations.gate.slice(-2);
  const traces = new Set(requests.map((request) => request.traceId));
  const decided = spans.filter((span) => span.name === 'routing.select' && traces.has(span.traceId));
  return {
    id: 'overlay-unchanged',
    title: 'The serving overlay did not change',
    passed:
      opened.length === 2 &&
      opened.every((poll) => agrees(poll, file)) &&
      agrees(before, file) &&
      agrees(after, file) &&
      [observations.overlay.before, observations.overlay.after].every(
        (identity) => identity.sha256 === overlaySha256,
      ) &&
      decided.every((span) => span.attributes['overlay.revision.serving'] === file) &&
      seen.length === 1 &&
      seen[0] === file?.slice(0, 12),
    summary: `revision ${file?.slice(0, 12) ?? 'none'} was published, accepted and serving before and after; answers name ${seen.join(', ')}`,
    facts: { revision: file, before, after, polls: observations.gate.length, servedWith: seen },
  };
}

/** Proof 8: the control plane stood still, and nobody wrote the overlay. */
export function proveStopped({ observations }: Records): Proof {
  const { controller, overlay, overlayEvents } = observations;
  const untouched = JSON.stringify(overlay.before) === JSON.stringify(overlay.after);
  return {
    id: 'control-plane-stopped',
    title: 'No control-plane call and no overlay write: the controller was stopped',
    // A stopped process answers nobody: had any request needed it, that request would have failed or hung.
    passed:
      controller.stateBefore === 'T' && controller.stateAfter === 'T' && untouched && overlayEvents === 0,
    summary: `controller process in state ${controller.stateBefore} before and ${controller.stateAfter} after (T = stopped), ${overlayEvents} changes in the overlay's folder`,
    facts: {
      controllerState: `${controller.stateBefore} before, ${controller.stateAfter} after (T = stopped)`,
      overlayWrites: overlayEvents,
      overlayFileUntouched: untouched,
    },
  };
}

/** The policy that the published overlay asks for, in either spelling of the contract. */
export function publishedPolicy(overlay: unknown): string {
  const policy = (overlay as PublishedOverlay).overlay?.selection_policy ?? 'deterministic';
  return typeof policy === 'string' ? policy : (policy.mode ?? 'deterministic');
}
