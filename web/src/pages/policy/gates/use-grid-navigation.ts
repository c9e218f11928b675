// Keyboard navigation of a grid (roving tabindex): the Tab key stops once, and arrow keys move between the cells.
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";

interface Position {
  readonly row: number;
  readonly column: number;
}

interface GridNavigation {
  /** Props of the table. Each cell must have `data-row`, `data-column` and one button. */
  readonly grid: {
    readonly ref: React.RefObject<HTMLTableElement | null>;
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onFocus: (event: FocusEvent) => void;
  };
  readonly tabIndexAt: (row: number, column: number) => 0 | -1;
}

/** `first`: where the Tab key enters. */
export function useGridNavigation(rows: number, columns: number, first: Position): GridNavigation {
  const ref = useRef<HTMLTableElement>(null);
  const [position, setPosition] = useState<Position>(first);
  // The table may have become smaller.
  const current = { row: Math.min(position.row, rows - 1), column: Math.min(position.column, columns - 1) };
  return {
    grid: {
      ref,
      onKeyDown(event) {
        const to = moved(event, current, { row: rows - 1, column: columns - 1 });
        if (to === undefined || !(event.target as Element).closest("[data-row]")) return;
        event.preventDefault();
        ref.current?.querySelector<HTMLElement>(`[data-row="${to.row}"][data-column="${to.column}"] button`)?.focus();
      },
      onFocus({ target }) {
        const cell = target.closest<HTMLElement>("[data-row]");
        if (cell !== null) setPosition({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) });
      },
    },
    tabIndexAt: (row, column) => (row === current.row && column === current.column ? 0 : -1),
  };
}

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
    case "Home":
      return { row: ctrlKey ? 0 : row, column: 0 };
    case "End":
      return { row: ctrlKey ? last.row : row, column: last.column };
    default:
      return undefined;
  }
}
