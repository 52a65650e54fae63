import type { InferenceProvider, Opaque } from './model.ts';
import { parseDurationMs } from './text/durations.ts';

/** Where and how often a provider's health is probed. */
export interface HealthTarget {
  readonly url: string;
  /** Default 2000. */
  readonly timeoutMs: number;
  /** Default 10000. */
  readonly intervalMs: number;
  /** `healthCheck.tls`, else the provider's `tls`, as written. */
  readonly tls?: Opaque;
}

const DEFAULT_PATH = '/health';
const DEFAULT_TIMEOUT = '2s';
const DEFAULT_INTERVAL = '10s';

/**
 * The probe of a provider: `healthCheck.endpoint`, else `endpoint`, followed by `healthCheck.path` (default `/health`).
 * A path of the endpoint itself is kept: `https://host/pool` and `/health` give `https://host/pool/health`.
 *
 * @returns `undefined` when the provider has no `healthCheck`: it is not probed and its phase stays `unknown`, which
 * is usable. External APIs seldom have a health endpoint that an unauthenticated request may ask.
 * @throws {@link GridCoreError} `invalid_duration` for an object that did not come from a valid manifest.
 * @throws TypeError likewise, when the endpoint is not a URL.
 */
export function healthTarget(provider: InferenceProvider): HealthTarget | undefined {
  const { healthCheck, endpoint, tls: sharedTls } = provider.spec;
  if (healthCheck === undefined) return undefined;
  const tls = healthCheck.tls ?? sharedTls;
  return {
    url: joinUrl(healthCheck.endpoint ?? endpoint, healthCheck.path ?? DEFAULT_PATH),
    timeoutMs: parseDurationMs(healthCheck.timeout ?? DEFAULT_TIMEOUT),
    intervalMs: parseDurationMs(healthCheck.interval ?? DEFAULT_INTERVAL),
    ...(tls === undefined ? {} : { tls }),
  };
}

function joinUrl(endpoint: string, path: string): string {
  const base = new URL(endpoint);
  // Resolved as a text, not against the base: a path such as //host would otherwise name another machine.
  return new URL(`${base.origin}${base.pathname.replace(/\/+$/, '')}${path}`).href;
}
