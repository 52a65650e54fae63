import { styleText } from 'node:util';
import type { Counts, Results } from '../records/types.ts';

/** Widest bar of the split, in characters. */
const BAR_WIDTH = 40;

/** Where the demo talks to people: colours and a live line on a terminal, plain lines elsewhere, silence with --json. */
export interface Screen {
  /** A line that stays. */
  line(text?: string): void;
  /** The live line: overwritten by the next one, shown on a terminal only. */
  live(text: string): void;
  paint(style: 'green' | 'red' | 'yellow' | 'cyan' | 'bold' | 'dim', text: string): string;
}

/** What a screen is made for. */
export interface ScreenOptions {
  readonly stream: NodeJS.WriteStream;
  readonly env: NodeJS.ProcessEnv;
  readonly silent: boolean;
}

/** Colours follow NO_COLOR, TERM=dumb and whether the stream is a terminal. */
export function createScreen({ stream, env, silent }: ScreenOptions): Screen {
  const terminal = stream.isTTY === true && env['TERM'] !== 'dumb';
  const colours = terminal && (env['NO_COLOR'] ?? '') === '';
  let live = false;
  const clear = (): void => {
    if (live) stream.write('\r\u001b[2K');
    live = false;
  };
  return {
    line(text = '') {
      if (silent) return;
      clear();
      stream.write(`${text}\n`);
    },
    live(text) {
      if (silent || !terminal) return;
      stream.write(`\r\u001b[2K${text}`);
      live = true;
    },
    paint: (style, text) => (colours ? styleText(style, text) : text),
  };
}

/** The split as bars, one provider a line. */
export function splitTable(counts: Counts, total: number): string[] {
  const widest = Math.max(...Object.keys(counts).map((name) => name.length));
  return Object.entries(counts).map(([provider, count]) => {
    const share = total === 0 ? 0 : count / total;
    const bar = '█'.repeat(Math.round(share * BAR_WIDTH)).padEnd(BAR_WIDTH, '░');
    return `  ${provider.padEnd(widest)}  ${bar}  ${String(count).padStart(4)}  ${(share * 100).toFixed(1).padStart(5)} %`;
  });
}

/** The verdict: each proof with its facts, then the sentence. */
export function showVerdict(screen: Screen, results: Results): void {
  for (const proof of results.proofs) {
    const mark = proof.passed ? screen.paint('green', '✔') : screen.paint('red', '✘');
    screen.line(`  ${mark} ${proof.title}`);
    screen.line(screen.paint('dim', `      ${proof.summary}`));
  }
  screen.line();
  const split = Object.values(results.counts.client).join('/');
  screen.line(
    results.passed
      ? screen.paint('green', `PASSED  ${results.requests} requests, ${split}, ${results.policy}`)
      : screen.paint(
          'red',
          `FAILED  ${results.proofs
            .filter((proof) => !proof.passed)
            .map((proof) => proof.id)
            .join(', ')}`,
        ),
  );
}
