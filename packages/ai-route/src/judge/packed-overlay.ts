import {
  ADMISSION_STATES,
  CANDIDATE_KINDS,
  type CandidateKind,
  type Overlay,
} from '@switchyard/overlay-contract';
import { startOf } from '../snapshot/index-plan.ts';
import type {
  CandidateEntry,
  CandidateRows,
  RoutingCandidate,
  RoutingOverlay,
} from '../snapshot/routing-overlay.ts';

/**
 * The part of an overlay that routing reads, in columns of numbers and bytes that another process can fill: nothing comes
 * into being on the thread of the requests that would have to be collected there.
 */
export interface PackedOverlay {
  readonly head: Omit<Overlay, 'candidates'>;
  /** Every distinct text once, in UTF-8. */
  readonly bytes: Uint8Array;
  /** Where each distinct text ends in `bytes`. */
  readonly ends: Uint32Array;
  /** Per candidate the numbers of its texts: name, site, cluster, stable id, tier. */
  readonly texts: Uint32Array;
  /** Per candidate its rank, group and weight; NaN for none. */
  readonly numbers: Float64Array;
  /** Per candidate: bit 0 fresh, bit 1 kind, bits 2 and 3 admission. */
  readonly flags: Uint8Array;
}

const TEXTS = 5;
const NUMBERS = 3;
const NO_TEXT = 0xffff_ffff;
/** Texts that are remembered: a few sites, clusters and tiers, and the names of late. */
const RECENT_TEXTS_MAX = 256;

/** Packs an accepted overlay. */
export function packOverlay({ candidates, ...head }: Overlay): PackedOverlay {
  const table = new TextTable();
  const texts = new Uint32Array(candidates.length * TEXTS);
  const numbers = new Float64Array(candidates.length * NUMBERS);
  const flags = new Uint8Array(candidates.length);
  for (const [row, c] of candidates.entries()) {
    const names = [c.name, c.site, c.cluster, c.stableId, c.selectionTier];
    texts.set(
      names.map((name) => (name === undefined ? NO_TEXT : table.numberOf(name))),
      row * TEXTS,
    );
    numbers.set(
      [c.rank, c.selectionGroup, c.trafficWeight].map((value) => value ?? Number.NaN),
      row * NUMBERS,
    );
    const kind = CANDIDATE_KINDS.indexOf(c.kind);
    const admission = ADMISSION_STATES.indexOf(c.admissionState);
    flags[row] = (c.fresh ? 1 : 0) | (kind << 1) | (admission << 2);
  }
  return { head, ...table.finish(), texts, numbers, flags };
}

/** What {@link packOverlay} packed; each candidate is unpacked when it is asked for. */
export function unpackOverlay(packed: PackedOverlay): RoutingOverlay {
  return { ...packed.head, candidates: new PackedCandidates(packed) };
}

class PackedCandidates implements CandidateRows {
  readonly length: number;
  readonly #packed: PackedOverlay;
  readonly #bytes: Buffer;
  /** Neighbours share most of their texts: equal ones are one text while they are remembered. */
  readonly #recent = new Map<number, string>();

  constructor(packed: PackedOverlay) {
    this.#packed = packed;
    const { buffer, byteOffset, byteLength } = packed.bytes;
    this.#bytes = Buffer.from(buffer, byteOffset, byteLength);
    this.length = packed.flags.length;
  }

  at(row: number): RoutingCandidate | undefined {
    const flags = this.#packed.flags[row];
    if (flags === undefined) return undefined;
    const candidate: Writable<RoutingCandidate> = {
      kind: kindOf(flags),
      name: this.#text(row, 0),
      site: this.#text(row, 1),
      cluster: this.#text(row, 2),
      fresh: (flags & 1) === 1,
      stableId: this.#text(row, 3),
      admissionState: ADMISSION_STATES[flags >> 2] ?? 'excluded',
    };
    const rank = this.#number(row, 0);
    const selectionGroup = this.#number(row, 1);
    const trafficWeight = this.#number(row, 2);
    // Assigned one by one: thousands of candidates are looked at in passing, and should leave one object each.
    if (rank !== undefined) candidate.rank = rank;
    if (this.#packed.texts[row * TEXTS + 4] !== NO_TEXT) candidate.selectionTier = this.#text(row, 4);
    if (selectionGroup !== undefined) candidate.selectionGroup = selectionGroup;
    if (trafficWeight !== undefined) candidate.trafficWeight = trafficWeight;
    return candidate;
  }

  entryAt(row: number): CandidateEntry | undefined {
    const flags = this.#packed.flags[row];
    if (flags === undefined) return undefined;
    return { kind: kindOf(flags), name: this.#text(row, 0), cluster: this.#text(row, 2) };
  }

  #number(row: number, column: number): number | undefined {
    const value = this.#packed.numbers[row * NUMBERS + column];
    return value === undefined || Number.isNaN(value) ? undefined : value;
  }

  #text(row: number, column: number): string {
    const { texts, ends } = this.#packed;
    const number = texts[row * TEXTS + column] ?? 0;
    const known = this.#recent.get(number);
    if (known !== undefined) return known;
    const text = this.#bytes.toString('utf8', startOf(ends, number), startOf(ends, number + 1));
    if (this.#recent.size === RECENT_TEXTS_MAX) this.#recent.clear();
    this.#recent.set(number, text);
    return text;
  }
}

function kindOf(flags: number): CandidateKind {
  return CANDIDATE_KINDS[(flags >> 1) & 1] ?? 'inference_model';
}

type Writable<T> = { -readonly [Key in keyof T]: T[Key] };

/** Gives every distinct text a number. */
class TextTable {
  readonly #numbers = new Map<string, number>();

  numberOf(text: string): number {
    const known = this.#numbers.get(text);
    if (known !== undefined) return known;
    const number = this.#numbers.size;
    this.#numbers.set(text, number);
    return number;
  }

  finish(): { bytes: Uint8Array; ends: Uint32Array } {
    const ends = new Uint32Array(this.#numbers.size);
    let end = 0;
    for (const [text, number] of this.#numbers) {
      end += Buffer.byteLength(text);
      ends[number] = end;
    }
    return { bytes: Buffer.from([...this.#numbers.keys()].join('')), ends };
  }
}
