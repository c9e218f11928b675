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
  /** Each cell must have `data-row`, `data-column` and one button. */
  readonly grid: RefObject<HTMLElement | null>;
  readonly scrollTo: (position: Position) => void;
}

interface GridNavigation {
  /** The cell that has the focus, or gets it. It must be in the page, also while it is scrolled out of sight. */
  readonly current: Position;
  readonly focus: (position: Position) => void;
  readonly handlers: {
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onFocus: (event: FocusEvent) => void;
  };
}

export function useGridNavigation({ rows, columns, first, grid, scrollTo }: GridNavigationOptions): GridNavigation {
  const [position, setPosition] = useState<Position>(first);
  // The table may have become smaller.
  const current = { row: Math.min(position.row, rows - 1), column: Math.min(position.column, columns - 1) };

  function focus(to: Position): void {
    // Draws the cell if it is not in the page yet.
    flushSync(() => setPosition(to));
    scrollTo(to);
    const selector = `[data-row="${to.row}"][data-column="${to.column}"] button`;
    grid.current?.querySelector<HTMLElement>(selector)?.focus({ preventScroll: true });
  }

  return {
    current,
    focus,
    handlers: {
      onKeyDown(event) {
        const to = moved(event, current, { row: rows - 1, column: columns - 1 });
        if (to === undefined || !(event.target as Element).closest("[data-row]")) return;
        event.preventDefault();
        focus(to);
      },
      onFocus({ target }) {
        const cell = target.closest<HTMLElement>("[data-row]");
        if (cell !== null) setPosition({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) });
      },
    },
  };
}

/** How many rows a page has for the keys PageUp and PageDown. */
const PAGE_ROWS = 5;

function moved({ key, ctrlKey, altKey, metaKey }: KeyboardEvent, { row, column }: Position, last: Position) {
  if (altKey || metaKey) return undefined;
  switch (key) {
    case "ArrowUp":
      return { row: Math.max(0, row - 1), column };
    case "ArrowDown":
      return { row: Math.min(last.row, row + 1), column };
    case "ArrowLeft":
      return { row, column: Math.max(0, column - 1) };
    case "ArrowRight":
      return { row, column: Math.min(last.column, column + 1) };
    case "PageUp":
      return { row: Math.max(0, row - PAGE_ROWS), column };
    case "PageDown":
      return { row: Math.min(last.row, row + PAGE_ROWS), column };
    case "Home":
      return { row: ctrlKey ? 0 : row, column: 0 };
    case "End":
      return { row: ctrlKey ? last.row : row, column: last.column };
    default:
      return undefined;
  }
}
