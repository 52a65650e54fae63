/**
 * Holds a property against what is known to be wrong: it must fail. One run draws at random and may miss a rare
 * difference, and a test that does so once in a thousand runs is flaky; so the property is run anew until it fails.
 *
 * @param property - throws when it is violated, as `fc.assert` does; draws anew each time.
 * @param attempts - runs after which the property is said to be blind; default 30.
 * @throws Error when no run failed.
 */
export function expectCaught(property: () => void, attempts = 30): void {
  for (let attempt = 0; attempt < attempts; attempt++) {
    try {
      property();
    } catch {
      return;
    }
  }
  throw new Error(
    `the property held in ${attempts} runs for what is known to be wrong: it does not catch it`,
  );
}
