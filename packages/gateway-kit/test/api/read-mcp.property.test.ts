import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { ask } from '../support/ask.ts';

/** Any spelling of a string in JSON: every character as it is, or as an escape. */
function spelled(text: string): fc.Arbitrary<string> {
  return fc.array(fc.boolean(), { minLength: text.length, maxLength: text.length }).map((escapes) => {
    const units = Array.from({ length: text.length }, (_, at) => text.charCodeAt(at));
    const parts = units.map((unit, at) =>
      escapes[at] === true
        ? `\\u${unit.toString(16).padStart(4, '0')}`
        : JSON.stringify(String.fromCharCode(unit)).slice(1, -1),
    );
    return `"${parts.join('')}"`;
  });
}

const toolName = fc
  .string({ unit: 'grapheme', minLength: 1, maxLength: 40 })
  .filter((name) => name.trim() !== '' && name.isWellFormed() && Buffer.byteLength(name) <= 256);

interface Call {
  readonly name: string;
  readonly text: string;
}

/** A tool call in any spelling, with other members anywhere that look like what is looked for. */
const toolCall: fc.Arbitrary<Call> = toolName.chain((name) =>
  fc
    .record({
      nameKey: spelled('name'),
      methodKey: spelled('method'),
      method: spelled('tools/call'),
      paramsKey: spelled('params'),
      value: name.isWellFormed() ? spelled(name) : fc.constant(JSON.stringify(name)),
      arguments: fc.jsonValue(),
      decoy: fc.constantFrom('{"name":"decoy"}', '["name","decoy"]', '"\\"name\\":\\"decoy\\""', 'null'),
      order: fc.shuffledSubarray([0, 1, 2, 3, 4], { minLength: 5 }),
      space: fc.constantFrom('', ' ', '\n\t'),
    })
    .map((parts) => {
      const { space } = parts;
      const params = `{"arguments":${JSON.stringify(parts.arguments)},${space}${parts.nameKey}${space}:${parts.value},"_meta":${parts.decoy}}`;
      const members = [
        '"jsonrpc":"2.0"',
        '"id":1',
        `${parts.methodKey}:${space}${parts.method}`,
        `${parts.paramsKey}:${params}`,
        `"x":${parts.decoy}`,
      ];
      const text = `{${parts.order.map((at) => members[at]).join(`${space},`)}}`;
      return { name, text };
    }),
);

/** What a gateway that looks for the first "name" in the text would route by. */
function firstNameInText(text: string): string | undefined {
  return /"name"\s*:\s*"((?:[^"\\]|\\.)*)"/.exec(text)?.[1];
}

describe('the tool of a call', () => {
  it('is the one that JSON.parse finds, in every spelling and order', () => {
    fc.assert(
      fc.property(toolCall, ({ name, text }) => {
        expect((JSON.parse(text) as { params: { name: string } }).params.name).toBe(name);
        expect(ask(text, { target: '/mcp' })).toMatchObject({ ok: true, asked: { name, kind: 'mcp_tool' } });
      }),
    );
  });

  it('a search for the first "name" would route some calls elsewhere', () => {
    const wrong = fc.property(toolCall, ({ name, text }) => firstNameInText(text) === name);
    expectCaught(() => fc.assert(wrong));
  });

  it('a header that says the same in Base64 agrees, and one that says another does not', () => {
    fc.assert(
      fc.property(toolCall, toolName, ({ name, text }, other) => {
        const headers = (said: string): string[] => [
          ...['mcp-method', 'tools/call'],
          ...['mcp-name', `=?base64?${Buffer.from(said).toString('base64')}?=`],
        ];
        expect(ask(text, { target: '/mcp', headers: headers(name) }).ok).toBe(true);
        expect(ask(text, { target: '/mcp', headers: headers(other) }).ok).toBe(other === name);
      }),
    );
  });
});
