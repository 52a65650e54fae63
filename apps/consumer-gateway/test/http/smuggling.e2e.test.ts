import { rawHttp } from '@switchyard/test-kit';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { CHAT } from '../support/client.ts';
import { startGateway, type TestGateway } from '../support/gateway.ts';

let gateway: TestGateway;
let port: number;
beforeAll(async () => {
  gateway = await startGateway({ clusters: ['provider-a'] });
  port = gateway.app.port('proxy');
});
afterAll(() => gateway[Symbol.asyncDispose]());

const LINE = 'POST /v1/chat/completions HTTP/1.1';
const CHUNK = `${CHAT.length.toString(16)}\r\n${CHAT}\r\n`;
const CHUNKED = `${CHUNK}0\r\n\r\n`;
const LENGTH = `Content-Length: ${CHAT.length}`;
/** What an attacker hopes is taken for the next client's request. */
const SMUGGLED = `${LINE}\r\nHost: x\r\n${LENGTH}\r\n\r\n${CHAT}`;

const withHead = (...headers: string[]): string => [LINE, 'Host: x', ...headers].join('\r\n');
const lengthed = (...headers: string[]): string => `${withHead(...headers)}\r\n\r\n${CHAT}`;
const chunked = (...headers: string[]): string => `${withHead(...headers)}\r\n\r\n${CHUNKED}`;
const chunks = (body: string): string => `${withHead('Transfer-Encoding: chunked')}\r\n\r\n${body}`;

const twoFramings: [string, string][] = [
  ['CL.TE: a length and chunks', chunked('Content-Length: 6', 'Transfer-Encoding: chunked')],
  ['TE.CL: chunks and a length', chunked('Transfer-Encoding: chunked', 'Content-Length: 6')],
  ['TE.TE: chunked twice', chunked('Transfer-Encoding: chunked', 'Transfer-Encoding: chunked')],
  ['TE.TE: chunked twice in one header', chunked('Transfer-Encoding: chunked, chunked')],
  ['TE.TE: chunked, then identity', chunked('Transfer-Encoding: chunked', 'Transfer-Encoding: identity')],
  ['TE.TE: chunked, then something unknown', chunked('Transfer-Encoding: chunked', 'Transfer-Encoding: cow')],
  ['two lengths that differ', lengthed(LENGTH, 'Content-Length: 0')],
  ['two lengths that agree', lengthed(LENGTH, LENGTH)],
  ['a list of lengths', lengthed(`${LENGTH}, ${CHAT.length}`)],
  ['an empty transfer-encoding beside a length', lengthed('Transfer-Encoding:', LENGTH)],
];
const oddLengths: [string, string][] = [
  '+2',
  '-2',
  '0x2',
  '2 2',
  '2\v',
  '2,',
  '',
  '2e0',
  '2.0',
  '18446744073709551618',
  '9'.repeat(30),
].map((value) => [`a length of ${JSON.stringify(value)}`, lengthed(`Content-Length: ${value}`)]);
const codings: [string, string][] = [
  ['chunked that is not last', chunked('Transfer-Encoding: chunked, gzip')],
  ['a coding before chunked', chunked('Transfer-Encoding: gzip, chunked')],
  ['an empty element before chunked', chunked('Transfer-Encoding: ,chunked')],
  ['identity', chunked('Transfer-Encoding: identity')],
  ['chunked with a parameter', chunked('Transfer-Encoding: chunked;q=1')],
  ['chunked in quotes', chunked('Transfer-Encoding: "chunked"')],
  ['chunked behind a vertical tab', chunked('Transfer-Encoding: \vchunked')],
  ['nearly chunked', chunked('Transfer-Encoding: xchunked')],
  ['HTTP/1.0 with chunks', chunked('Transfer-Encoding: chunked').replace('HTTP/1.1', 'HTTP/1.0')],
];
const headers: [string, string][] = [
  ['a space before the colon', lengthed(`Content-Length : ${CHAT.length}`)],
  ['a tab before the colon', chunked('Transfer-Encoding\t: chunked')],
  ['a folded value', lengthed('X: a', ' b', LENGTH)],
  ['a folded length', lengthed('Content-Length:', ` ${CHAT.length}`)],
  ['a header hidden in a fold', lengthed('X: a', ' Transfer-Encoding: chunked', LENGTH)],
  ['bare line feeds', lengthed(LENGTH).replaceAll('\r\n', '\n')],
  ['one bare line feed', lengthed('X: a\nTransfer-Encoding: chunked', LENGTH)],
  ['a bare carriage return', lengthed('X: a\rTransfer-Encoding: chunked', LENGTH)],
  ['a doubled carriage return', lengthed('X: a\r', LENGTH)],
  ['NUL in a value', lengthed('X: a\0b', LENGTH)],
  ['NUL in a name', lengthed('X\0: a', LENGTH)],
  ['a name without a colon', lengthed('X', LENGTH)],
  ['an empty name', lengthed(': a', LENGTH)],
];
const hosts: [string, string][] = [
  ['no host', lengthed(LENGTH).replace('Host: x\r\n', '')],
  ['two hosts', lengthed('Host: y', LENGTH)],
  ['the same host twice', lengthed('Host: x', LENGTH)],
  ['an empty host', lengthed(LENGTH).replace('Host: x', 'Host:')],
  ['a list of hosts', lengthed(LENGTH).replace('Host: x', 'Host: x, y')],
  ['a host with a user', lengthed(LENGTH).replace('Host: x', 'Host: u@x')],
  ['a target for another host', lengthed(LENGTH).replace(' /v1', ' http://y/v1')],
  ['a target with a fragment', lengthed(LENGTH).replace('completions', 'completions#x')],
  ['authority form', lengthed(LENGTH).replace('/v1/chat/completions', 'x:80')],
  ['a space in the target', lengthed(LENGTH).replace('completions', 'comple tions')],
  ['NUL in the target', lengthed(LENGTH).replace('completions', 'comple\0tions')],
  ['HTTP/2.0 in the words of 1.1', lengthed(LENGTH).replace('HTTP/1.1', 'HTTP/2.0')],
];
const badChunks: [string, string][] = [
  ['a chunk size with a plus', chunks(`+${CHUNKED}`)],
  ['a chunk size with a minus', chunks(`-${CHUNKED}`)],
  ['a chunk size with 0x', chunks(`0x${CHUNKED}`)],
  ['a space before a chunk size', chunks(` ${CHUNKED}`)],
  ['a space after a chunk size', chunks(CHUNKED.replace('\r\n', ' \r\n'))],
  ['an empty chunk size', chunks(CHUNKED.replace(/^.+?\r\n/, '\r\n'))],
  ['a chunk size beyond 64 bits', chunks(`1000000000000000${CHUNKED}`)],
  ['a chunk longer than its size', chunks(`1${CHUNKED.slice(CHUNKED.indexOf('\r\n'))}`)],
  ['a chunk size that ends with a line feed', chunks(CHUNKED.replace('\r\n', '\n'))],
  ['an extension that ends with a line feed', chunks(CHUNKED.replace('\r\n', ';a\n'))],
  ['a chunk that ends with a line feed', chunks(CHUNKED.replace('}\r\n', '}\n'))],
  ['a last chunk that ends with a line feed', chunks(`${CHUNK}0\r\n\n`)],
  ['a chunk extension of 20 KB', chunks(CHUNKED.replace('\r\n', `;a=${'b'.repeat(20_000)}\r\n`))],
  ['a length among the trailers', chunks(`${CHUNK}0\r\nContent-Length: 3\r\n\r\n`)],
  ['chunks among the trailers', chunks(`${CHUNK}0\r\nTransfer-Encoding: chunked\r\n\r\n`)],
];

