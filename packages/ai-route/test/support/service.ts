import { ManualClock, seededRandom } from '@switchyard/test-kit';
import type { CommonRouterOptions } from '../../src/options/options.ts';
import { resolveOptions } from '../../src/options/resolve-options.ts';
import { createService, type Service } from '../../src/service.ts';

/** The decision core by itself, with a clock that stands still until told otherwise and repeatable draws. */
export function newService(options: CommonRouterOptions = {}): Service {
  const { common } = resolveOptions({
    candidates: [],
    localSite: 'here',
    clock: new ManualClock(),
    random: seededRandom(7),
    ...options,
  });
  return createService(common);
}
