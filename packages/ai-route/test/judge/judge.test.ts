import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { type TempDir, tempDir } from '@switchyard/test-kit';
import fc from 'fast-check';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { Judge, type JudgeHooks } from '../../src/judge/judge.ts';
import { type Judgement, judgeDocument } from '../../src/judge/judge-document.ts';
import { OverlayWorker } from '../../src/judge/overlay-worker.ts';
import { documents, largeDocument, routingCandidates } from '../support/documents.ts';
import { openSourceWorker } from '../support/source-lab.ts';

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
  const onWorkerFailed = (error: Error): void => void failures.push(error);
  const judge = new Judge({ parse, keepBytes: true, onWorkerFailed }, hooks);
  judges.push(judge);
  return { judge, failures };
}

/** A judgement without what only one thread has. */
function comparable(judgement: Judgement): unknown {
  if (judgement.kind !== 'valid') return judgement;
  const { overlay, ...rest } = judgement;
  return { ...rest, head: { ...overlay, candidates: [] }, candidates: routingCandidates(overlay) };
}

/** Nice values of this process' threads; field 19 of their `stat`, counted after the name, which may hold spaces. */
async function niceValues(): Promise<Map<string, number>> {
  const tasks = await readdir('/proc/self/task');
  const stats = await Promise.all(
    tasks.map((id) => readFile(`/proc/self/task/${id}/stat`, 'utf8').catch(() => '')),
  );
  return new Map(
    tasks.map((id, index) => [id, Number(stats[index]?.replace(/^.*\) /s, '').split(' ')[16])] as const),
  );
}

describe('the worker thread', () => {
  // Only Linux gives threads a priority of their own.
  it.runIf(process.platform === 'linux')(
    'gives way to the requests: its priority is lower, no other changes',
    async () => {
      const before = await niceValues();
      const { judge } = newJudge({ inlineBytesMax: 0, openWorker: openSourceWorker });
      await judge.judge(await fileOf('{}'), []);
      const after = await niceValues();
      const own = [...before.keys()].filter((id) => after.has(id));
      expect(own.map((id) => after.get(id))).toEqual(own.map((id) => before.get(id)));
      expect([...after].filter(([id, nice]) => !before.has(id) && nice === 10)).toHaveLength(1);
    },
  );

  it('comes to the same judgement as this thread, good or bad, and hands over the document', async () => {
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

  it('is told about, and done without, when it can not be started or dies', async () => {
    const absent = () => new Worker(new URL('file:///nowhere/worker-main.js'));
    const dying = () => new Worker('process.exit(7)', { eval: true });
    const refused = () => {
      throw new Error('no threads here');
    };
    for (const openWorker of [absent, dying, refused]) {
      const { judge, failures } = newJudge({ inlineBytesMax: 0, openWorker });
      const { text, revision } = largeDocument(3);
      const file = await fileOf(text);
      for (let i = 0; i < 2; i++) {
        expect(await judge.judge(file, [])).toMatchObject({ judgement: { overlay: { revision } } });
      }
      expect(failures).toHaveLength(1);
    }
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
    // By then the thread has been started, if not more.
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
