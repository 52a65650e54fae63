import { describe, expect, it } from 'vitest';
import { resolveShutdown, shutdownDeadlineMs, shutdownSchema } from '../../src/index.ts';

describe('shutdown', () => {
  it.each([
    ['127.0.0.1', 0],
    ['127.9.9.9', 0],
    ['localhost', 0],
    ['::1', 0],
    ['0.0.0.0', 5000],
    ['::', 5000],
    ['10.0.0.1', 5000],
    ['gateway.example', 5000],
  ])('on %s waits %i ms for balancers to notice, unless told otherwise', (host, delayMs) => {
    const listen = { host, port: 0 };
    expect(resolveShutdown(shutdownSchema.parse({}), listen)).toEqual({ delayMs, drainMs: 15_000 });
    expect(resolveShutdown(shutdownSchema.parse({ delayMs: 0, drainMs: 0 }), listen)).toEqual({
      delayMs: 0,
      drainMs: 0,
    });
  });

  it('ends the process in any case some seconds after the cut', () => {
    expect(shutdownDeadlineMs({ delayMs: 5000, drainMs: 15_000 })).toBe(25_000);
  });
});
