import { headerValues } from '@switchyard/gateway-kit';
import { HOP_HEADERS } from '@switchyard/overlay-contract';

/** What a consumer gateway says of its decision. */
export interface HopContext {
  /** Stable id of the candidate it chose. */
  readonly candidateId: string;
  readonly requestId: string;
  /** The overlay revision it decided with; older peers send none. */
  readonly revision: string | undefined;
}

/** The hop headers, or what is wrong with them. */
export type HopContextResult =
  | { readonly ok: true; readonly context: HopContext }
  | { readonly ok: false; readonly message: string };

/** Longest accepted identifier, in bytes: the contract's bound. */
const IDENTIFIER_MAX = 256;

/**
 * Reads the headers of the hop between the gateways. They are evidence and an address inside this gateway's own policy,
 * never a credential: who may speak at all is decided by the connection.
 */
export function readHopContext(raw: readonly string[]): HopContextResult {
  const candidateId = identifier(raw, HOP_HEADERS.candidate);
  if (candidateId === null) return missing(HOP_HEADERS.candidate);
  const requestId = identifier(raw, HOP_HEADERS.requestId);
  if (requestId === null) return missing(HOP_HEADERS.requestId);
  const [revision, ...others] = headerValues(raw, HOP_HEADERS.revision);
  if (others.length > 0 || (revision !== undefined && !/^[0-9a-f]{64}$/.test(revision))) {
    return { ok: false, message: `${HOP_HEADERS.revision} must be one value of 64 lower-case hex digits` };
  }
  return { ok: true, context: { candidateId, requestId, revision } };
}

/** The one value of a header; null when it is missing, blank, too long, or there are several. */
function identifier(raw: readonly string[], name: string): string | null {
  const [value, ...others] = headerValues(raw, name);
  if (value === undefined || others.length > 0) return null;
  return value.trim() === '' || value.length > IDENTIFIER_MAX ? null : value;
}

function missing(name: string): HopContextResult {
  return {
    ok: false,
    message: `${name} must be one value of 1 to ${IDENTIFIER_MAX} bytes; only consumer gateways may call this port`,
  };
}
