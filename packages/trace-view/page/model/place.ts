/** What a deep link names, such as `#request=17&provider=provider-b`. */
export interface Place {
  /** Number of the chosen request; null when none is chosen. */
  readonly request: number | null;
  /** Provider that the table is filtered by; null for all. */
  readonly provider: string | null;
}

/** Reads `location.hash`. What makes no sense counts as absent. */
export function readPlace(hash: string): Place {
  const parameters = new URLSearchParams(hash.replace(/^#/, ''));
  const request = parameters.get('request') ?? '';
  const provider = parameters.get('provider') ?? '';
  return {
    request: /^[1-9]\d{0,8}$/.test(request) ? Number(request) : null,
    provider: provider === '' ? null : provider,
  };
}

/** The hash that {@link readPlace} reads back; empty when nothing is named. */
export function writePlace({ request, provider }: Place): string {
  const parameters = new URLSearchParams();
  if (request !== null) parameters.set('request', String(request));
  if (provider !== null) parameters.set('provider', provider);
  const text = parameters.toString();
  return text === '' ? '' : `#${text}`;
}
