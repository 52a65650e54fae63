import type { ParseOverlayOptions } from '@switchyard/overlay-contract';
import type { ReadFailure } from '../reload/read-bounded.ts';
import type { Judgement } from './judge-document.ts';
import type { PackedOverlay } from './packed-overlay.ts';

/** A file to read and judge. */
export interface FileToJudge {
  readonly file: string;
  /** Read at most one byte more. */
  readonly bytesMax: number;
  readonly parse: ParseOverlayOptions;
  /** Prints of documents that need no judgement, because it is known. */
  readonly seen: readonly string[];
  /** Whether the document itself is wanted. It is megabytes, which a reload had better not carry about. */
  readonly keepBytes: boolean;
}

/** What is in a file, judged; or why it can't be told. */
export type JudgedFile<Content> =
  | ReadFailure
  | {
      readonly ok: true;
      readonly judgement: Judgement<Content>;
      /** The document, if it was wanted. */
      readonly bytes: Uint8Array | undefined;
    };

/** A file on its way to the worker. */
export interface WorkerJob extends FileToJudge {
  /** Later jobs have higher ids. */
  readonly id: number;
}

/** A judgement on its way back. */
export interface WorkerReply {
  readonly id: number;
  readonly judged: JudgedFile<PackedOverlay>;
}

/** The descriptor on which the worker replies; jobs come in on its standard input. */
export const REPLIES_FD = 3;

/** What the worker sends: that it can work, and then its replies. */
export type WorkerMessage = 'ready' | WorkerReply;
