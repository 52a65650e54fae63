import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  CREDENTIAL_HEADERS,
  filterRequestHeaders,
  filterResponseHeaders,
  HOP_BY_HOP_HEADERS,
} from '../../src/index.ts';

it('every Proxy-* header of a connection is removed, both ways', () => {
  for (const name of [
    'Proxy-Authenticate',
    'Proxy-Authentication-Info',
    'Proxy-Authorization',
    'Proxy-Connection',
  ]) {
    expect(filterRequestHeaders([name, 'x'])).toEqual([]);
    expect(filterResponseHeaders([name, 'x'])).toEqual([]);
  }
});

describe('filterRequestHeaders', () => {
  it('removes every credential slot when told to, in any spelling', () => {
    const raw = [
      'Authorization',
      'a',
      'X-API-Key',
      'b',
      'api-key',
      'c',
      'X-Goog-Api-Key',
      'd',
      'COOKIE',
      'e',
      'x',
      'f',
    ];
    expect(filterRequestHeaders(raw, { drop: CREDENTIAL_HEADERS })).toEqual(['x', 'f']);
    expect(filterRequestHeaders(raw)).toEqual(raw);
  });

  it.each([
    'Anthropic-Api-Key',
    'cf-aig-authorization',
    'Cookie2',
    'Helicone-Auth',
    'x-access-token',
    'X-Forwarded-Access-Token',
    'x-goog-iam-authorization-token',
    'x-litellm-api-key',
    'x-portkey-api-key',
    'X-Serverless-Authorization',
  ])('removes the lesser known slot %s', (name) => {
    expect(filterRequestHeaders([name, 'secret'], { drop: CREDENTIAL_HEADERS })).toEqual([]);
  });

  it('removes host, expect and hop-by-hop headers; keeps accept-encoding and content-length', () => {
    const raw = [
      'Host',
      'h',
      'Expect',
      '100-continue',
      'TE',
      'trailers',
      'Upgrade',
      'h2c',
      'Transfer-Encoding',
      'chunked',
    ];
    const kept = ['Accept-Encoding', 'gzip', 'Content-Length', '3'];
    expect(filterRequestHeaders([...raw, ...kept])).toEqual(kept);
  });

  it('removes what Connection nominates, over several Connection headers, blanks and case', () => {
    const raw = [
      'connection',
      'X-One ,\tx-two',
      'X-ONE',
      '1',
      'Connection',
      'close,x-three,',
      'x-two',
      '2',
      'x-three',
      '3',
    ];
    expect(filterRequestHeaders([...raw, 'x-four', '4'])).toEqual(['x-four', '4']);
  });

  it('set replaces all headers of that name and comes last', () => {
    const raw = ['Authorization', 'client', 'a', '1', 'authorization', 'again'];
    expect(filterRequestHeaders(raw, { set: ['authorization', 'ours', 'b', '2'] })).toEqual([
      ...['a', '1'],
      ...['authorization', 'ours', 'b', '2'],
    ]);
  });

  it('set wins over drop and over a nomination', () => {
    const raw = ['Connection', 'authorization', 'authorization', 'client'];
    const edits = { drop: CREDENTIAL_HEADERS, set: ['authorization', 'ours'] };
    expect(filterRequestHeaders(raw, edits)).toEqual(['authorization', 'ours']);
  });

  it('never changes its input', () => {
    const raw = Object.freeze(['Host', 'h', 'x', '1']);
    expect(filterRequestHeaders(raw, { set: Object.freeze(['y', '2']) })).toEqual(['x', '1', 'y', '2']);
  });
});

describe('filterResponseHeaders', () => {
  it('keeps duplicates, order, case and length; removes hop-by-hop and nominated names', () => {
    const raw = [
      'Set-Cookie',
      'a',
      'Connection',
      'X-Hop',
      'x-hop',
      '1',
      'Set-Cookie',
      'b',
      'Content-Length',
      '1',
    ];
    expect(
      filterResponseHeaders([...raw, 'Keep-Alive', 'timeout=5', 'Transfer-Encoding', 'chunked']),
    ).toEqual([...['Set-Cookie', 'a', 'Set-Cookie', 'b', 'Content-Length', '1']]);
  });
});

/** The rule in its plainest form. */
function plainFilter(raw: readonly string[], also: readonly string[]): string[] {
  const pairs = raw.flatMap((name, i) => (i % 2 === 0 ? [[name, raw[i + 1] ?? ''] as const] : []));
  const nominated = pairs
    .filter(([name]) => name.toLowerCase() === 'connection')
    .flatMap(([, value]) => value.split(',').map((token) => token.trim().toLowerCase()));
  const gone = new Set([...HOP_BY_HOP_HEADERS, ...nominated, ...also]);
  return pairs.filter(([name]) => !gone.has(name.toLowerCase())).flat();
}

describe('property: the filters say what the plain rule says', () => {
  const names = [
    'Connection',
    'connection',
    'HOST',
    'x-a',
    'X-A',
    'x-b',
    'te',
    'Keep-Alive',
    'Set-Cookie',
    'expect',
  ];
  const values = ['', 'x-a', 'X-B, close', 'keep-alive', 'host', ' x-a , x-b ', 'set-cookie'];
  const pair = fc.tuple(fc.constantFrom(...names), fc.constantFrom(...values));
  const headers = fc.array(pair, { maxLength: 12 }).map((pairs) => pairs.flat());

  it('requests', () => {
    fc.assert(
      fc.property(headers, (raw) => {
        expect(filterRequestHeaders(raw)).toEqual(plainFilter(raw, ['host', 'expect']));
      }),
    );
  });

  it('responses', () => {
    fc.assert(
      fc.property(headers, (raw) => {
        expect(filterResponseHeaders(raw)).toEqual(plainFilter(raw, []));
      }),
    );
  });
});
