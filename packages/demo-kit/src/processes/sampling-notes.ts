/** Variables with which a shell would hide spans, and the values that hide none. */
const HIDING: Readonly<Record<string, RegExp>> = {
  OTEL_SDK_DISABLED: /^(?!true$)/i,
  OTEL_TRACES_EXPORTER: /^(?!none$)/i,
  OTEL_TRACES_SAMPLER: /^(parentbased_)?always_on$/i,
  // Version, trace id, parent id, flags: an odd last digit is "sampled".
  TRACEPARENT: /^(?!..-.{32}-.{16}-.[02468ace](-|$))/i,
};

/**
 * What in the caller's environment would have hidden spans from the evidence, one line each. A demo's processes sample
 * every request whatever it says: without all spans there is nothing to count.
 */
export function samplingNotes(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(HIDING).flatMap(([name, harmless]) => {
    const value = env[name]?.trim() ?? '';
    return value === '' || harmless.test(value)
      ? []
      : [`${name}=${value} would hide spans from the evidence; every request is sampled here all the same`];
  });
}
