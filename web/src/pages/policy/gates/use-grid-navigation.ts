// Keyboard navigation of a virtual grid (roving tabindex): the Tab key stops once, and arrow keys move between the cells.
import { type FocusEvent, type KeyboardEvent, type RefObject, useState } from "react";
import { flushSync } from "react-dom";

export interface Position {
  readonly row: number;
  readonly column: number;
}

interface GridNavigationOptions {
  readonly rows: number;
  readonly columns: number;
  /** Where the Tab key enters. */
  readonly first: Position;
  /** Each cell must have `data-row`, `data-column` and at most one child that is a button or a link. */
  readonly grid: RefObject<HTMLElement | null>;
  readonly scrollTo: (position: Position) => void;
}

export function useGridNavigation({ rows, columns, first, grid, scrollTo }: GridNavigationOptions) {
  const [position, setPosition] = useState<Position>(first);
  // The table may have become smaller.
  const last = { row: rows - 1, column: columns - 1 };
  const current = { row: Math.min(position.row, last.row), column: Math.min(position.column, last.column) };

  /** False when the cell has no control. */
  function focus(to: Position): boolean {
    // Draws the cell if it is not in the page yet.
    flushSync(() => setPosition(to));
    const selector = `[data-row="${to.row}"][data-column="${to.column}"] > :is(a, button)`;
    const control = grid.current?.querySelector<HTMLElement>(selector) ?? null;
    if (control === null) return false;
    scrollTo(to);
    control.focus({ preventScroll: true });
    return true;
  }

  /** Moves on over cells without a control, and back when there is no other. */
  function move(event: KeyboardEvent, to: Position): void {
    if (focus(to)) return;
    const next = moved(event, to, last) ?? to;
    if (next.row === to.row && next.column === to.column) focus(current);
    else move(event, next);
  }

  return {
    /** The cell that has the focus, or gets it. It must be in the page, also while it is scrolled out of sight. */
    current,
    focus,
    handlers: {
      onKeyDown(event: KeyboardEvent) {
        const to = moved(event, current, last);
        if (to === undefined || !(event.target as Element).closest("[data-row]")) return;
        event.preventDefault();
        move(event, to);
      },
      onFocus({ target }: FocusEvent) {
        const cell = target.closest<HTMLElement>("[data-row]");
        if (cell !== null) setPosition({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) });
      },
    },
  };
}

/** The heads above the first row. */
const HEAD = -1;

/** How many rows a page has for the keys PageUp and PageDown. */
const PAGE_ROWS = 5;

function moved({ key, ctrlKey, altKey, metaKey }: KeyboardEvent, { row, column }: Position, last: Position) {
  const moves = new Map<string, Position>([
    ["ArrowUp", { row: Math.max(HEAD, row - 1), column }],
    ["ArrowDown", { row: Math.min(last.row, row + 1), column }],
    ["ArrowLeft", { row, column: Math.max(0, column - 1) }],
    ["ArrowRight", { row, column: Math.min(last.column, column + 1) }],
    ["PageUp", { row: Math.max(Math.min(0, row), row - PAGE_ROWS), column }],
    ["PageDown", { row: Math.min(last.row, row + PAGE_ROWS), column }],
    ["Home", { row: ctrlKey ? 0 : row, column: 0 }],
    ["End", { row: ctrlKey ? last.row : row, column: last.column }],
  ]);
  return altKey || metaKey ? undefined : moves.get(key);
}
