import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { rawHttp, waitUntil } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { UnroutedReport } from '../../src/index.ts';

function reported(): { report: UnroutedReport; lines: unknown[]; counted: unknown[] } {
  const lines: unknown[] = [];
  const counted: unknown[] = [];
  const report = new UnroutedReport({
    lines: {
      write: (line) => void lines.push(line),
      writeJson: (line) => void lines.push(JSON.parse(line)),
      flush: () => {},
    },
    clock: { now: () => 0, monotonicMs: () => 0 },
    count: (status, code) => void counted.push([status, code]),
  });
  return { report, lines, counted };
}

describe('UnroutedReport', () => {
  it('tells of an answer when it is over, without the query and with little of a long path', async () => {
    const { report, lines, counted } = reported();
    const server = createServer((incoming, outgoing) => {
      report.follow(incoming, outgoing);
      if (incoming.method === 'GET') outgoing.writeHead(404).end();
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const path = `/${'p'.repeat(500)}`;
    await rawHttp(port, `GET ${path}?key=secret HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
    await waitUntil(() => lines.length === 1);
    const leaving = connect(port, '127.0.0.1');
    const arrived = once(server, 'request');
    leaving.write('POST /left HTTP/1.1\r\nHost: x\r\nContent-Length: 0\r\n\r\n');
    await arrived;
    leaving.destroy();
    await waitUntil(() => lines.length === 2);
    const at = '1970-01-01T00:00:00.000Z';
    const told = { event: 'unrouted', at, code: null, reason: null };
    expect(lines).toEqual([
      { ...told, method: 'GET', path: path.slice(0, 100), status: 404 },
      { ...told, method: 'POST', path: '/left', status: null },
    ]);
    expect(counted).toEqual([
      [404, null],
      [null, null],
    ]);
    server.close();
  });

  it('tells why bytes never became a request', () => {
    const { report, lines, counted } = reported();
    report.refused({ status: 400, code: 'malformed_request' }, new Error('two host headers'));
    report.refused({ status: 431, code: 'headers_too_large' }, Object.assign(new Error(), { code: 'HPE_X' }));
    expect(lines).toMatchObject([
      { status: 400, code: 'malformed_request', reason: 'two host headers' },
      { status: 431, code: 'headers_too_large', reason: 'HPE_X' },
    ]);
    expect(counted).toEqual([
      [400, 'malformed_request'],
      [431, 'headers_too_large'],
    ]);
  });
});
