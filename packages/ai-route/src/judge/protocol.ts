import type { JudgeInput, Judgement } from './judge-document.ts';
import type { PackedOverlay } from './packed-overlay.ts';

/** A document on its way to the worker. */
export interface WorkerJob extends JudgeInput {
  /** Later jobs have higher ids. */
  readonly id: number;
}

/** A judgement on its way back. */
export interface WorkerReply {
  readonly id: number;
  readonly judgement: Judgement<PackedOverlay>;
  /** The document of the job, handed back. */
  readonly bytes: Uint8Array;
}
