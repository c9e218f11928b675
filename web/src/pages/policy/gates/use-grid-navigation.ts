// A grid has one stop for the Tab key; arrows move within it, as in a spreadsheet.
import { type FocusEvent, type KeyboardEvent, useRef, useState } from "react";

interface Place {
  readonly row: number;
  readonly column: number;
}

interface GridKeys {
  /** For the table; its cells carry `data-row` and `data-column`, and one control each. */
  readonly grid: {
    readonly ref: React.RefObject<HTMLTableElement | null>;
    readonly onKeyDown: (event: KeyboardEvent) => void;
    readonly onFocus: (event: FocusEvent) => void;
  };
  readonly tabIndexAt: (row: number, column: number) => 0 | -1;
}

/** `first`: where the Tab key enters. */
export function useGridKeys(rows: number, columns: number, first: Place): GridKeys {
  const ref = useRef<HTMLTableElement>(null);
  const [place, setPlace] = useState<Place>(first);
  // The table may have become smaller since.
  const here = { row: Math.min(place.row, rows - 1), column: Math.min(place.column, columns - 1) };
  return {
    grid: {
      ref,
      onKeyDown(event) {
        const to = moved(event, here, { row: rows - 1, column: columns - 1 });
        if (to === undefined || !(event.target as Element).closest("[data-row]")) return;
        event.preventDefault();
        ref.current?.querySelector<HTMLElement>(`[data-row="${to.row}"][data-column="${to.column}"] button`)?.focus();
      },
      onFocus({ target }) {
        const cell = target.closest<HTMLElement>("[data-row]");
        if (cell !== null) setPlace({ row: Number(cell.dataset.row), column: Number(cell.dataset.column) });
      },
    },
    tabIndexAt: (row, column) => (row === here.row && column === here.column ? 0 : -1),
  };
}

function moved({ key, ctrlKey, altKey, metaKey }: KeyboardEvent, { row, column }: Place, last: Place) {
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
