import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createDebounce } from '../../src/reload/debounce.ts';

describe('a debounce', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('calls once after the last trigger of a burst', () => {
    const call = vi.fn();
    const { trigger } = createDebounce({ delayMs: 100, delayMaxMs: 1000 }, call);
    for (let i = 0; i < 5; i++) {
      trigger();
      vi.advanceTimersByTime(60);
    }
    expect(call).toHaveBeenCalledTimes(0);
    vi.advanceTimersByTime(40);
    expect(call).toHaveBeenCalledTimes(1);
    vi.advanceTimersByTime(10_000);
    expect(call).toHaveBeenCalledTimes(1);
  });

  it('is not put off for ever by triggers that never stop', () => {
    const call = vi.fn();
    const { trigger } = createDebounce({ delayMs: 100, delayMaxMs: 1000 }, call);
    for (let i = 0; i < 100; i++) {
      trigger();
      vi.advanceTimersByTime(50);
    }
    expect(call.mock.calls.length).toBeGreaterThanOrEqual(4);
  });

  it('forgets when cancelled', () => {
    const call = vi.fn();
    const { trigger, cancel } = createDebounce({ delayMs: 100, delayMaxMs: 1000 }, call);
    trigger();
    cancel();
    vi.advanceTimersByTime(10_000);
    expect(call).not.toHaveBeenCalled();
  });
});
