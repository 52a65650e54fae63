import { describe, expect, it } from 'vitest';
import { routingSchema } from '../../src/config/routing.ts';

const parse = (routing: object) => routingSchema.safeParse({ overlayFile: 'overlay.json', ...routing });

describe('the configuration of failures, sessions and starts', () => {
  it('takes zero wherever it means "none"', () => {
    const retry = { withinMs: 0, budget: { ratio: 0, minConcurrent: 0 } };
    const viability = { consecutiveFailures: 0, retryAfterMaxMs: 0, jitter: 0 };
    expect(parse({ retry, viability }).data).toMatchObject({ retry, viability });
  });

  it('takes every mode of affinity, and a hashed start', () => {
    for (const affinity of [
      { mode: 'rendezvous' },
      { mode: 'table', onReturn: 'failBack' },
      { mode: 'cookie', keyFile: './keys', onReturn: 'failBack' },
    ])
      expect(parse({ affinity }).data).toMatchObject({ affinity });
    const start = { mode: 'hashed', instanceId: 'gateway-1' };
    expect(parse({ start }).data).toMatchObject({ start });
  });

  it.each([
    ['affinity.keyFile', { affinity: { mode: 'cookie' } }, /mode "cookie" needs "keyFile"/],
    ['affinity.keyFile', { affinity: { keyFile: './keys' } }, /has no effect without mode "cookie"/],
    ['affinity.onReturn', { affinity: { mode: 'rendezvous', onReturn: 'failBack' } }, /always return/],
    [
      'viability.maxEjectionMs',
      { viability: { ejectionMs: 10, maxEjectionMs: 9 } },
      /at least "ejectionMs", which is 10/,
    ],
    ['retry.budget.ratio', { retry: { budget: { ratio: 20 } } }, /<=1/],
    ['start.instanceId', { start: { mode: 'hashed' } }, /expected string/],
    ['start', { start: { mode: 'first', instanceId: 'x' } }, /Unrecognized key/],
  ])('refuses %s in %o', (path, routing, message) => {
    const issues = parse(routing).error?.issues ?? [];
    expect(issues.map((issue) => issue.path.join('.'))).toContain(path);
    expect(issues.map((issue) => issue.message).join()).toMatch(message);
  });
});
