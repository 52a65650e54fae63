import { expectCaught } from '@switchyard/test-kit';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Box, layoutTopology } from '../../page/view/topology/layout.ts';

const room = fc.record({
  width: fc.integer({ min: 280, max: 2_000 }),
  height: fc.integer({ min: 0, max: 900 }),
});

function overlap(a: Box, b: Box): boolean {
  return a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;
}

/** All boxes stand inside the picture and none on another. */
function holds(layout: typeof layoutTopology): void {
  fc.assert(
    fc.property(room, fc.integer({ min: 1, max: 12 }), (size, providers) => {
      const { client, gateway, controller, lanes, height } = layout(size, providers);
      const boxes = [client, gateway, controller, ...lanes.flatMap((lane) => [lane.provider, lane.backend])];
      for (const box of boxes) {
        expect(box.x).toBeGreaterThanOrEqual(0);
        expect(box.x + box.width).toBeLessThanOrEqual(size.width + 0.01);
        expect(box.y + box.height).toBeLessThanOrEqual(height + 0.01);
      }
      // Narrower ones show no name any more.
      for (const { provider } of lanes) expect(provider.width).toBeGreaterThan(80);
      const crowded = boxes.some((box, index) => boxes.slice(index + 1).some((other) => overlap(box, other)));
      expect(crowded).toBe(false);
    }),
  );
}

describe('the picture of the topology', () => {
  it('fits every width from 280 px on', () => holds(layoutTopology));

  it('one that never turns to run downwards is caught', () => {
    expectCaught(() => holds((size, providers) => layoutTopology({ ...size, width: 800 }, providers)));
  });
});
