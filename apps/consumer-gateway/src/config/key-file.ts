import { readFileSync } from 'node:fs';
import { RouterOptionsError } from '@switchyard/ai-route';

/** Where the keys are named in the configuration, below `routing`. */
const PATH = 'affinity.keyFile';
/** As long as the signature: a shorter key would be the easier thing to guess. */
const KEY_BYTES_MIN = 32;

/**
 * The keys of a key file: one per line in base64, at least 32 bytes each; empty lines and lines that begin with `#` don't
 * count. What a line holds is never shown.
 *
 * @throws {@link RouterOptionsError} when the file cannot be read or a line is no key.
 */
export function readKeyFile(file: string): readonly Uint8Array[] {
  const lines = linesOf(file).map((line, index) => ({ text: line.trim(), number: index + 1 }));
  const keys = lines
    .filter(({ text }) => text !== '' && !text.startsWith('#'))
    .map(({ text, number }) => {
      const key = /^[A-Za-z0-9+/_-]+={0,2}$/.test(text) ? Buffer.from(text, 'base64') : Buffer.alloc(0);
      if (key.length >= KEY_BYTES_MIN) return key;
      throw unusable(
        `line ${number} of ${file} is no key: expected ${KEY_BYTES_MIN} bytes or more in base64`,
      );
    });
  if (keys.length === 0) throw unusable(`${file} has no key; make one with: openssl rand -base64 32`);
  return keys;
}

function linesOf(file: string): string[] {
  try {
    return readFileSync(file, 'utf8').split('\n');
  } catch (error) {
    throw unusable(`cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
}

function unusable(message: string): RouterOptionsError {
  return new RouterOptionsError([{ path: PATH, message }]);
}
