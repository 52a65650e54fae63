import { bench, describe } from 'vitest';
import { scanTopLevelKeys } from '../src/index.ts';

const WORDS = 'The quick brown fox said "hello" and jumped over the lazy dog.\n';
/** What a message of a chat request consists of. */
const SHAPES = {
  'prose in one message': (bytes: number) => [WORDS.repeat(Math.ceil(bytes / WORDS.length))],
  'an image in base64': (bytes: number) => [Buffer.alloc(Math.ceil((bytes * 3) / 4), 'x').toString('base64')],
  'many short messages': (bytes: number) => Array<string>(Math.ceil(bytes / 100)).fill(WORDS),
};

function chatRequest(contents: readonly string[]): Buffer {
  const messages = contents.map((content) => ({ role: 'user', content }));
  return Buffer.from(JSON.stringify({ messages, temperature: 0.7, stream: true, model: 'demo-model' }));
}

for (const [name, bytes] of [
  ['0.5 KB', 500],
  ['10 KB', 10_000],
  ['1 MB', 1_000_000],
] as const) {
  for (const [shape, contents] of Object.entries(SHAPES)) {
    const body = chatRequest(contents(bytes));
    describe(`${name}, ${shape}`, () => {
      bench('scanTopLevelKeys', () => {
        scanTopLevelKeys(body, ['model', 'stream']);
      });
      bench('JSON.parse', () => {
        JSON.parse(body.toString());
      });
    });
  }
}
