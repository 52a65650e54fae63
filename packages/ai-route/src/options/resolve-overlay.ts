import { resolve as resolvePath } from 'node:path';
import type { ParseOverlayOptions } from '@switchyard/overlay-contract';
import type { RouterEvent } from '../events.ts';
import type { OptionReader } from './option-reader.ts';
import type { OverlayRouterOptions } from './options.ts';

/** Reload with every default filled in. */
export interface ResolvedReload {
  readonly enabled: boolean;
  readonly debounceMs: number;
  readonly pollMs: number;
  readonly onMissing: 'refuse' | 'wait';
  /** Absolute. */
  readonly lastGoodFile: string | undefined;
  readonly rollback: 'accept' | 'refuse';
  readonly maxAgeMs: number | undefined;
  readonly onExpired: 'serve' | 'unready';
}

/** An overlay file and how to treat it. */
export interface ResolvedOverlay {
  readonly mode: 'overlay';
  /** Absolute. */
  readonly file: string;
  readonly parse: ParseOverlayOptions & { readonly maxBytes: number };
  readonly reload: ResolvedReload;
  readonly onEvent: (event: RouterEvent) => void;
}

const SCOPE_KEYS = ['network', 'gateway', 'namespace', 'localSite'];
const RELOAD_KEYS = [
  'enabled',
  'debounceMs',
  'pollMs',
  'onMissing',
  'lastGoodFile',
  'rollback',
  'maxAgeSeconds',
  'onExpired',
];

/** Ten years: enough for "never", and seconds that still fit a number of milliseconds. */
const AGE_SECONDS_MAX = 315_360_000;

/** Checks what is said about the overlay file. What is wrong is noted with the reader. */
export function resolveOverlay(reader: OptionReader, options: OverlayRouterOptions): ResolvedOverlay {
  const limits = reader.section('limits', ['maxBytes', 'maxCandidates']);
  const scope = reader.section('expectedScope', SCOPE_KEYS);
  for (const key of SCOPE_KEYS) if (scope.has(key)) scope.text(key);
  const { onEvent, expectedScope } = options;
  if (onEvent !== undefined && typeof onEvent !== 'function') reader.report('onEvent', 'must be a function');
  return {
    mode: 'overlay',
    file: resolvePath(reader.text('overlayFile')),
    parse: {
      ...(expectedScope && { expectedScope }),
      maxBytes: limits.integer('maxBytes', { min: 1, max: 2 ** 30, fallback: 2 * 1024 * 1024 }),
      maxCandidates: limits.integer('maxCandidates', { min: 1, max: 1_000_000, fallback: 1024 }),
    },
    reload: resolveReload(reader),
    onEvent: onEvent ?? (() => undefined),
  };
}

function resolveReload(reader: OptionReader): ResolvedReload {
  const reload = reader.section('reload', RELOAD_KEYS);
  const enabled = reload.boolean('enabled', true);
  const onMissing = reload.choice('onMissing', ['refuse', 'wait'], 'refuse');
  if (onMissing === 'wait' && !enabled)
    reload.report('onMissing', 'is "wait", but with enabled: false nobody looks for the overlay');
  const limited = reload.has('maxAgeSeconds');
  if (reload.has('onExpired') && !limited)
    reload.report('onExpired', 'is given, but nothing expires without maxAgeSeconds');
  const lastGoodFile = reload.has('lastGoodFile') ? reload.text('lastGoodFile') : '';
  const maxAge = { min: 1, max: AGE_SECONDS_MAX, fallback: AGE_SECONDS_MAX };
  return {
    enabled,
    debounceMs: reload.integer('debounceMs', { min: 0, max: 60_000, fallback: 100 }),
    pollMs: reload.integer('pollMs', { min: 10, max: 3_600_000, fallback: 5000 }),
    onMissing,
    lastGoodFile: lastGoodFile === '' ? undefined : resolvePath(lastGoodFile),
    rollback: reload.choice('rollback', ['accept', 'refuse'], 'accept'),
    maxAgeMs: limited ? reload.integer('maxAgeSeconds', maxAge) * 1000 : undefined,
    onExpired: reload.choice('onExpired', ['serve', 'unready'], 'serve'),
  };
}
