import { Writable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import {
  type AdminServer,
  type AdminServerOptions,
  createAdminServer,
  createLogger,
  ListenError,
  MetricRegistry,
} from '../../src/index.ts';

interface Running extends AsyncDisposable {
  readonly server: AdminServer;
  readonly logLines: string[];
  get(path: string, method?: string): Promise<{ status: number; type: string; text: string }>;
}

async function start(options: Partial<AdminServerOptions> = {}): Promise<Running> {
  const logLines: string[] = [];
  const destination = new Writable({
    write(chunk: Buffer, _encoding, done) {
      logLines.push(chunk.toString());
      done();
    },
  });
  const server = await createAdminServer({
    listen: { host: '127.0.0.1', port: 0 },
    log: createLogger({ name: 'test', env: {}, destination }),
    ready: () => ({ ready: true, reasons: [] }),
    metrics: new MetricRegistry({ app: 'a', version: '1', runtime: false }),
    ...options,
  });
  return {
    server,
    logLines,
    async get(path, method = 'GET') {
      const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, { method });
      return {
        status: answer.status,
        type: answer.headers.get('content-type') ?? '',
        text: await answer.text(),
      };
    },
    [Symbol.asyncDispose]: () => server.close(),
  };
}

describe('the admin server', () => {
  it('is live', async () => {
    await using admin = await start();
    expect(await admin.get('/livez')).toEqual({
      status: 200,
      type: 'application/json',
      text: '{"live":true}',
    });
  });

  it('is ready, or 503 with the reasons, asked anew each time', async () => {
    const reasons: string[] = ['no overlay accepted yet', 'proxy not listening'];
    await using admin = await start({ ready: () => ({ ready: reasons.length === 0, reasons }) });
    const before = await admin.get('/readyz');
    expect(before.status).toBe(503);
    expect(JSON.parse(before.text)).toEqual({ ready: false, reasons });
    reasons.length = 0;
    const after = await admin.get('/readyz');
    expect(after.status).toBe(200);
    expect(JSON.parse(after.text)).toEqual({ ready: true, reasons: [] });
  });

  it('is not ready when the check throws', async () => {
    await using admin = await start({
      ready: () => {
        throw new Error('check broke');
      },
    });
    const answer = await admin.get('/readyz');
    expect(answer.status).toBe(503);
    expect(answer.text).not.toContain('check broke');
    expect(admin.logLines.join('')).toContain('check broke');
  });

  it('serves metrics in the Prometheus text format, zero values included', async () => {
    const metrics = new MetricRegistry({ app: 'a', version: '1', runtime: false });
    const labels = { p: { help: 'p', values: ['a'] } };
    metrics.counter({ name: 'switchyard_x_total', help: 'x', unit: 'things', labels });
    await using admin = await start({ metrics });
    const answer = await admin.get('/metrics');
    expect(answer.status).toBe(200);
    expect(answer.type).toBe('text/plain; version=0.0.4; charset=utf-8');
    expect(answer.text).toContain(
      '\n# HELP switchyard_x_total x\n# TYPE switchyard_x_total counter\nswitchyard_x_total{p="a"} 0\n',
    );
  });

  it('serves OpenMetrics, which has exemplars, to whom it accepts', async () => {
    await using admin = await start();
    const answer = await fetch(`http://127.0.0.1:${admin.server.port}/metrics`, {
      headers: { accept: 'application/openmetrics-text;version=1.0.0,text/plain;q=0.5' },
    });
    expect(answer.headers.get('content-type')).toBe(
      'application/openmetrics-text; version=1.0.0; charset=utf-8',
    );
    expect(answer.headers.get('vary')).toBe('accept');
    expect((await answer.text()).endsWith('# EOF\n')).toBe(true);
  });

  it('survives a collector that fails: the other metrics are still served', async () => {
    const metrics = new MetricRegistry({ app: 'a', version: '1', runtime: false });
    metrics.gauge({ name: 'good', help: 'g', unit: 'things' }).set({}, 4);
    metrics.gauge({ name: 'bad', help: 'b', unit: 'things' }).onCollect(() => {
      throw new Error('collector broke');
    });
    await using admin = await start({ metrics });
    for (let round = 0; round < 2; round += 1) {
      const answer = await admin.get('/metrics');
      expect(answer.status).toBe(200);
      expect(answer.text).toContain('\ngood 4\n');
      expect(answer.text).toContain('# bad could not be collected');
    }
    expect(admin.logLines.join('')).toContain('collector broke');
    expect((await admin.get('/livez')).status).toBe(200);
  });

  it('answers an unknown path with 404 and the paths that exist', async () => {
    await using admin = await start({ routes: (app) => app.get('/admin/overlay', (c) => c.json({})) });
    const answer = await admin.get('/nope');
    expect(answer.status).toBe(404);
    expect(JSON.parse(answer.text)).toEqual({
      error: {
        message: 'no GET /nope here',
        code: 'not_found',
        paths: ['/admin/overlay', '/livez', '/metrics', '/readyz'],
      },
    });
    expect((await admin.get('/livez', 'POST')).status).toBe(404);
  });

  it("serves the app's routes, and outlives one that throws", async () => {
    await using admin = await start({
      routes: (app) => {
        app.get('/admin/fine', (c) => c.json({ q: c.req.query('model') }));
        app.get('/admin/broken', () => {
          throw new Error('route broke');
        });
      },
    });
    expect((await admin.get('/admin/fine?model=m')).text).toBe('{"q":"m"}');
    const broken = await admin.get('/admin/broken');
    expect(broken.status).toBe(500);
    expect(broken.text).not.toContain('route broke');
    expect(admin.logLines.join('')).toContain('route broke');
    expect((await admin.get('/admin/fine')).status).toBe(200);
  });

  it('says which port is taken', async () => {
    await using admin = await start();
    const second = start({ listen: { host: '127.0.0.1', port: admin.server.port } });
    await expect(second).rejects.toBeInstanceOf(ListenError);
  });

  it('closes although a client keeps its connection open', async () => {
    const admin = await start();
    await admin.get('/livez');
    await admin.server.close();
    await expect(admin.get('/livez')).rejects.toThrow();
  });
});
