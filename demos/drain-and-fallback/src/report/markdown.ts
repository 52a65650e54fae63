import type { Results } from '../records/types.ts';

/** `report.md`: verdict first, then who answered in each step, and each proof with its facts. */
export function renderMarkdown(results: Results): string {
  const providers = Object.keys(results.counts.client);
  const rows = results.steps.map(
    ({ step, requests, counts }) =>
      `| ${step} | ${requests} | ${providers.map((name) => counts[name] ?? 0).join(' | ')} |`,
  );
  const proofs = results.proofs.map(
    (proof, index) =>
      `${index + 1}. **${proof.passed ? 'holds' : 'FAILS'}**: ${proof.title}. ${proof.summary}.\n\n   \`\`\`json\n${indent(JSON.stringify(proof.facts, null, 2))}\n   \`\`\`\n`,
  );
  return `# ${results.passed ? 'PASSED' : 'FAILED'}: drain, kill, fall back, recover; ${results.requests} requests

Started ${results.startedAt}, ${results.durationMs} ms, serving revision at the end \`${results.revisions.serving}\`.

| step | requests | ${providers.join(' | ')} |
|---|---:|${providers.map(() => '---:|').join('')}
${rows.join('\n')}

## Proofs

${proofs.join('\n')}
Recompute this verdict from the raw records beside this file: \`pnpm demo:drain verify DIR\`.
`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '   ');
}
