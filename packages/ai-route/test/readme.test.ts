import { readFile } from 'node:fs/promises';
import { runReadmeExample } from '@switchyard/test-kit';
import { describe, expect, it } from 'vitest';
import type { RouterEvent, RouterOptionsError, RouterStartError, SkipReason } from '../src/index.ts';

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
});
