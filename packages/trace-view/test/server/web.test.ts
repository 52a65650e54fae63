import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { rawHttp, tempDir } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { ActionError, type TraceView } from '../../src/index.ts';
import { makeSpan, spanIdOf, traceIdOf } from '../support/spans.ts';
import { testView } from '../support/view.ts';

const json = async (view: TraceView, path: string): Promise<unknown> =>
  (await fetch(`${view.url}${path}`)).json();

describe('traces', () => {
  it('the list and one trace answer what the store answers', async () => {
    const view = await testView();
    view.store.add([
      makeSpan(1),
      makeSpan(2, { parentSpanId: spanIdOf(9), status: { code: 'error', message: '' } }),
    ]);
    expect(await json(view, 'api/traces?limit=5&errors=1&service=shop&text=span')).toEqual(
      JSON.parse(JSON.stringify(view.store.list())),
    );
    expect(await json(view, 'api/traces?service=bank')).toMatchObject({ matched: 0, traces: [] });
    expect(await json(view, `api/traces/${traceIdOf(1).toUpperCase()}`)).toEqual(
      JSON.parse(JSON.stringify(view.store.trace(traceIdOf(1)))),
    );
  });

  it.each([
    ['api/traces/abc', 404, 'unknown_trace'],
    ['api/traces?limit=0', 400, 'bad_limit'],
    ['api/traces?limit=x', 400, 'bad_limit'],
    ['api/nothing', 404, 'not_found'],
    ['', 404, 'not_found'],
  ])('/%s: %i %s', async (path, status, code) => {
    const view = await testView();
    const answer = await fetch(`${view.url}${path}`);
    expect([answer.status, await answer.json()]).toMatchObject([status, { ok: false, error: { code } }]);
  });
});

