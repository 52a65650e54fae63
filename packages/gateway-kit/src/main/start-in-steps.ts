import type { RunningApp } from './app-definition.ts';

/** Way back of one step of a start. */
export type CloseStep = () => void | Promise<void>;

/**
 * Starts an app part by part. `open` names the way back of each part right after it is up; they are run in the opposite
 * order by `close()`, and at once when a later part fails. A way back that fails doesn't stop the others.
 *
 * @param open given a function to name ways back with
 * @returns the running app; its `close()` rejects with an AggregateError when ways back failed
 * @throws what `open` throws, after everything that was up is closed
 */
export async function startInSteps(
  open: (onClose: (step: CloseStep) => void) => Promise<void>,
): Promise<RunningApp> {
  const steps: CloseStep[] = [];
  const close = async (): Promise<void> => {
    const failed: unknown[] = [];
    for (const step of steps.splice(0).reverse()) {
      try {
        await step();
      } catch (error) {
        failed.push(error);
      }
    }
    if (failed.length > 0) throw new AggregateError(failed, `${failed.length} parts could not be closed`);
  };
  try {
    await open((step) => steps.push(step));
  } catch (error) {
    // What failed first says more than what failed because of it.
    await close().catch(() => undefined);
    throw error;
  }
  return { close };
}
