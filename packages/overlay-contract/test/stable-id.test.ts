import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { defaultStableId } from '../src/index.ts';

const kind = 'inference_model';

describe('defaultStableId', () => {
  it('is readable when it fits a header', () => {
    expect(defaultStableId({ kind, name: 'm', site: 'a b', cluster: 'c' })).toBe('inference_model/m/a b/c');
  });

  it('is readable up to 256 bytes', () => {
    const name = 'n'.repeat(256 - kind.length - '//s/c'.length);
    expect(defaultStableId({ kind, name, site: 's', cluster: 'c' })).toHaveLength(256);
    expect(defaultStableId({ kind, name: `${name}n`, site: 's', cluster: 'c' })).toMatch(
      /^sha256:[0-9a-f]{64}$/,
    );
  });

  it.each(['süd', 'a\nb', 'a\u007f', 'trailing '])(
    'is a hash when the text would not survive a header: %j',
    (cluster) => {
      expect(defaultStableId({ kind, name: 'm', site: 's', cluster })).toMatch(/^sha256:[0-9a-f]{64}$/);
    },
  );

  it('hashes each part behind its length in eight bytes', () => {
    const parts = [kind, 'mé', 's', 'c\t'];
    const expected = createHash('sha256');
    for (const part of parts) {
      const bytes = Buffer.from(part);
      expected.update(Buffer.from([0, 0, 0, 0, 0, 0, 0, bytes.length])).update(bytes);
    }
    const id = defaultStableId({ kind, name: 'mé', site: 's', cluster: 'c\t' });
    expect(id).toBe(`sha256:${expected.digest('hex')}`);
  });
});
