// What a reload leaves on the thread of the requests: memory that its collector has to go through, and how often it does.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { constants, PerformanceObserver } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { median, ms, table } from '../figures.mjs';
import { makeDocument } from './documents.mjs';
import { follow } from './follow.mjs';

const RELOADS = 30;
const WARM_UP = 10;

/** Reloads with 10 and with 1,000 models in use. Returns a Markdown table. */
export async function measureGarbage(directory, size) {
  const rows = [];
  for (const models of [10, 1000]) rows.push(await garbageOf(directory, { size, models }));
  return table(
    ['models in use', 'reloads', 'memory per reload, MB', 'scavenges', 'mark-compacts', 'longest, ms'],
    rows,
  );
}

async function garbageOf(directory, { size, models }) {
  const file = join(directory, `garbage-${models}.json`);
  await writeFile(file, makeDocument(size).bytes);
  const documents = [1, 2].map((salt) => makeDocument(size, salt).bytes);
  let accepted = () => undefined;
  const router = await follow(file, 'worker', (event) => event.type === 'accepted' && accepted());
  let asked = 0;
  const ask = () =>
    router.select({ kind: 'inference_model', name: `organisation/model-${asked++ % models}` });
  const collections = [];
  const observer = new PerformanceObserver((list) => collections.push(...list.getEntries()));
  observer.observe({ entryTypes: ['gc'] });
  const grown = [];
  const windows = [];
  for (let i = 0; i < RELOADS + WARM_UP; i++) {
    await writeFile(`${file}.new`, documents[i % 2]);
    for (let n = 0; n < models; n++) ask();
    await pause(20);
    const began = performance.now();
    const before = process.memoryUsage().heapUsed;
    const done = new Promise((resolve) => {
      accepted = resolve;
    });
    await rename(`${file}.new`, file);
    await done;
    for (let n = 0; n < 15; n++) {
      ask();
      await pause(2);
    }
    if (i < WARM_UP) continue;
    grown.push((process.memoryUsage().heapUsed - before) / 1e6);
    windows.push([began, performance.now()]);
  }
  // What the observer is told of, it is told of later.
  await pause(50);
  observer.disconnect();
  await router.close();
  const within = collections.filter((one) =>
    windows.some(([from, to]) => one.startTime >= from && one.startTime < to),
  );
  const count = (kind) => String(within.filter(({ detail }) => detail.kind === kind).length);
  return [
    models.toLocaleString('en'),
    String(RELOADS),
    ms(median(grown)),
    count(constants.NODE_PERFORMANCE_GC_MINOR),
    count(constants.NODE_PERFORMANCE_GC_MAJOR),
    ms(Math.max(0, ...within.map(({ duration }) => duration))),
  ];
}
