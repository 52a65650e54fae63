import type { Results } from '../records/types.ts';

/** `report.md`: verdict first, then counts, sequence and each proof with its facts. */
export function renderMarkdown(results: Results): string {
  const { counts } = results;
  const rows = Object.keys(counts.client).map(
    (provider) =>
      `| ${provider} | ${counts.client[provider] ?? 0} | ${counts.gateway[provider] ?? 0} | ${counts.backend[provider] ?? 0} |`,
  );
  const proofs = results.proofs.map(
    (proof, index) =>
      `${index + 1}. **${proof.passed ? 'holds' : 'FAILS'}**: ${proof.title}. ${proof.summary}.\n\n   \`\`\`json\n${indent(JSON.stringify(proof.facts, null, 2))}\n   \`\`\`\n`,
  );
  return `# ${results.passed ? 'PASSED' : 'FAILED'}: ${results.requests} requests, ${Object.values(counts.client).join(' / ')}

Policy \`${results.policy}\`, started ${results.startedAt}, ${results.durationMs} ms, serving revision \`${results.revisions.serving}\`.

| provider | client | gateway spans | backend logs |
|---|---:|---:|---:|
${rows.join('\n')}

Sequence: ${results.sequence.map((provider) => provider ?? 'none').join(' ')}

## Proofs

${proofs.join('\n')}
Recompute this verdict from the raw records beside this file: \`pnpm demo verify DIR\`.
`;
}

function indent(text: string): string {
  return text.replace(/^/gm, '   ');
}
