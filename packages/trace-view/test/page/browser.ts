import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { Page } from 'playwright-core';
import { expect } from 'vitest';

interface AxeResult {
  readonly violations: readonly {
    readonly id: string;
    readonly impact: string | null;
    readonly nodes: readonly { readonly html: string; readonly failureSummary?: string }[];
  }[];
}

/** Runs axe on the page as it is now and expects nothing serious, WCAG 2.2 A and AA and best practices. */
export async function expectAccessible(page: Page): Promise<void> {
  const source = await readFile(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
  // Past the page's policy on purpose: the inspector is no part of the page.
  await page.evaluate(source);
  const { violations } = (await page.evaluate(
    'axe.run(document, { resultTypes: ["violations"] })',
  )) as AxeResult;
  const serious = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(
      ({ id, nodes }) =>
        `${id}: ${nodes.map(({ html, failureSummary }) => `${html} ${failureSummary}`).join('\n')}`,
    );
  expect(serious).toEqual([]);
}

/** Collects everything that the page complains of: errors, warnings of its policy, requests that failed. */
export function complaints(page: Page): string[] {
  const found: string[] = [];
  page.on('pageerror', (error) => found.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning') found.push(message.text());
  });
  page.on('requestfailed', (request) => found.push(`${request.url()} failed`));
  return found;
}

/** How far the page can be scrolled sideways, in pixels. */
export async function sidewaysScroll(page: Page): Promise<number> {
  return (await page.evaluate('document.documentElement.scrollWidth - innerWidth')) as number;
}

/** Pairs of visible elements that lie upon one another, of all that the selectors name. */
export async function collisions(page: Page, selectors: readonly string[]): Promise<string[]> {
  return (await page.evaluate(`(() => {
    const boxes = [...document.querySelectorAll(${JSON.stringify(selectors.join(', '))})].map((element) => ({
      name: element.className + ': ' + element.textContent.slice(0, 20),
      box: element.getBoundingClientRect(),
    }));
    const apart = (a, b) => a.right <= b.left + 1 || b.right <= a.left + 1 || a.bottom <= b.top + 1 || b.bottom <= a.top + 1;
    return boxes.flatMap((one, index) =>
      boxes.slice(index + 1).filter((other) => !apart(one.box, other.box)).map((other) => one.name + ' x ' + other.name));
  })()`)) as string[];
}