describe.each([
  ['two framings', twoFramings],
  ['lengths that are none', oddLengths],
  ['transfer codings', codings],
  ['headers that readers split differently', headers],
  ['hosts and targets', hosts],
  ['chunks', badChunks],
])('a request with %s is refused with everything behind it, and no provider hears of it:', (_what, cases) => {
  it.each(cases)('%s', async (_name, text) => {
    const before = gateway.upstream('provider-a').requests.length;
    const answer = await rawHttp(port, Buffer.from(text + SMUGGLED, 'latin1'));
    expect(answer).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(answer.toLowerCase()).toContain('\r\nconnection: close\r\n');
    expect(answer.match(/HTTP\/1\.1 /g)).toHaveLength(1);
    expect(JSON.parse(answer.slice(answer.indexOf('{')))).toMatchObject({
      error: { code: 'malformed_request' },
    });
    expect(gateway.upstream('provider-a').requests.length).toBe(before);
  });
});

describe('what only looks odd is served, and reaches the provider in one plain framing:', () => {
  const close = 'Connection: close';
  it.each([
    [
      'chunk extensions',
      chunked('Transfer-Encoding: chunked', close).replace(CHUNK, CHUNK.replace('\r\n', ';a=b;c="d;e"\r\n')),
    ],
    ['trailers', chunked('Transfer-Encoding: chunked', close).replace('0\r\n\r\n', '0\r\nX-Sum: 1\r\n\r\n')],
    ['CHUNKED in capitals', chunked('Transfer-Encoding: CHUNKED', close)],
    ['a length with leading zeros', lengthed(`Content-Length: 00${CHAT.length}`, close)],
    ['a length that Connection nominates', lengthed(LENGTH, 'Connection: close, content-length')],
    [
      'an upgrade nobody offers',
      lengthed(LENGTH, 'Connection: close, Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AA'),
    ],
    ['HTTP/1.0', lengthed(LENGTH).replace('HTTP/1.1', 'HTTP/1.0')],
    ['empty lines before the request', `\r\n\r\n${lengthed(LENGTH, close)}`],
  ])('%s', async (_name, text) => {
    expect(await rawHttp(port, text)).toMatch(/^HTTP\/1\.1 200 OK\r\n/);
    const received = gateway.upstream('provider-a').requests.at(-1);
    expect(received?.body.toString()).toBe(CHAT);
    expect(received?.header('content-length')).toBe(String(CHAT.length));
    for (const name of ['transfer-encoding', 'trailer', 'upgrade', 'http2-settings', 'x-sum'])
      expect(received?.header(name)).toBeUndefined();
  });
});
