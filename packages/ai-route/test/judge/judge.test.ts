import { Worker } from 'node:worker_threads';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { Judge, type JudgeHooks } from '../../src/judge/judge.ts';
import { type Judgement, judgeDocument } from '../../src/judge/judge-document.ts';
import { OverlayWorker } from '../../src/judge/overlay-worker.ts';
import { documents, largeDocument, routingCandidates } from '../support/documents.ts';
import { openSourceWorker } from '../support/source-lab.ts';

const judges: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(judges.splice(0).map((judge) => judge.close()));
});

function newJudge(hooks: JudgeHooks) {
  const failures: Error[] = [];
  const parse = { maxBytes: 2 ** 24, maxCandidates: 100_000 };
  const judge = new Judge({ parse, onWorkerFailed: (error) => failures.push(error) }, hooks);
  judges.push(judge);
  return { judge, failures };
}

/** A judgement without what only one thread has. */
function comparable(judgement: Judgement): unknown {
  if (judgement.kind !== 'valid') return judgement;
  const { overlay, ...rest } = judgement;
  return { ...rest, head: { ...overlay, candidates: [] }, candidates: routingCandidates(overlay) };
}

const bytesOf = (text: string): Uint8Array => new Uint8Array(Buffer.from(text));

describe('the worker thread', () => {
  it('comes to the same judgement as this thread, good or bad, and gives the document back', async () => {
    const { judge, failures } = newJudge({ inlineBytesMax: 0, openWorker: openSourceWorker });
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(documents, fc.boolean(), async (document, known) => {
        const parse = { maxBytes: 2 ** 24, maxCandidates: 100_000 };
        const expected = judgeDocument({ bytes: document, parse, seen: [] });
        const seen = known ? [expected.print] : [];
        const answer = await judge.judge(Uint8Array.from(document), seen);
        kinds.add(answer?.judgement.kind ?? 'none');
        expect(Buffer.compare(answer?.bytes ?? new Uint8Array(), document)).toBe(0);
        expect(answer && comparable(answer.judgement)).toStrictEqual(
          comparable(judgeDocument({ bytes: document, parse, seen })),
        );
      }),
    );
    expect([...kinds].sort()).toEqual(['invalid', 'seen', 'valid']);
    expect(failures).toEqual([]);
  });

  it('is left alone by documents up to 128 KiB', async () => {
    let opened = 0;
    const openWorker = () => {
      opened++;
      return openSourceWorker();
    };
    const { judge } = newJudge({ openWorker });
    await judge.judge(new Uint8Array(131_072), []);
    expect(opened).toBe(0);
    await judge.judge(new Uint8Array(131_073), []);
    await judge.judge(new Uint8Array(131_073), []);
    expect(opened).toBe(1);
  });

  it('drops the answer about a document that another one has superseded', async () => {
    const worker = new OverlayWorker(openSourceWorker);
    judges.push(worker);
    const input = (text: string) => ({ bytes: bytesOf(text), parse: { maxBytes: 2 ** 24 }, seen: [] });
    const older = worker.judge(input(largeDocument(300).text));
    const newer = worker.judge(input(largeDocument(300, 1).text));
    expect(await older).toBeUndefined();
    const answer = await newer;
    expect(answer?.judgement).toMatchObject({ overlay: { revision: largeDocument(300, 1).revision } });
  });

  it('is told about, and done without, when it can not be started or dies', async () => {
    const absent = () => new Worker(new URL('file:///nowhere/worker-main.js'));
    const dying = () => new Worker('process.exit(7)', { eval: true });
    const refused = () => {
      throw new Error('no threads here');
    };
    for (const openWorker of [absent, dying, refused]) {
      const { judge, failures } = newJudge({ inlineBytesMax: 0, openWorker });
      const { text, revision } = largeDocument(3);
      // The document is lost with the thread: whoever asked reads it again.
      expect(await judge.judge(bytesOf(text), [])).toBeUndefined();
      expect(await judge.judge(bytesOf(text), [])).toMatchObject({ judgement: { overlay: { revision } } });
      expect(failures).toHaveLength(1);
    }
  });

  it('ends with its judge, in the middle of a document too', async () => {
    const { judge, failures } = newJudge({ inlineBytesMax: 0, openWorker: openSourceWorker });
    const asked = judge.judge(bytesOf(largeDocument(1000).text), []);
    await judge.close();
    expect(await asked).toBeUndefined();
    expect(failures).toEqual([]);
  });
});
