// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the config files under test hold ${ENV} references.
import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { maskReferences, unmask } from '../../src/config/expand-env.ts';
import { parseYamlSource } from '../../src/config/yaml-source.ts';

type Load = (text: string, env: NodeJS.ProcessEnv) => unknown;

const ours: Load = (text, env) => {
  const source = parseYamlSource(text, env);
  expect(source.problems).toEqual([]);
  return source.value;
};

/** Known-bad: expands in the text, before YAML reads it. */
const textual: Load = (text, env) =>
  parse(text.replace(/\$\{(\w+)\}/g, (_, name: string) => env[name] ?? '')) as unknown;

/** Known-bad: keeps every expanded value as text. */
const untyped: Load = (text, env) => {
  const value = parse(text.replace(/\$\{V\}/g, 'placeholder')) as Record<string, unknown>;
  return JSON.parse(JSON.stringify(value), (_, inner: unknown) =>
    inner === 'placeholder' ? env['V'] : inner,
  ) as unknown;
};

const hostile = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom(
      'a',
      ':',
      ' ',
      '#',
      '\n',
      '"',
      "'",
      '{',
      '}',
      '[',
      ']',
      ',',
      '-',
      '&',
      '*',
      '!',
      '|',
      '>',
      '%',
      '$',
      '\\',
      '1',
    ),
  }),
  fc.constantFrom(
    '1, admin: true',
    'a\nadmin: true',
    '" # ',
    '*x',
    '&x y',
    '!!js/f',
    '- a',
    '${V}',
    '{a: 1}',
    '...',
    '---\na: b',
  ),
);

/** A variable's value lands as one scalar, whatever it holds, and nothing else in the document changes. */
function neverStructure(load: Load): void {
  fc.assert(
    fc.property(hostile, (value) => {
      const env = { V: value };
      const flow = load('{ plain: ${V}, quoted: "${V}", single: \'${V}\', last: 1 }', env);
      const block = load('plain: ${V}\nquoted: "${V}"\nsingle: \'${V}\'\nlast: 1\n', env);
      for (const loaded of [flow, block]) {
        const { plain, ...rest } = loaded as Record<string, unknown>;
        expect(rest).toEqual({ quoted: value, single: value, last: 1 });
        expect(typeof plain === 'object' && plain !== null).toBe(false);
        if (typeof plain === 'string') expect(plain).toBe(value);
      }
    }),
  );
}

/** A plain reference is typed as if its value had been written into the file. */
function typedAsWritten(load: Load): void {
  const scalar = fc.oneof(
    fc.integer().map(String),
    fc.double({ noNaN: true, noDefaultInfinity: true }).map(String),
    fc.constantFrom(
      'true',
      'false',
      'null',
      '0x1F',
      '0o17',
      '1e3',
      '.5',
      '-.inf',
      'yes',
      '08',
      '1_000',
      'v1',
      '',
    ),
  );
  fc.assert(
    fc.property(scalar, (value) => {
      expect(load('a: ${V}', { V: value })).toEqual(parse(`a: ${value}`));
    }),
  );
}

describe('expansion never injects structure', () => {
  it('holds', () => neverStructure(ours));
  it('catches expansion before parsing', () => expectCaught(() => neverStructure(textual)));
});

describe('expansion happens before typing', () => {
  it('holds', () => typedAsWritten(ours));
  it('catches values that stay text', () => expectCaught(() => typedAsWritten(untyped)));
});

describe('masking', () => {
  const text = fc.array(fc.constantFrom('a', '${A}', '$${B}', '${C:-x y}', '${', '}', '\n', '$', ' '), {
    maxLength: 40,
  });

  it('keeps every position and can be undone', () => {
    fc.assert(
      fc.property(text, (parts) => {
        const written = parts.join('');
        const masked = maskReferences(written);
        expect(masked.text).toHaveLength(written.length);
        expect(unmask(masked.text, masked)).toBe(written);
        for (const { raw, offset } of masked.references) expect(written.startsWith(raw, offset)).toBe(true);
      }),
    );
  });

  it('hands every reference its own value, however many there are', () => {
    const count = 5000;
    const env = Object.fromEntries(Array.from({ length: count }, (_, index) => [`V${index}`, String(index)]));
    const lines = Array.from({ length: count }, (_, index) => `- \${V${index}}`).join('\n');
    expect(ours(lines, env)).toEqual(Array.from({ length: count }, (_, index) => index));
  });
});

describe('a file without references', () => {
  it('reads exactly as plain YAML does', () => {
    const value = fc.dictionary(
      fc.string().filter((key) => !key.includes('${')),
      fc.oneof(
        fc.integer(),
        fc.boolean(),
        fc.constant(null),
        fc.string().filter((item) => !item.includes('${')),
      ),
    );
    fc.assert(
      fc.property(value, (data) => {
        const text = JSON.stringify(data);
        expect(ours(text, {})).toEqual(parse(text));
      }),
    );
  });
});
