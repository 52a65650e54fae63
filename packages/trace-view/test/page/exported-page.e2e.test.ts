import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { chromiumPath, launchChromium, NO_CHROMIUM, type TempDir, tempDir } from '@switchyard/test-kit';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { exportPage } from '../../src/page/export-page.ts';
import { collisions, complaints, expectAccessible, sidewaysScroll } from './browser.ts';
import { crowdedDocuments, requestRow, sampleDocuments, sampleExport } from './sample-page.ts';

const HOSTILE = '</script><script>window.hacked = 1</script><img src=x onerror="window.hacked = 2">';

const absent = chromiumPath() === null;

describe.skipIf(absent)(`the exported page in Chromium${absent ? ` (${NO_CHROMIUM})` : ''}`, () => {
  let browser: Browser;
  let dir: TempDir;
  let page: Page;
  let told: string[];

  beforeAll(async () => {
    [browser, dir] = await Promise.all([launchChromium(), tempDir()]);
  });
  afterEach(() => page.close());
  afterAll(async () => {
    await browser.close();
    await dir.remove();
  });

  async function open(html: string, hash = '', options: BrowserContextOptions = {}): Promise<void> {
    const file = join(dir.path, 'report.html');
    await writeFile(file, html);
    page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
    told = complaints(page);
    await page.goto(`${pathToFileURL(file).href}${hash}`);
    await page.locator('h1').waitFor();
  }

  const sixty = (): string => {
    const documents = sampleDocuments(60);
    return exportPage({ documents, exports: documents.requests.map((row) => sampleExport(row)) });
  };

  it('opens from file:// by a deep link, with the verdict and the five spans of the gateways in order', async () => {
    await open(sixty(), '#request=17');
    expect(await page.locator('h1').textContent()).toMatch(/20[\s\S]*20[\s\S]*20[\s\S]*exact/);
    expect(await page.locator('#request').textContent()).toBe('Request 17');
    const steps = page.locator('.span', { has: page.locator('.step:not(.none)') });
    expect(await steps.locator('.step').allInnerTexts()).toEqual(['1', '2', '3', '4', '5']);
    expect(await steps.locator('b').allInnerTexts()).toEqual([
      'POST /v1/chat/completions',
      'routing.select',
      'POST',
      'POST /v1/chat/completions',
      'chat demo-model',
    ]);
    expect(await page.locator('.turn').textContent()).toContain(
      'Turn after: provider-c; request 18 went to provider-c',
    );
    expect(told).toEqual([]);
  });

  it('marks spans whose parent is missing', async () => {
    const documents = sampleDocuments(3);
    await open(exportPage({ documents, exports: [sampleExport(requestRow(2), [3])] }), '#request=2');
    expect(await page.locator('.waterfall .warn').allInnerTexts()).toEqual([
      expect.stringContaining('1 parent is missing'),
      expect.stringContaining('parent missing'),
    ]);
  });

  it('shows text that looks like markup as text, wherever it comes from', async () => {
    const documents = sampleDocuments(1);
    const row = requestRow(1, { provider: HOSTILE, error: HOSTILE, status: 500, policy: HOSTILE });
    const hostile = { ...documents, requests: [row] };
    const spans = sampleExport(row).replaceAll('chat demo-model', HOSTILE.replaceAll('"', '\\"'));
    await open(exportPage({ documents: hostile, exports: [spans] }), '#request=1');
    await page.locator('.span', { hasText: 'onerror' }).first().click();
    expect(await page.locator('.span-details').textContent()).toContain('service.name');
    expect(await page.evaluate('window.hacked')).toBeUndefined();
    expect(await page.locator('img').count()).toBe(0);
    expect(await page.locator('.headline .bad').textContent()).toContain(HOSTILE);
    expect(told).toEqual([]);
  });

  it('the table of 10,000 requests has only the rows in sight, and reaches the last by keyboard', async () => {
    await open(exportPage({ documents: sampleDocuments(10_000), exports: [] }), '#request=1');
    expect(await page.locator('.port tbody tr').count()).toBeLessThan(80);
    await page.locator('a.cover[aria-current]').focus();
    await page.keyboard.press('End');
    await page.locator('#request', { hasText: 'Request 10000' }).waitFor();
    await page.keyboard.press('ArrowUp');
    await page.locator('#request', { hasText: 'Request 9999' }).waitFor();
    expect(await page.evaluate('document.activeElement.getAttribute("aria-label")')).toBe('Request 9999');
    expect(page.url()).toContain('#request=9999');
    expect(await page.locator('.port tbody tr').count()).toBeLessThan(80);
  });

  it('filters by provider, from the table and from the picture', async () => {
    await open(sixty());
    await page.getByLabel('Provider').selectOption('provider-b');
    expect(await page.locator('#requests-title').textContent()).toContain('20 of 60');
    await page.locator('button.provider', { hasText: 'provider-b' }).click();
    expect(await page.locator('#requests-title').textContent()).toContain('60 requests');
    expect(page.url()).not.toContain('provider=');
  });

  it('the rows reach down to the end of the table when what stands beside it grows', async () => {
    await open(sixty(), '#request=1');
    await page.locator('.span').nth(2).click();
    await page.locator('.span-details').waitFor();
    const port = async (): Promise<{ height: number; empty: number }> =>
      (await page.evaluate(`(() => {
        const { bottom, height } = document.querySelector('.port').getBoundingClientRect();
        const rows = [...document.querySelectorAll('.port tbody tr:not(.spacer)')];
        return { height, empty: bottom - rows.at(-1).getBoundingClientRect().bottom };
      })()`)) as { height: number; empty: number };
    await expect.poll(async () => (await port()).empty).toBeLessThan(2);
    // Taller than the rows that are there before it has been measured: else this would show nothing.
    expect((await port()).height).toBeGreaterThan(780);
  });

  it('a filter that a deep link names is seen, whether or not there is such a provider', async () => {
    const chosen = (): Promise<string> => page.getByLabel('Provider').inputValue();
    await open(sixty(), '#provider=provider-b');
    expect(await chosen()).toBe('provider-b');
    await page.close();
    await open(sixty(), '#provider=provider-z');
    expect(await chosen()).toBe('provider-z');
    expect(await page.locator('.requests .empty').textContent()).toBe('No request went to provider-z.');
  });

  it.each([1440, 1280, 1024, 768, 320])(
    'eight providers with long names fit %d px: the verdict is there, and nothing lies upon it',
    async (width) => {
      const documents = crowdedDocuments();
      await open(exportPage({ documents, exports: [] }), '#request=1', { viewport: { width, height: 900 } });
      expect(await page.locator('.split .count').allInnerTexts()).toHaveLength(8);
      expect(await collisions(page, ['.split', '.word', '.sentence', '.counts', '.sequence'])).toEqual([]);
      expect(await collisions(page, ['.node'])).toEqual([]);
      expect(await sidewaysScroll(page)).toBe(0);
    },
  );

  it.each([
    ['light', 1280],
    ['dark', 1280],
    ['light', 320],
    ['dark', 320],
  ] as const)('axe finds nothing serious: %s, %d px wide', async (colorScheme, width) => {
    await open(sixty(), '#request=17', { colorScheme, viewport: { width, height: 800 }, bypassCSP: true });
    await page.locator('.span').nth(2).click();
    await page.locator('.proofs summary').first().click();
    await expectAccessible(page);
    expect(await sidewaysScroll(page)).toBe(0);
  });

  it('fits 200 % zoom: half the width, twice the pixels', async () => {
    await open(sixty(), '#request=17', { viewport: { width: 640, height: 450 }, deviceScaleFactor: 2 });
    expect(await sidewaysScroll(page)).toBe(0);
    expect(await page.locator('.edge').first().isVisible()).toBe(true);
  });

  it('nothing moves for those who asked for less motion', async () => {
    const documents = sampleDocuments(6);
    const running = { ...documents, run: { ...documents.run, phase: 'running' as const } };
    const html = exportPage({ documents: running, exports: [] });
    const motion = 'document.getAnimations().filter((one) => one.animationName === "run").length';
    await open(html, '', { reducedMotion: 'no-preference' });
    await page.waitForFunction(`${motion} > 0`);
    await page.getByRole('button', { name: 'Pause motion' }).click();
    await page.waitForFunction(`${motion} === 0`);
    await page.close();
    await open(html, '', { reducedMotion: 'reduce' });
    expect(await page.evaluate(motion)).toBe(0);
  });

  it('everything is reached by keyboard alone, each stop with a visible focus', async () => {
    await open(sixty());
    const stops: string[] = [];
    for (let presses = 0; presses < 40; presses++) {
      await page.keyboard.press('Tab');
      const stop = (await page.evaluate(`(() => {
        const element = document.activeElement;
        if (element === document.body) return 'the end';
        const shown = [element, element.nextElementSibling].filter((one) => one !== null).some((one) =>
          getComputedStyle(one).outlineStyle !== 'none' || getComputedStyle(one, '::after').outlineStyle !== 'none');
        return (shown ? '' : 'INVISIBLE ') + (element.innerText || element.getAttribute('aria-label') || element.name || element.tagName);
      })()`)) as string;
      stops.push(stop.replace(/\s+/g, ' ').slice(0, 40));
    }
    expect(stops[0]).toBe('Skip to the requests');
    expect(stops.filter((stop) => stop.startsWith('INVISIBLE'))).toEqual([]);
    for (const wanted of [
      /theme/,
      /Pause motion/,
      /provider-c/,
      /The split is exact/,
      /all/,
      /Follow/,
      /^60$/,
      /results.json/,
    ])
      expect(
        stops.some((stop) => wanted.test(stop)),
        `${String(wanted)} in ${stops.join(' | ')}`,
      ).toBe(true);
  });
});
