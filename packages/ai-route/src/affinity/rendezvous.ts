// Hot path in mode `rendezvous`: once per request and member.
import type { MemberSet } from '../snapshot/member-set.ts';
import type { Group } from '../snapshot/snapshot.ts';

/** Two hashes of a text; together they make one of 64 bits. */
type Hash = readonly [number, number];

const FNV_PRIME = 0x01000193;
const FNV_OFFSET = 0x811c9dc5;
/** Any other start gives an unrelated second hash. */
const SECOND_OFFSET = 0x6b43a9b5;

/**
 * Highest random weight: every member draws a number from the hash of the session and its own stable id, and the highest
 * one wins, whoever does the reckoning. A member that leaves takes along its own sessions and no others; one that comes
 * takes only those that it wins.
 *
 * With weights, each member's number is its draw from an exponential distribution of that rate, and the smallest wins:
 * each wins as often as its weight says.
 */
export class Rendezvous {
  /** The members' hashes, two numbers each, by group. */
  readonly #members = new WeakMap<Group, Uint32Array>();

  /** Position of the member of `open` that `session` belongs to; -1 when none is open. */
  winner(session: Hash, group: Group, open: MemberSet): number {
    const hashes = this.#hashesOf(group);
    const weighted = group.policy.startsWith('weighted');
    let winner = -1;
    let smallest = Number.POSITIVE_INFINITY;
    for (let i = 0; i < open.size; i++) {
      const position = open.at(i);
      const draw = drawOf(session, hashes[2 * position] ?? 0, hashes[2 * position + 1] ?? 0);
      const weight = weighted ? (group.members[position]?.candidate.trafficWeight ?? 1) : 1;
      // -ln(u) falls as u grows, so without weights the order is that of the draws themselves.
      const time = weighted ? -Math.log(draw) / weight : 1 - draw;
      if (time >= smallest) continue;
      smallest = time;
      winner = position;
    }
    return winner;
  }

  #hashesOf(group: Group): Uint32Array {
    const known = this.#members.get(group);
    if (known !== undefined) return known;
    const hashes = new Uint32Array(2 * group.members.length);
    for (const [position, { selected }] of group.members.entries())
      hashes.set(hashOf(selected.stableId), 2 * position);
    this.#members.set(group, hashes);
    return hashes;
  }
}

/** The hash of a text: FNV-1a over UTF-16 code units, from two starts, with a finish that stirs every bit. */
export function hashOf(text: string): Hash {
  let first = FNV_OFFSET;
  let second = SECOND_OFFSET;
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    first = Math.imul(first ^ unit, FNV_PRIME);
    second = Math.imul(second ^ unit, FNV_PRIME) + 0x9e3779b9;
  }
  return [stir(first), stir(second)];
}

/** A number between 0 and 1, both excluded, of 52 random bits. */
function drawOf([a, b]: Hash, first: number, second: number): number {
  const high = stir(a ^ first);
  const low = stir((b ^ second) + high);
  return ((high >>> 6) * 2 ** 26 + (low >>> 6) + 0.5) / 2 ** 52;
}

/** The finish of MurmurHash3: every bit in reaches every bit out. */
function stir(value: number): number {
  let mixed = Math.imul(value ^ (value >>> 16), 0x85ebca6b);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 0xc2b2ae35);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}
