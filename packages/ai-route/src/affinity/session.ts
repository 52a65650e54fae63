import type { AffinityOutcome, RouteRequest } from '../decision.ts';
import type { Standing } from '../live/standing.ts';
import type { MemberSet } from '../snapshot/member-set.ts';
import type { Group, Member } from '../snapshot/snapshot.ts';

/** Longer keys are treated as none, as are empty ones: hashing "no session" would bind everyone to one provider. */
const SESSION_KEY_BYTES_MAX = 256;

/** Whether a session that failed over stays where it went, or returns when its own provider is viable again. */
export type OnReturn = 'stay' | 'failBack';

/** Keeps a conversation with the provider that holds its context. One per mode. */
export interface Affinity {
  /** The session of a request; undefined when it names none. It counts as used. */
  open(request: RouteRequest, standing: Standing): Session | undefined;
  /** Like {@link open}, but nothing counts as used. */
  peek(request: RouteRequest, standing: Standing): Session | undefined;
}

/** One request's view of its session. */
export interface Session {
  /** Where the session belongs, when its candidate may serve it now. */
  readonly bound: Member | undefined;
  readonly outcome: AffinityOutcome;
  /** Position of the member that the session itself prefers among `open`; undefined leaves it to the policy. */
  prefer(group: Group, open: MemberSet): number | undefined;
  /** The request starts at `stableId`, where the session is not bound. */
  begin(stableId: string): void;
  /** The request goes on to `stableId`. @param rebinds - Whether the failure moves the session if that one succeeds. */
  moveOn(stableId: string, rebinds: boolean): void;
  /** The attempt at `stableId` succeeded. */
  confirm(stableId: string): void;
  /** The request ended without success. */
  drop(): void;
  /** The token to hand to the client if `stableId` answers; undefined when there is none, or it has the right one. */
  token(stableId: string): string | undefined;
}

/** The request's session key, if it can be used. */
export function usableKey(
  { sessionKey }: RouteRequest,
  bytesMax: number = SESSION_KEY_BYTES_MAX,
): string | undefined {
  if (sessionKey === undefined || sessionKey.length === 0) return undefined;
  return Buffer.byteLength(sessionKey) > bytesMax ? undefined : sessionKey;
}
