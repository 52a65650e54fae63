import type { ExplainedIssue } from '../overlay/load-overlay.ts';
import { safeText } from './safe-text.ts';
import type { Screen } from './screen.ts';
import { wrap } from './table.ts';

/** Each issue in the form compilers use, so that editors and CI can jump to it; message and hint stand below. */
export function describeIssues(file: string, issues: readonly ExplainedIssue[], screen: Screen): string[] {
  return issues.flatMap(({ line, column, code, path, message, hint }) => [
    `${screen.paint('bold', safeText(`${file}:${line}:${column}`))}: ${screen.paint('red', code)}${path === '' ? '' : ` at ${safeText(path)}`}`,
    ...wrap(safeText(message), screen.width - 4).map((text) => `    ${text}`),
    ...wrap(`Hint: ${safeText(hint)}`, screen.width - 4).map((text) => screen.paint('cyan', `    ${text}`)),
  ]);
}
