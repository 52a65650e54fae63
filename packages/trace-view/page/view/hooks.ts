import { useCallback, useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { TraceDetail } from '../../src/contract/traces.ts';
import type { PageState } from '../model/page-state.ts';
import { type Place, readPlace, writePlace } from '../model/place.ts';
import type { Size } from '../model/size.ts';
import type { Source } from '../model/source.ts';

/** The source's state, rendered anew after each change, at most once per frame. */
export function usePageState(source: Source): PageState {
  const [state, setState] = useState(source.state());
  useEffect(() => {
    let frame = 0;
    const update = (): void => {
      frame = 0;
      setState(source.state());
    };
    update();
    const unsubscribe = source.subscribe(() => {
      if (frame === 0) frame = requestAnimationFrame(update);
    });
    return () => {
      cancelAnimationFrame(frame);
      unsubscribe();
    };
  }, [source]);
  return state;
}

/** What the address names, and how to go elsewhere. */
export function usePlace(): readonly [Place, (change: Partial<Place>) => void] {
  const [place, setPlace] = useState(() => readPlace(location.hash));
  useEffect(() => {
    const read = (): void => setPlace(readPlace(location.hash));
    addEventListener('hashchange', read);
    return () => removeEventListener('hashchange', read);
  }, []);
  const go = useCallback((change: Partial<Place>) => {
    const next = { ...readPlace(location.hash), ...change };
    // Replaced and not pushed: sixty steps with the arrow keys must not be sixty steps of the back button.
    history.replaceState(null, '', writePlace(next) || location.pathname + location.search);
    setPlace(next);
  }, []);
  return [place, go];
}

/** The spans of a trace, loaded again when more of them arrived. `undefined` while loading for the first time. */
export function useTrace(
  source: Source,
  traceId: string | null,
  updatedAtMs: number,
): TraceDetail | null | undefined {
  const [loaded, setLoaded] = useState<{ traceId: string; trace: TraceDetail | null } | null>(null);
  // A later arrival of spans is a reason to load again: `updatedAtMs` is listed for that alone.
  useEffect(() => {
    let wanted = true;
    if (traceId === null) setLoaded(null);
    else
      void source.trace(traceId).then((trace) => {
        if (wanted) setLoaded({ traceId, trace });
      });
    return () => {
      wanted = false;
    };
  }, [source, traceId, updatedAtMs]);
  return loaded !== null && loaded.traceId === traceId ? loaded.trace : undefined;
}

/** Size of an element, kept up to date; `assumed` until it is measured. */
export function useSize<E extends Element>(assumed: Size): readonly [{ current: E | null }, Size] {
  const ref = useRef<E>(null);
  const [size, setSize] = useState(assumed);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return undefined;
    const measure = (): void => setSize({ width: element.clientWidth, height: element.clientHeight });
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, []);
  return [ref, size];
}
