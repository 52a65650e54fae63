import type { Results } from '../records/types.ts';

/** `report.html`: the same as the Markdown report on one self-contained page; no script, nothing loaded. */
export function renderHtml(results: Results): string {
  const { counts, passed } = results;
  const split = Object.values(counts.client).join(' / ');
  const rows = Object.keys(counts.client).map((provider) => {
    const share = results.requests === 0 ? 0 : ((counts.client[provider] ?? 0) / results.requests) * 100;
    const cells = [counts.client, counts.gateway, counts.backend].map(
      (count) => `<td>${count[provider] ?? 0}</td>`,
    );
    return `<tr><th scope="row">${escapeHtml(provider)}</th>${cells.join('')}<td class="bar"><span style="width:${share.toFixed(1)}%"></span>${share.toFixed(1)} %</td></tr>`;
  });
  const proofs = results.proofs.map(
    (proof) =>
      `<li><details${proof.passed ? '' : ' open'}><summary><b class="${proof.passed ? 'ok' : 'bad'}">${proof.passed ? '✔ holds' : '✘ fails'}</b> ${escapeHtml(proof.title)}<br><small>${escapeHtml(proof.summary)}</small></summary><pre>${escapeHtml(JSON.stringify(proof.facts, null, 2))}</pre></details></li>`,
  );
  const steps = results.sequence.map((provider) => `<li>${escapeHtml(provider ?? 'none')}</li>`);
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">
<link rel="icon" href="data:,">
<title>${split}: Switchyard provider traffic</title>
<style>${STYLE}</style>
</head>
<body>
<main>
<p class="verdict ${passed ? 'ok' : 'bad'}">${passed ? '✔ Passed' : '✘ Failed'}</p>
<h1>${split}</h1>
<p>${results.requests} requests through one consumer gateway, policy <code>${escapeHtml(results.policy)}</code>, ${(results.durationMs / 1000).toFixed(1)} s, started <time>${escapeHtml(results.startedAt)}</time>. Serving revision <code>${escapeHtml(results.revisions.serving ?? 'none')}</code>.</p>
<div class="wide"><table>
<caption>Each request counted three ways</caption>
<thead><tr><th scope="col">Provider</th><th scope="col">Client</th><th scope="col">Gateway spans</th><th scope="col">Backend logs</th><th scope="col">Share</th></tr></thead>
<tbody>${rows.join('')}</tbody>
</table></div>
<h2>Proofs</h2>
<ol class="proofs">${proofs.join('')}</ol>
<h2>Sequence</h2>
<ol class="sequence">${steps.join('')}</ol>
<p>Recompute this verdict from the raw records beside this file: <code>pnpm demo verify DIR</code></p>
</main>
</body>
</html>
`;
}

const STYLE = `
:root{color-scheme:light dark;--fg:#1c2330;--bg:#fff;--soft:#5b6576;--line:#d6dbe4;--bar:#2f6fde;--ok:#12733b;--bad:#b3261e}
@media(prefers-color-scheme:dark){:root{--fg:#e6eaf2;--bg:#12161e;--soft:#a3adbd;--line:#323b4b;--bar:#7aa7f7;--ok:#6fd397;--bad:#ff8a80}}
body{margin:0;background:var(--bg);color:var(--fg);font:16px/1.5 system-ui,sans-serif}
main{max-width:60rem;margin:0 auto;padding:1.5rem 1rem 4rem}
h1{font-size:clamp(2.5rem,10vw,5rem);line-height:1;margin:.2em 0;font-variant-numeric:tabular-nums}
h2{margin:2rem 0 .5rem}
.verdict{font-size:1.5rem;font-weight:700;margin:0}
.ok{color:var(--ok)}.bad{color:var(--bad)}
code,pre{font-family:ui-monospace,monospace;font-size:.875rem;overflow-wrap:anywhere}
pre{white-space:pre-wrap;border-left:3px solid var(--line);padding-left:.75rem;margin:.5rem 0}
th[scope=row]{white-space:nowrap}.wide{overflow-x:auto}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}
caption{text-align:left;color:var(--soft);padding-bottom:.25rem}
th,td{text-align:left;padding:.4rem .6rem;border-bottom:1px solid var(--line)}
.bar{width:35%;min-width:5rem}.bar span{display:block;height:.6rem;background:var(--bar);border-radius:.3rem}
.proofs{padding-left:1.5rem}small{color:var(--soft);padding-left:1.2rem}summary{cursor:pointer;padding:.25rem 0}
.sequence{display:flex;flex-wrap:wrap;gap:.25rem;list-style:none;padding:0}
.sequence li{border:1px solid var(--line);border-radius:.3rem;padding:0 .4rem;font-size:.8rem}
`;

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
