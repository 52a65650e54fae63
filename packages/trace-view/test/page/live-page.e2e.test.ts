import { chromiumPath, launchChromium, NO_CHROMIUM, waitUntil } from '@switchyard/test-kit';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { ActionError, type Json, startTraceView, type TraceView } from '../../src/index.ts';
import { complaints } from './browser.ts';
import { requestRow, sampleDocuments, sampleExport } from './sample-page.ts';

const absent = chromiumPath() === null;

describe.skipIf(absent)(`the served page in Chromium${absent ? ` (${NO_CHROMIUM})` : ''}`, () => {
  let browser: Browser;
  let view: TraceView;
  let page: Page;
  let told: string[];

  beforeAll(async () => {
    browser = await launchChromium();
  });
  afterAll(() => browser.close());
  beforeEach(async () => {
    view = await startTraceView({ port: 0, traceUrl: 'http://localhost:16686/trace/{traceId}' });
    page = await browser.newPage({ viewport: { width: 1280, height: 900 } });
    told = complaints(page);
    await page.goto(view.url);
  });
  afterEach(async () => {
    await page.close();
    await view.close();
  });

  function publish(requests: number): void {
    for (const [name, value] of Object.entries(sampleDocuments(requests))) view.publish(name, value);
  }

  async function receive(export_: string): Promise<void> {
    const headers = { 'content-type': 'application/json' };
    const answer = await fetch(`${view.url}v1/traces`, { method: 'POST', headers, body: export_ });
    expect(answer.status).toBe(200);
  }

  it('says that it waits while nothing has been published', async () => {
    await page.locator('.connection', { hasText: 'live' }).waitFor();
    expect(await page.locator('.sentence').textContent()).toBe('Waiting for the first facts.');
    expect(told).toEqual([]);
  });

  it('grows with each event: counts, rows, and the spans of the chosen request as they arrive', async () => {
    publish(3);
    await page.locator('a.cover', { hasText: /^3$/ }).click();
    await page.locator('#request', { hasText: 'Request 3' }).waitFor();
    await page.locator('.request .empty', { hasText: 'not here' }).waitFor();
    await receive(sampleExport(requestRow(3), [6]));
    await page.locator('.span').nth(5).waitFor();
    await receive(sampleExport(requestRow(3), [0, 1, 2, 3, 4, 5]));
    await page.locator('.span').nth(6).waitFor();
    view.append('requests', [requestRow(4, { status: 503, error: 'no provider' })]);
    await page.locator('.port tr.failed', { hasText: '✕ 503' }).waitFor();
    expect(await page.locator('.sequence .failed').count()).toBe(1);
    expect(await page.getByRole('link', { name: 'open in your tracing tool' }).getAttribute('href')).toBe(
      `http://localhost:16686/trace/${requestRow(3).traceId}`,
    );
    // Asked for before a span had arrived: the browser itself writes that down.
    expect(told.filter((line) => !line.includes('404'))).toEqual([]);
  });

  it('a button posts its action once; a refusal is told, and a disabled one posts nothing', async () => {
    const inputs: Json[] = [];
    view.onAction('again', (input) => {
      inputs.push(input);
      if (inputs.length === 2) throw new ActionError('busy', 'wait: a run is being measured');
      return null;
    });
    publish(3);
    await page.getByRole('button', { name: 'Run again' }).click();
    await waitUntil(() => inputs.length === 1);
    expect(inputs).toEqual([{ requests: 3 }]);
    await page.getByRole('button', { name: 'Run again' }).click();
    await page.getByRole('alert').filter({ hasText: 'wait: a run is being measured' }).waitFor();
    await page.getByRole('button', { name: 'round robin' }).click({ force: true });
    expect(inputs).toHaveLength(2);
    publish(3);
    await page.getByRole('alert').waitFor({ state: 'detached' });
  });

  it('says so when the connection is lost, and carries on when the server is back', async () => {
    publish(3);
    await page.locator('.connection', { hasText: 'live' }).waitFor();
    const { port } = view;
    await view.close();
    await page.locator('.connection', { hasText: 'connection lost' }).waitFor();
    expect(await page.locator('[role=status]').textContent()).toContain('connection is lost');
    view = await startTraceView({ port });
    publish(6);
    await page.locator('#requests-title', { hasText: '6 requests' }).waitFor();
    await page.locator('.connection', { hasText: 'live' }).waitFor();
  });
});
