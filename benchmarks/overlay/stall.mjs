// How long the thread of the requests is held up at a stretch while an overlay is taken over.
import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { median, ms, table } from '../figures.mjs';
import { makeDocument } from './documents.mjs';
import { follow } from './follow.mjs';

const RELOADS = 12;

/** The longest stall per reload: median and worst over some reloads, after two to warm up. Returns a Markdown table. */
export async function measureStall(directory, sizes) {
  const rows = [];
  for (const size of sizes) {
    const documents = Array.from({ length: RELOADS + 2 }, (_, salt) => makeDocument(size, salt + 1));
    const idle = await longestStalls(async () => void (await pause(300)), RELOADS);
    const cells = [size.toLocaleString('en'), ms(median(idle))];
    for (const mode of ['inline', 'worker']) {
      const stalls = await stallsOf(directory, { size, mode, documents });
      cells.push(ms(median(stalls)), ms(Math.max(...stalls)));
    }
    rows.push(cells);
  }
  return table(
    ['candidates', 'no reload, ms', 'inline, median ms', 'worst', 'worker, median ms', 'worst'],
    rows,
  );
}

async function stallsOf(directory, { size, mode, documents }) {
  const file = join(directory, `${mode}-${size}.json`);
  await writeFile(file, makeDocument(size).bytes);
  let accepted = () => undefined;
  const router = await follow(file, mode, (event) => event.type === 'accepted' && accepted());
  let next = 0;
  const reload = async () => {
    const done = new Promise((resolve) => {
      accepted = resolve;
    });
    // The writing is not what is measured, and takes place in the thread pool.
    await writeFile(`${file}.new`, documents[next++].bytes);
    await rename(`${file}.new`, file);
    await done;
    await pause(50);
  };
  await reload();
  await reload();
  const stalls = await longestStalls(reload, RELOADS);
  await router.close();
  return stalls;
}

/** The longest pause between two turns of the event loop during each run, beyond the millisecond it was asked for. */
async function longestStalls(work, runs) {
  const longest = [];
  for (let run = 0; run < runs; run++) {
    let worst = 0;
    let last = performance.now();
    const timer = setInterval(() => {
      const now = performance.now();
      worst = Math.max(worst, now - last - 1);
      last = now;
    }, 1);
    await work();
    clearInterval(timer);
    longest.push(worst);
  }
  return longest;
}
