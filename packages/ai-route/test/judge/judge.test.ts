import { type ChildProcess, spawn } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { getPriority } from 'node:os';
import { join } from 'node:path';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { ManualClock, type TempDir, tempDir } from '@switchyard/test-kit';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Judge, type JudgeHooks } from '../../src/judge/judge.ts';
import { type Judgement, judgeDocument } from '../../src/judge/judge-document.ts';
import { OverlayWorker } from '../../src/judge/overlay-worker.ts';
import { documents, largeDocument, routingCandidates } from '../support/documents.ts';
import { openNode, openSourceWorker } from '../support/source-lab.ts';

const judges: { close(): Promise<void> }[] = [];
afterEach(async () => {
  await Promise.all(judges.splice(0).map((judge) => judge.close()));
});

let directory: TempDir;
let files = 0;
beforeAll(async () => {
  directory = await tempDir();
});
afterAll(() => directory.remove());

async function fileOf(document: string | Uint8Array): Promise<string> {
  const file = join(directory.path, String(++files));
  await writeFile(file, document);
  return file;
}

const parse = { maxBytes: 2 ** 24, maxCandidates: 100_000 };

function newJudge(hooks: JudgeHooks) {
  const failures: Error[] = [];
  const clock = new ManualClock();
  const onWorkerFailed = (error: Error): void => void failures.push(error);
  const judge = new Judge({ parse, keepBytes: true, clock, onWorkerFailed }, hooks);
  judges.push(judge);
  return { judge, failures, clock };
}

/** A judgement without what only one process has. */
function comparable(judgement: Judgement): unknown {
  if (judgement.kind !== 'valid') return judgement;
  const { overlay, ...rest } = judgement;
  return { ...rest, head: { ...overlay, candidates: [] }, candidates: routingCandidates(overlay) };
}

describe('the worker process', () => {
  it('gives way to the requests: its priority is lower, that of this process is not', async () => {
    const before = getPriority();
    let pid = 0;
    const openWorker = () => {
      const worker = openSourceWorker();
      pid = worker.pid ?? 0;
      return worker;
    };
    const { judge } = newJudge({ inlineBytesMax: 0, openWorker });
    await judge.judge(await fileOf('{}'), []);
    expect([getPriority(), getPriority(pid)]).toEqual([before, Math.max(before, 10)]);
  });

  it('comes to the same judgement as this one, good or bad, and hands over the document', async () => {
    const { judge, failures } = newJudge({ inlineBytesMax: 0, openWorker: openSourceWorker });
    const kinds = new Set<string>();
    await fc.assert(
      fc.asyncProperty(documents, fc.boolean(), async (document, known) => {
        fc.pre(document.length > 0);
        const { print } = judgeDocument({ bytes: document, parse, seen: [] });
        const seen = known ? [print] : [];
        const answer = await judge.judge(await fileOf(document), seen);
        if (answer?.ok !== true) throw new Error('not read');
        kinds.add(answer.judgement.kind);
        expect(Buffer.compare(answer.bytes ?? new Uint8Array(), document)).toBe(0);
        expect(comparable(answer.judgement)).toStrictEqual(
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
    await judge.judge(await fileOf(new Uint8Array(131_072)), []);
    expect(opened).toBe(0);
    await judge.judge(await fileOf(new Uint8Array(131_073)), []);
    await judge.judge(await fileOf(new Uint8Array(131_073)), []);
    expect(opened).toBe(1);
  });

  it('drops the answer about a document that another one has superseded', async () => {
    const worker = new OverlayWorker(openSourceWorker);
    judges.push(worker);
    const input = { bytesMax: 2 ** 24, parse, seen: [], keepBytes: false };
    const [first, second] = [await fileOf(largeDocument(300).text), await fileOf(largeDocument(300, 1).text)];
    const older = worker.judge({ ...input, file: first });
    const newer = worker.judge({ ...input, file: second });
    expect(await older).toBeUndefined();
    const answer = await newer;
    const { revision } = largeDocument(300, 1);
    expect(answer).toMatchObject({ ok: true, judgement: { overlay: { revision } }, bytes: undefined });
  });

  it('is told about, and done without, when it can not be started', async () => {
    const refused = () => {
      throw new Error('no processes here');
    };
    const notNode = () => spawn('/nowhere/node');
    const ending = () => openNode('-e', 'process.exit(7)');
    for (const openWorker of [refused, notNode, ending]) {
      const { judge, failures } = newJudge({ inlineBytesMax: 0, openWorker });
      const { text, revision } = largeDocument(3);
      const file = await fileOf(text);
      for (let i = 0; i < 2; i++) {
        expect(await judge.judge(file, [])).toMatchObject({ judgement: { overlay: { revision } } });
      }
      expect(failures).toHaveLength(1);
    }
  });

  it('is tried again a minute after it could not be started', async () => {
    let refuses = true;
    let opened = 0;
    const openWorker = () => {
      if (refuses) throw new Error('too many processes');
      opened++;
      return openSourceWorker();
    };
    const { judge, failures, clock } = newJudge({ inlineBytesMax: 0, openWorker });
    const file = await fileOf('{}');
    await judge.judge(file, []);
    refuses = false;
    clock.advance(59_999);
    await judge.judge(file, []);
    expect([opened, failures.length]).toEqual([0, 1]);
    clock.advance(1);
    await judge.judge(file, []);
    expect([opened, failures.length]).toEqual([1, 1]);
  });

  it('that dies over a file is a failure to read that file; the next one gets another process', async () => {
    const opened: ChildProcess[] = [];
    const openWorker = () => {
      const worker = openSourceWorker();
      opened.push(worker);
      return worker;
    };
    const { judge, failures } = newJudge({ inlineBytesMax: 0, openWorker });
    const { text, revision } = largeDocument(300);
    const file = await fileOf(text);
    await judge.judge(file, []);
    // It can't read a job before it has had its turn, and it gets none after this.
    opened[0]?.kill('SIGSTOP');
    const asked = judge.judge(file, []);
    await nextTurn();
    opened[0]?.kill('SIGKILL');
    expect(await asked).toEqual({
      ok: false,
      code: 'worker_died',
      message: `${file} can't be judged: the overlay worker ended with SIGKILL`,
    });
    expect(await judge.judge(file, [])).toMatchObject({ judgement: { overlay: { revision } } });
    expect([opened.length, failures]).toEqual([2, []]);
  });

  it('ends with its judge, in the middle of a document too', async () => {
    let open: () => void = () => undefined;
    const opened = new Promise<void>((resolve) => {
      open = resolve;
    });
    const openWorker = () => {
      open();
      return openSourceWorker();
    };
    const { judge, failures } = newJudge({ inlineBytesMax: 0, openWorker });
    const asked = judge.judge(await fileOf(largeDocument(1000).text), []);
    // By then the process has been started, if not more.
    await opened;
    await judge.close();
    expect(await asked).toBeUndefined();
    expect(failures).toEqual([]);
  });

  it('is not started by a reading that its judge was closed over', async () => {
    let opened = 0;
    const openWorker = () => {
      opened++;
      return openSourceWorker();
    };
    const { judge } = newJudge({ inlineBytesMax: 0, openWorker });
    const file = await fileOf(largeDocument(10).text);
    const asked = judge.judge(file, []);
    await judge.close();
    expect(await asked).toBeUndefined();
    expect(await judge.judge(file, [])).toBeUndefined();
    expect(opened).toBe(0);
  });
});
