import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import {
  appEntry,
  chromiumPath,
  launchChromium,
  NO_CHROMIUM,
  type NodeProcess,
  spawnNode,
  type TempDir,
  tempDir,
  waitUntil,
} from '@switchyard/test-kit';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { verify } from '../src/verify/verify-command.ts';

const DEMO = appEntry('demos/provider-traffic');
const absent = chromiumPath() === null;
/** The machine may be busy with everything else: what comes, comes within this time, in milliseconds. */
const PATIENCE_MS = 60_000;

describe.skipIf(absent)(
  `the live page in Chromium${absent ? ` (${NO_CHROMIUM})` : ''}`,
  { timeout: 180_000 },
  () => {
    let dir: TempDir;
    let demo: NodeProcess;
    let browser: Browser;
    let page: Page;
    const errors: string[] = [];

    beforeAll(async () => {
      [dir, browser] = await Promise.all([tempDir(), launchChromium()]);
      demo = spawnNode([DEMO, '--ui', '--requests', '12', '--out', dir.path]);
      await waitUntil(() => link() !== undefined, { timeoutMs: PATIENCE_MS });
      page = await browser.newPage({ viewport: { width: 1400, height: 1000 }, acceptDownloads: true });
      page.setDefaultTimeout(PATIENCE_MS);
      page.on('pageerror', (error) => errors.push(error.message));
      page.on('console', (message) => {
        if (message.type() === 'error') errors.push(message.text());
      });
      await page.goto(link() ?? '');
    }, 120_000);
    afterAll(async () => {
      demo.kill('SIGINT');
      await demo.exited;
      await browser.close();
      await dir.remove();
    });

    const link = (): string | undefined => /Watch it {2}(http:\S+)/.exec(demo.stdout.join('\n'))?.[1];
    const press = (name: string): Promise<void> => page.getByRole('button', { name, exact: true }).click();
    const group = (name: string) => page.getByRole('group', { name });
    const told = (text: string | RegExp): Promise<void> => page.locator('.told', { hasText: text }).waitFor();
    const word = (text: string): Promise<void> => page.locator('.word', { hasText: text }).waitFor();
    /** Requests listed so far. */
    const sent = async (): Promise<number> =>
      Number(/(\d+) request/.exec((await page.locator('#requests-title').textContent()) ?? '')?.[1] ?? 0);
    const more = async (count: number): Promise<void> => {
      const from = await sent();
      await waitUntil(async () => (await sent()) >= from + count, { timeoutMs: PATIENCE_MS });
    };
    /** Who answered the last requests, by letter, newest last. */
    const sequence = (): Promise<string[]> => page.locator('.sequence li').allInnerTexts();

    it('is there before the first request, and shows the split and eight proofs once it is judged', async () => {
      await word('exact');
      expect(await page.locator('.split .count').allInnerTexts()).toEqual(['4\nA', '4\nB', '4\nC']);
      expect(await page.locator('.proofs details.holds').count()).toBe(8);
      expect(await page.locator('.counts td.good').allInnerTexts()).toEqual(['= yes', '= yes', '= yes']);
      expect(await sequence()).toEqual([...'ABCABCABCABC']);
    });

    it('a click on a request shows why it went there, and its five gateway spans in order', async () => {
      await page.locator('a.cover', { hasText: /^5$/ }).click();
      await page.locator('#request', { hasText: 'Request 5' }).waitFor();
      await page.locator('.step:not(.none)').nth(4).waitFor();
      const spans = page.locator('.span', { has: page.locator('.step:not(.none)') });
      expect(await spans.locator('small').allInnerTexts()).toEqual([
        expect.stringContaining('consumer-gateway · server'),
        expect.stringContaining('consumer-gateway · internal'),
        expect.stringContaining('consumer-gateway · client'),
        expect.stringContaining('provider-b · server'),
        expect.stringContaining('provider-b · client'),
      ]);
      await spans.nth(1).click();
      expect(await page.locator('.span-details').textContent()).toContain('overlay.revision.serving');
      expect(await page.locator('.turn').textContent()).toContain(
        'request 6 went to provider-c, as it should',
      );
      expect(page.url()).toContain('#request=5');
    });

    it('a provider that is drained gets no new request while traffic flows', async () => {
      await press('Steady traffic');
      await more(6);
      await group('provider-b').getByRole('button', { name: 'Drain' }).click();
      await told('provider-b drains: no new request goes there.');
      await more(10);
      expect((await sequence()).slice(-8)).not.toContain('B');
      expect(await page.locator('button.provider.draining').textContent()).toContain('draining');
    });

    it('a broken overlay is shown as rejected while traffic goes on', async () => {
      const before = await sent();
      await press('Publish a broken overlay');
      await page.locator('.timeline .rejected', { hasText: 'malformed_json' }).waitFor();
      await told('refused (malformed_json)');
      await more(3);
      expect(await sent()).toBeGreaterThan(before);
      expect(await page.locator('.port tr.failed').count()).toBe(0);
    });

    it('a provider that is killed is shown as down; restored it takes part again', async () => {
      await group('provider-b').getByRole('button', { name: 'Drain' }).click();
      await told('provider-b takes new requests again.');
      await group('provider-c').getByRole('button', { name: 'Kill' }).click();
      await page.locator('button.provider.down').waitFor();
      await told(/provider-c \(pid \d+\) was killed/);
      await group('provider-c').getByRole('button', { name: 'Restore' }).click();
      await told(/provider-c runs again/);
      // The gateway ejected it for some seconds; then one request probes it, and its turns come again.
      await waitUntil(async () => (await sequence()).slice(-3).includes('C'), { timeoutMs: PATIENCE_MS });
    });

    it('another policy is what the gateway picks by, and another measured run is judged by it', async () => {
      await press('Steady traffic');
      await told(/./);
      await press('deterministic');
      await told('The gateway picks by deterministic now');
      await press('Run 12 again');
      await word('all to the first');
      expect(await page.locator('.split .count').allInnerTexts()).toEqual(['12\nA', '0\nB', '0\nC']);
      expect(await page.locator('.proofs details.holds').count()).toBe(8);
    });

    it('the evidence can be downloaded, verifies in spite of all that came later, and its page opens from a file', async () => {
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.getByRole('link', { name: 'results.json' }).click(),
      ]);
      const results = JSON.parse(await readFile(await download.path(), 'utf8')) as Record<string, unknown>;
      expect(results).toMatchObject({ passed: true, requests: 12, policy: 'round_robin' });
      expect((await verify(dir.path)).problems).toEqual([]);
      const file = await browser.newPage();
      await file.goto(`${pathToFileURL(join(dir.path, 'report.html')).href}#request=12`);
      await file.locator('#request', { hasText: 'Request 12' }).waitFor();
      expect(await file.locator('.word').textContent()).toBe('exact');
      await file.close();
    });

    it('has complained of nothing', () => {
      expect(errors).toEqual([]);
    });
  },
);
