/** A listener that throws must not stop anything half-way; its error surfaces as an uncaught exception of its own. */
export function isolated<Event>(listener: (event: Event) => void): (event: Event) => void {
  return (event) => {
    try {
      listener(event);
    } catch (error) {
      queueMicrotask(() => {
        throw error;
      });
    }
  };
}
