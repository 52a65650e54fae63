import type { Results } from '../records/types.ts';

/** What a run came to, in one line. */
export function summaryOf({ requests, proofs }: Results): string {
  return `${requests} requests, ${proofs.filter(({ passed }) => passed).length} of ${proofs.length} proofs hold`;
}

/** Who answered in each step, as lines of a table. */
export function stepTable({ steps, counts }: Results): string[] {
  const providers = Object.keys(counts.client);
  const short = providers.map((name) =>
    name
      .replace(/^provider-/, '')
      .toUpperCase()
      .padStart(4),
  );
  return [
    `  ${'step'.padEnd(16)}${short.join('')}`,
    ...steps.map(
      ({ step, counts: own }) =>
        `  ${step.padEnd(16)}${providers.map((name) => String(own[name] ?? 0).padStart(4)).join('')}`,
    ),
  ];
}
