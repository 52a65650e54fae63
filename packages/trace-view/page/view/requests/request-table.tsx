import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { RequestRow } from '../../../src/page/state.ts';
import { lookOf, type ProviderLook } from '../../model/providers.ts';
import { rowWindow } from '../../model/window.ts';
import { useSize } from '../hooks.ts';
import { TableRow } from './table-row.tsx';

/** Height of every row in pixels; the stylesheet has the same number. */
const ROW_HEIGHT = 32;
/** Taken before the first measurement. */
const ASSUMED_SIZE = { width: 0, height: 480 };
const COLUMNS = [
  '#',
  'Time',
  'Provider',
  'Group',
  'Policy',
  'Affinity',
  'Attempts',
  'Status',
  'First byte',
  'Total',
  'Trace',
];
const NUMERIC = new Set(['#', 'Group', 'Attempts', 'First byte', 'Total']);

interface RequestTableProps {
  readonly rows: readonly RequestRow[];
  readonly looks: readonly ProviderLook[];
  readonly chosen: number | null;
  readonly choose: (number: number) => void;
  readonly follow: { readonly following: boolean; readonly stop: () => void };
  readonly traceUrl: string | null;
}

/** A real table of any length, of which only the rows in sight exist. Arrow keys move the choice. */
export function RequestTable({ rows, looks, chosen, choose, follow, traceUrl }: RequestTableProps) {
  const [port, { height }] = useSize<HTMLElement>(ASSUMED_SIZE);
  const [scrollTop, setScrollTop] = useState(0);
  const view = rowWindow(rows.length, { scrollTop, height, rowHeight: ROW_HEIGHT });
  const chosenIndex = chosen === null ? -1 : rows.findIndex(({ number }) => number === chosen);
  const entry = (chosenIndex < 0 ? rows.at(-1) : rows[chosenIndex])?.number;
  const takesFocus = useFocusOnChosen(port);
  useScrolling(port, { rows: rows.length, chosenIndex, following: follow.following });

  const onScroll = (): void => {
    const element = port.current;
    if (element === null) return;
    setScrollTop(element.scrollTop);
    const fromEnd = element.scrollHeight - element.clientHeight - element.scrollTop;
    if (follow.following && fromEnd > ROW_HEIGHT * 2) follow.stop();
  };
  const onKeyDown = (event: KeyboardEvent): void => {
    const next = rows[target(event.key, { at: chosenIndex, last: rows.length - 1 })];
    if (next === undefined) return;
    event.preventDefault();
    // Still true while an earlier key waits for its row: keys may come faster than rows.
    takesFocus.current ||= document.activeElement !== port.current;
    choose(next.number);
  };
  return (
    <section
      class="port"
      ref={port}
      onScroll={onScroll}
      onKeyDown={onKeyDown}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard (WCAG 2.1.1)
      tabIndex={0}
      aria-label="Requests, arrow keys choose one"
    >
      <table aria-rowcount={rows.length + 1}>
        <caption class="hidden">Requests in the order sent</caption>
        <thead>
          <tr aria-rowindex={1}>
            {COLUMNS.map((column) => (
              <th key={column} scope="col" class={NUMERIC.has(column) ? 'number' : ''}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <Spacer height={view.before} />
          {rows.slice(view.first, view.end).map((row, offset) => (
            <TableRow
              key={row.number}
              row={row}
              index={view.first + offset + 2}
              look={lookOf(looks, row.provider)}
              chosen={row.number === chosen}
              entry={row.number === entry}
              traceUrl={traceUrl}
            />
          ))}
          <Spacer height={view.after} />
        </tbody>
      </table>
    </section>
  );
}

/** Stands for the rows that are out of sight. */
function Spacer({ height }: { readonly height: number }) {
  return height === 0 ? null : (
    <tr class="spacer" style={{ height: `${height}px` }}>
      <td colSpan={COLUMNS.length} />
    </tr>
  );
}

/** Keeps the newest row in sight while following, and the chosen one when the choice moves. */
function useScrolling(
  port: { readonly current: HTMLElement | null },
  { rows, chosenIndex, following }: { rows: number; chosenIndex: number; following: boolean },
): void {
  useLayoutEffect(() => {
    if (following && port.current !== null) port.current.scrollTop = port.current.scrollHeight;
  }, [port, rows, following]);
  useEffect(() => {
    const element = port.current;
    if (element === null || chosenIndex < 0) return;
    const top = chosenIndex * ROW_HEIGHT;
    const room = element.clientHeight - ROW_HEIGHT * 2;
    // Whole rows, and the middle: who comes by a deep link sees what was before and after.
    if (top < element.scrollTop || top > element.scrollTop + room)
      element.scrollTop = Math.max(0, Math.round((top - room / 2) / ROW_HEIGHT) * ROW_HEIGHT);
  }, [port, chosenIndex]);
}

/**
 * Lets the focus go with the choice. A row that is far away exists only once the table has scrolled there, and the row
 * that had the focus is gone by then: until the new one is there, the table itself keeps it.
 *
 * @returns to be set when the choice moves by a key pressed inside the table.
 */
function useFocusOnChosen(port: { readonly current: HTMLElement | null }): { current: boolean } {
  const wanted = useRef(false);
  useLayoutEffect(() => {
    if (!wanted.current) return;
    const link = port.current?.querySelector<HTMLElement>('a[aria-current]');
    if (link) wanted.current = false;
    (link ?? port.current)?.focus({ preventScroll: true });
  });
  return wanted;
}

function target(key: string, { at, last }: { at: number; last: number }): number {
  switch (key) {
    case 'ArrowDown':
      return Math.min(last, at + 1);
    case 'ArrowUp':
      return at < 0 ? last : Math.max(0, at - 1);
    case 'PageDown':
      return Math.min(last, at + 10);
    case 'PageUp':
      return Math.max(0, at - 10);
    case 'Home':
      return 0;
    case 'End':
      return last;
    default:
      return -1;
  }
}
