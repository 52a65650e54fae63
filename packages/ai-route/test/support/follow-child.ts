// A process of its own that follows an overlay file and prints each event as a line of JSON, for tests that need to take
// something away from a whole process. Started by follow-elsewhere.ts.
import { createRouter } from '../../src/index.ts';

const [overlayFile = '', pollMs = '50'] = process.argv.slice(2);
const print = (line: object): void => void process.stdout.write(`${JSON.stringify(line)}\n`);
const router = await createRouter({
  overlayFile,
  onEvent: print,
  reload: { debounceMs: 10, pollMs: Number(pollMs) },
});
print({ type: 'started', watch: router.status().watch });
// Standard input keeps the process going; its end is the end.
process.stdin.on('end', () => void router.close()).resume();