describe('the page', () => {
  it('is served with headers that keep everything foreign out', async () => {
    await using directory = await tempDir();
    await writeFile(join(directory.path, 'index.html'), '<!doctype html><title>t</title>');
    await writeFile(join(directory.path, 'page.js'), 'export {};');
    await writeFile(join(directory.path, '.secret.js'), 'hidden');
    await writeFile(join(directory.path, 'notes.md'), 'unknown kind');
    const view = await testView({ pageDirectory: directory.path });
    const index = await fetch(view.url);
    expect(await index.text()).toContain('<title>t</title>');
    expect(Object.fromEntries(index.headers)).toMatchObject({
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': expect.stringMatching(
        /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self';.*frame-ancestors 'none'$/,
      ) as unknown,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'cross-origin-resource-policy': 'same-origin',
    });
    const script = await fetch(`${view.url}page.js`);
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const etag = script.headers.get('etag') ?? '';
    expect((await fetch(`${view.url}page.js`, { headers: { 'if-none-match': etag } })).status).toBe(304);
    expect((await fetch(`${view.url}.secret.js`)).status).toBe(404);
    expect((await fetch(`${view.url}notes.md`)).status).toBe(404);
  });

  it('no path leads out of its folder', async () => {
    await using directory = await tempDir();
    await writeFile(join(directory.path, 'index.html'), 'x');
    const view = await testView({ pageDirectory: directory.path });
    for (const path of [
      '/../package.json',
      '/%2e%2e/package.json',
      '/..%2fpackage.json',
      '//etc/passwd',
      '/a/../../x',
    ]) {
      const answer = await rawHttp(
        view.port,
        `GET ${path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toMatch(/^HTTP\/1\.1 4\d\d /);
    }
  });

  it('a folder that is not there ends the start', async () => {
    await expect(testView({ pageDirectory: '/nowhere/at/all' })).rejects.toMatchObject({
      code: 'page_unreadable',
    });
  });
});

describe('actions', () => {
  const act = (
    view: TraceView,
    headers: Record<string, string>,
    body?: string,
    name = 'drain',
  ): Promise<Response> =>
    fetch(`${view.url}api/actions/${name}`, {
      method: 'POST',
      headers,
      ...(body === undefined ? {} : { body }),
    });
  const allowed = (view: TraceView): Record<string, string> => ({
    origin: view.url.slice(0, -1),
    'x-switchyard-token': view.state().token,
  });

  it('with the Origin and the token of this start, the handler runs and its result comes back', async () => {
    const view = await testView();
    view.onAction('drain', async (input) => ({ drained: input }));
    const answer = await act(view, allowed(view), '{"provider":"b"}');
    expect([answer.status, await answer.json()]).toEqual([
      200,
      { ok: true, result: { drained: { provider: 'b' } } },
    ]);
    expect(await (await act(view, allowed(view))).json()).toEqual({ ok: true, result: { drained: null } });
  });

  it('without one of them, or with those of another start, it never runs', async () => {
    let runs = 0;
    const view = await testView({ routes: (app) => app.post('/api/own', (c) => c.json(++runs)) });
    const other = await testView();
    view.onAction('drain', () => ++runs);
    const good = allowed(view);
    const { origin, 'x-switchyard-token': token } = good as Record<'origin' | 'x-switchyard-token', string>;
    for (const headers of [
      {},
      { origin },
      { 'x-switchyard-token': token },
      { origin, 'x-switchyard-token': other.state().token },
      { origin, 'x-switchyard-token': '' },
      { origin: 'https://evil.example', 'x-switchyard-token': token },
      { origin: 'null', 'x-switchyard-token': token },
      { origin: other.url.slice(0, -1), 'x-switchyard-token': token },
      { origin: origin.replace('127.0.0.1', 'localhost'), 'x-switchyard-token': token },
    ]) {
      expect((await act(view, headers as Record<string, string>)).status).toBe(403);
      const own = await fetch(`${view.url}api/own`, {
        method: 'POST',
        headers: headers as Record<string, string>,
      });
      expect(own.status).toBe(403);
    }
    expect(runs).toBe(0);
    expect((await fetch(`${view.url}api/own`, { method: 'POST', headers: good })).status).toBe(200);
  });

  it('a page of another origin can read neither the state nor the token', async () => {
    const view = await testView();
    for (const path of ['api/state', 'api/events', 'api/traces']) {
      const answer = await fetch(`${view.url}${path}`, { headers: { origin: 'https://evil.example' } });
      expect(answer.status).toBe(403);
      expect(await answer.text()).not.toContain(view.state().token);
    }
    const rebound = await rawHttp(
      view.port,
      'GET /api/state HTTP/1.1\r\nhost: evil.example\r\nconnection: close\r\n\r\n',
    );
    expect(rebound).toMatch(/^HTTP\/1\.1 403 /);
  });

  it.each([
    ['image', 'cross-site', 'no-cors', 'image', 403],
    ['script on another port', 'same-site', 'no-cors', 'script', 403],
    ['frame', 'cross-site', 'navigate', 'iframe', 403],
    ['link that is followed', 'cross-site', 'navigate', 'document', 200],
    ['own script', 'same-origin', 'cors', 'empty', 200],
    ['address typed by hand', 'none', 'navigate', 'document', 200],
  ])(
    'a foreign page cannot use up the streams or learn that this runs: %s',
    async (_what, site, mode, dest, status) => {
      const view = await testView();
      const head = `sec-fetch-site: ${site}\r\nsec-fetch-mode: ${mode}\r\nsec-fetch-dest: ${dest}`;
      const answer = await rawHttp(
        view.port,
        `GET /api/state HTTP/1.1\r\nhost: 127.0.0.1:${view.port}\r\n${head}\r\nconnection: close\r\n\r\n`,
      );
      expect(answer).toContain(`HTTP/1.1 ${status} `);
    },
  );

  it('what handlers throw comes back as an answer', async () => {
    const view = await testView();
    view.onAction('busy', () => {
      throw new ActionError('run_in_progress', 'wait for the run to end');
    });
    view.onAction('broken', () => Promise.reject(new Error('no such process')));
    const outcomes = await Promise.all(
      ['busy', 'broken', 'unknown'].map(async (name) => {
        const answer = await act(view, allowed(view), '', name);
        return [answer.status, ((await answer.json()) as { error: { code: string } }).error.code];
      }),
    );
    expect(outcomes).toEqual([
      [409, 'run_in_progress'],
      [500, 'action_failed'],
      [404, 'unknown_action'],
    ]);
  });

  it('bodies that are no JSON or too large are refused; a name stands for one action until it is taken back', async () => {
    const view = await testView();
    const takeBack = view.onAction('drain', (input) => input);
    expect((await act(view, allowed(view), '{')).status).toBe(400);
    expect((await act(view, allowed(view), `"${'x'.repeat(70_000)}"`)).status).toBe(413);
    expect(() => view.onAction('drain', () => null)).toThrow('one of this name already');
    takeBack();
    view.onAction('drain', () => null);
  });
});

describe('own routes', () => {
  it('are served beside the page, with the same headers, and one that throws is told and answered', async () => {
    const warnings: string[] = [];
    const view = await testView({
      onWarning: (message) => warnings.push(message),
      routes: (app) => {
        app.get('/evidence/:name', (c) => c.text(c.req.param('name')));
        app.get('/evidence-broken', () => {
          throw new Error('no file');
        });
      },
    });
    const answer = await fetch(`${view.url}evidence/report.md`);
    expect([await answer.text(), answer.headers.get('x-content-type-options')]).toEqual([
      'report.md',
      'nosniff',
    ]);
    expect((await fetch(`${view.url}evidence-broken`)).status).toBe(500);
    expect(warnings).toEqual(['GET /evidence-broken failed: no file']);
  });
});
