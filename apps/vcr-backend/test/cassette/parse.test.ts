import { describe, expect, it } from 'vitest';
import { contentHash, sealCassette } from '../../src/cassette/hash.ts';
import { type CassetteIssue, parseCassette } from '../../src/cassette/parse.ts';
import { cassetteDocument, like, sealedText } from '../cassettes.ts';

function issuesOf(text: string | Uint8Array): readonly CassetteIssue[] {
  const result = parseCassette(typeof text === 'string' ? Buffer.from(text) : text);
  return result.ok ? [] : result.issues;
}

/** A sealed cassette with one member changed before sealing. */
function sealedWith(change: (document: Record<string, Record<string, unknown>>) => void): string {
  const document = cassetteDocument();
  change(document as Record<string, Record<string, unknown>>);
  return sealCassette(document);
}

describe('parseCassette', () => {
  it('decodes text and base64 chunks to bytes', () => {
    const chunks = [
      { offsetMs: 1, text: 'é' },
      { offsetMs: 1.5, base64: '/w==' },
    ];
    const result = parseCassette(Buffer.from(sealedText({ chunks })));
    if (!result.ok) throw new Error('refused');
    expect(result.cassette.response.chunks.map((chunk) => [...chunk.bytes])).toEqual([[0xc3, 0xa9], [0xff]]);
    expect(result.cassette.response.byteLength).toBe(3);
  });

  it('accepts any key order and layout: the hash covers the content', () => {
    const { response, ...rest } = JSON.parse(sealedText()) as Record<string, unknown>;
    expect(issuesOf(JSON.stringify({ response, ...rest }))).toEqual([]);
  });

  it('refuses a changed content, naming both hashes', () => {
    const text = sealedText();
    const tampered = text.replace('made by a test', 'made by a tesT');
    expect(tampered).not.toBe(text);
    const [issue, ...others] = issuesOf(tampered);
    expect(others).toEqual([]);
    expect(issue?.path).toBe('contentHash');
    expect(issue?.message).toContain(contentHash(cassetteDocument()));
    expect(issue?.message).toContain(contentHash(JSON.parse(tampered)));
  });

  it.each([
    ['not JSON', '{"a":', '', /^not JSON: /],
    ['not UTF-8', Buffer.from([0x22, 0xff, 0x22]), '', /^not UTF-8$/],
    ['not an object', '[]', '', /expected a JSON object/],
    ['no version', '{}', 'schemaVersion', /^missing, this version reads 1 only$/],
    ['another version', '{"schemaVersion":2}', 'schemaVersion', /^found 2, this version reads 1 only$/],
    ['deep nesting', `{"schemaVersion":1,"a":${'['.repeat(999)}${']'.repeat(999)}}`, '', /deeper than 256/],
  ])('refuses %s', (_name, text, path, message) => {
    expect(issuesOf(text)).toEqual([{ path, message: like(message) }]);
  });

  const chunk = (value: unknown) => (d: Record<string, Record<string, unknown>>) => {
    (d['response'] ?? {})['chunks'] = [{ offsetMs: 9, text: 'a' }, value];
  };
  const match = (key: string, value: unknown) => (d: Record<string, Record<string, unknown>>) => {
    const fields = d['request']?.['match'] as Record<string, unknown>;
    if (value === undefined) delete fields[key];
    else fields[key] = value;
  };
  it.each([
    ['unknown key', match('pth', '/x'), 'request.match.pth', /^unknown key$/],
    ['a query in the path', match('path', '/x?a=1'), 'request.match.path', /without a query/],
    ['a lower-case method', match('method', 'post'), 'request.match.method', /upper-case/],
    ['a path of another type', match('path', 7), 'request.match.path', /^expected string, found 7$/],
    ['no body', match('body', undefined), 'request.match.body', /missing/],
    ['time going back', chunk({ offsetMs: 8, text: 'b' }), 'response.chunks[1].offsetMs', /8 after 9/],
    ['a negative offset', chunk({ offsetMs: -1, text: 'b' }), 'response.chunks[1].offsetMs', /./],
    ['text and base64', chunk({ offsetMs: 9, text: 'b', base64: '' }), 'response.chunks[1]', /exactly one/],
    ['neither', chunk({ offsetMs: 9 }), 'response.chunks[1]', /exactly one/],
    ['sloppy base64', chunk({ offsetMs: 9, base64: 'YQ' }), 'response.chunks[1].base64', /canonical/],
    ['half a character', chunk({ offsetMs: 9, text: '\ud83d' }), 'response.chunks[1].text', /base64/],
  ])('refuses %s, sealed or not, and says where', (_name, change, path, message) => {
    const issues = issuesOf(sealedWith(change));
    expect(issues).toContainEqual({ path, message: like(message) });
  });

  it.each(['set-cookie', 'content-length', 'Content-Type', 'openai-organization'])(
    'refuses header %s',
    (name) => {
      const text = sealedText({ headers: { [name]: 'x' } });
      expect(issuesOf(text)).toEqual([
        { path: `response.headers.${name}`, message: like(/not on the allow-list/) },
      ]);
    },
  );

  it('refuses a body where HTTP has none', () => {
    expect(issuesOf(sealedText({ status: 204 }))).toEqual([
      { path: 'response.chunks', message: like(/no body/) },
    ]);
  });

  it('reports all issues of a file at once', () => {
    const text = sealedWith((d) => {
      (d as Record<string, unknown>)['id'] = '';
      match('method', 'post')(d);
    });
    expect(issuesOf(text).map((issue) => issue.path)).toEqual(['id', 'request.match.method']);
  });
});
