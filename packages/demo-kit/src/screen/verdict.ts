import type { Counts, Proof } from '../records.ts';
import type { Screen } from './screen.ts';

/** Widest bar of the split, in characters. */
const BAR_WIDTH = 40;

/** What a run came to, as far as the screen shows it. */
export interface Verdict {
  readonly passed: boolean;
  /** What passed, in a few words. */
  readonly summary: string;
  readonly proofs: readonly Proof[];
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
export function showVerdict(screen: Screen, verdict: Verdict): void {
  for (const proof of verdict.proofs) {
    const mark = proof.passed ? screen.paint('green', '✔') : screen.paint('red', '✘');
    screen.line(`  ${mark} ${proof.title}`);
    screen.line(screen.paint('dim', `      ${proof.summary}`));
  }
  screen.line();
  screen.line(
    verdict.passed
      ? screen.paint('green', `PASSED  ${verdict.summary}`)
      : screen.paint(
          'red',
          `FAILED  ${verdict.proofs
            .filter((proof) => !proof.passed)
            .map((proof) => proof.id)
            .join(', ')}`,
        ),
  );
}
