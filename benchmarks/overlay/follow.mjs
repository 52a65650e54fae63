// A router that follows a file, with the worker process or without: the parts behind createRouter, since that has no such option.

import { resolveOptions } from '../../packages/ai-route/dist/options/resolve-options.js';
import { OverlaySource } from '../../packages/ai-route/dist/reload/overlay-source.js';
import { selectRoute } from '../../packages/ai-route/dist/select/select.js';
import { createService } from '../../packages/ai-route/dist/service.js';

/** @param mode - `inline` never uses the worker process, `worker` does above 128 KiB. */
export async function follow(overlayFile, mode, emit) {
  const { common, source } = resolveOptions({
    overlayFile,
    reload: { debounceMs: 5, pollMs: 1000 },
    limits: { maxBytes: 2 ** 30, maxCandidates: 1_000_000 },
  });
  const service = createService(common);
  const following = await OverlaySource.start(
    { ...source, clock: common.clock, prepare: service.prepare, emit },
    mode === 'inline' ? { inlineBytesMax: Number.MAX_SAFE_INTEGER } : {},
  );
  return { select: (request) => selectRoute(request, service.context), close: () => following.close() };
}
