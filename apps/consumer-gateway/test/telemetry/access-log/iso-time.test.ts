import fc from 'fast-check';
import { expect, it } from 'vitest';
import { IsoTime } from '../../../src/telemetry/access-log/iso-time.ts';

it('is what Date says, whatever time came before', () => {
  const time = new IsoTime();
  const ms = fc.oneof(fc.integer({ min: -62_167_219_200_000, max: 253_402_300_799_999 }), fc.nat(3000));
  fc.assert(
    fc.property(ms, (at) => {
      expect(time.of(at)).toBe(new Date(at).toISOString());
    }),
  );
});
