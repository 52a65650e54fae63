// A process of its own that wants a worker process when it has no descriptor left, and prints what comes of it.
import { openSync } from 'node:fs';
import { OverlayWorker } from '../../src/judge/overlay-worker.ts';

const worker = new OverlayWorker();
try {
  for (;;) openSync('/dev/null', 'r');
} catch {
  // That was the last one.
}
const input = { file: '/nowhere/overlay.json', bytesMax: 1, parse: {}, seen: [], keepBytes: false };
await worker.judge(input).then(
  () => process.stdout.write('judged'),
  (error: Error) => process.stdout.write(error.message),
);
