import { readFile } from 'node:fs/promises';
import { runReadmeExample } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import {
  ATTEMPT_RESULTS,
  OUTCOME_TABLE,
  type RetryRefusalReason,
  type RouterEvent,
  type RouterOptionsError,
  type RouterStartError,
  type SkipReason,
} from '../src/index.ts';

const readme = await readFile(new URL('../README.md', import.meta.url), 'utf8');

// The compiler keeps these lists complete: a member more or fewer in the type is an error here.
const events: Record<RouterEvent['type'], true> = {
  accepted: true,
  unchanged: true,
  rejected: true,
  unreadable: true,
  rollback: true,
  watch_degraded: true,
  unknown_clusters: true,
  restored: true,
  expired: true,
  last_good_unsaved: true,
  static_mount: true,
  worker_failed: true,
};
const skips: Record<SkipReason, true> = {
  excluded: true,
  existing_only: true,
  unknown_cluster: true,
  ejected: true,
  already_tried: true,
  lower_group: true,
};
const refusals: Record<RetryRefusalReason, true> = {
  not_retryable: true,
  not_replayable: true,
  attempts_exhausted: true,
  too_slow: true,
  budget_exhausted: true,
  no_viable_candidate: true,
};
const errors: Record<RouterOptionsError['code'] | RouterStartError['code'], true> = {
  invalid_options: true,
  overlay_unreadable: true,
  overlay_rejected: true,
};

describe('the README', () => {
  it('has an example that prints what it says', { timeout: 90_000 }, async () => {
    const [, claimed] = /It prints:\n\n```text\n([\s\S]*?)```/.exec(readme) ?? [];
    expect(await runReadmeExample(import.meta.url)).toBe(claimed?.trim());
  });

  it.each(Object.keys({ ...events, ...skips, ...errors }))('explains %s', (word) => {
    expect(readme).toMatch(new RegExp(`\\|.*\`${word}\``));
  });

  it.each(Object.keys(refusals))('explains %s', (word) => expect(readme).toContain(`\`${word}\``));

  it('shows the outcome table as it is', () => {
    const table = readme.slice(readme.indexOf('### Outcomes'), readme.indexOf('### Retries'));
    const shown = table.split('\n').flatMap((line) => {
      const [names = '', ...cells] = line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim());
      return [...names.matchAll(/`(\w+)`/g)].map(([, name = '']) => [name, ...cells]);
    });
    expect(shown).toHaveLength(ATTEMPT_RESULTS.length);
    for (const [name, ...cells] of shown) {
      const result = ATTEMPT_RESULTS.find((one) => one === name) ?? 'answered';
      const { movesOn, health, retryAfter, binding, rebinds } = OUTCOME_TABLE[result];
      const elsewhere = rebinds ? 'moves' : 'stays';
      const then = [movesOn ? 'moves on' : 'final', health, retryAfter ? 'yes' : '', binding];
      expect(cells, name).toEqual([...then, movesOn ? elsewhere : '']);
    }
  });
});
