/** A delayed call that many triggers share. */
export interface Debounce {
  /** Asks for a call, `delayMs` after the last of a burst but no later than `delayMaxMs` after its first. */
  trigger(): void;
  /** Forgets what was asked for. */
  cancel(): void;
}

/** @param call - Runs once per burst. */
export function createDebounce(delays: { delayMs: number; delayMaxMs: number }, call: () => void): Debounce {
  let trailing: NodeJS.Timeout | undefined;
  let latest: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    clearTimeout(trailing);
    clearTimeout(latest);
    trailing = undefined;
    latest = undefined;
  };
  const fire = (): void => {
    cancel();
    call();
  };
  return {
    trigger() {
      clearTimeout(trailing);
      trailing = setTimeout(fire, delays.delayMs);
      latest ??= setTimeout(fire, delays.delayMaxMs);
    },
    cancel,
  };
}
