import { ManualClock } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import { SpanClock, toHrTime } from '../../../src/telemetry/trace/span-clock.ts';

describe('SpanClock', () => {
  it('has fractions of a millisecond, and follows the wall clock only when that was set', () => {
    let [wall, monotonic] = [1_700_000_000_000, 5000.25];
    const clock = new SpanClock({ wall: () => wall, monotonic: () => monotonic });
    expect(clock.now()).toBe(1_700_000_000_000);
    [wall, monotonic] = [wall + 1, monotonic + 0.5];
    expect(clock.now()).toBe(1_700_000_000_000.5);
    // An hour back, as an administrator does.
    wall -= 3_600_000;
    expect(clock.now()).toBe(wall);
    monotonic += 2;
    expect(clock.now()).toBe(wall + 2);
  });

  it('reads the real clocks by default', () => {
    const before = Date.now();
    expect(new SpanClock().now()).toBeGreaterThanOrEqual(before - 1);
    expect(new ManualClock().now()).toBeGreaterThan(0);
  });

  it.each([
    [1500.25, [1, 500_250_000]],
    [1_764_460_800_000.0625, [1_764_460_800, 62_500]],
    [0, [0, 0]],
    [999.999_999_9, [1, 0]],
  ])('%d ms as seconds and nanoseconds', (ms, expected) => {
    expect(toHrTime(ms)).toEqual(expected);
  });
});
