import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { CapabilityName } from '../snapshot/snapshot.ts';

/** What a token says of one capability. */
export interface TokenBinding {
  /** Tells capabilities apart without naming them to the client. */
  readonly capability: string;
  /** Seconds since the Unix epoch; from then on it counts for nothing. */
  readonly expiresAt: number;
  readonly stableId: string;
  /** Where the session was before it failed over; only kept when it is to return. */
  readonly original?: string | undefined;
}

/** A token that was signed by one of the keys. */
export interface OpenedToken {
  /** The most recent one first; expired ones included. */
  readonly bindings: readonly TokenBinding[];
  /** Whether the first key signed it: another one is being retired. */
  readonly current: boolean;
}

/** Longest token, in characters: browsers refuse cookies of more than 4,096 bytes, attributes included. */
export const TOKEN_LENGTH_MAX = 2048;

/** Models one client may use at once without one binding pushing out another. */
const BINDINGS_MAX = 8;
const VERSION = '1';
/** Signed along, so that a signature made for anything else with the same key is worth nothing here. */
const PURPOSE = 'switchyard affinity 1';

/** Signs bindings that the client keeps, and opens what comes back. */
export class BindingTokens {
  readonly #keys: readonly Uint8Array[];

  /** @param keys - The first one signs, all verify. At least one. */
  constructor(keys: readonly Uint8Array[]) {
    this.#keys = keys;
  }

  /** The token's bindings; undefined when none of the keys signed it. */
  open(token: string): OpenedToken | undefined {
    const [version, payload, signature, ...more] = token.split('.');
    if (version !== VERSION || payload === undefined || signature === undefined || more.length > 0)
      return undefined;
    const presented = Buffer.from(signature, 'base64url');
    const signer = this.#keys.findIndex((key) => {
      const expected = sign(key, payload);
      return expected.length === presented.length && timingSafeEqual(expected, presented);
    });
    if (signer < 0) return undefined;
    const bindings = (JSON.parse(Buffer.from(payload, 'base64url').toString()) as Row[]).map(fromRow);
    return { bindings, current: signer === 0 };
  }

  /** A token of these bindings, the most recent one first; the ones that it has no room for are left out. */
  seal(bindings: readonly TokenBinding[]): string {
    const [key = new Uint8Array()] = this.#keys;
    for (let count = Math.min(bindings.length, BINDINGS_MAX); ; count--) {
      const rows = bindings.slice(0, count).map(toRow);
      const payload = Buffer.from(JSON.stringify(rows)).toString('base64url');
      const token = `${VERSION}.${payload}.${sign(key, payload).toString('base64url')}`;
      if (token.length <= TOKEN_LENGTH_MAX || count <= 1) return token;
    }
  }
}

/** What tokens call a capability. */
export function capabilityTag({ kind, name }: CapabilityName): string {
  return createHash('sha256').update(`${kind} ${name}`).digest('base64url').slice(0, 16);
}

type Row = [capability: string, expiresAt: number, stableId: string, original?: string];

function toRow({ capability, expiresAt, stableId, original }: TokenBinding): Row {
  return original === undefined
    ? [capability, expiresAt, stableId]
    : [capability, expiresAt, stableId, original];
}

function fromRow([capability, expiresAt, stableId, original]: Row): TokenBinding {
  return { capability, expiresAt, stableId, original };
}

function sign(key: Uint8Array, payload: string): Buffer {
  return createHmac('sha256', key).update(`${PURPOSE}\n${payload}`).digest();
}
