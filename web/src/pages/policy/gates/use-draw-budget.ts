// Limits how many cells of a virtual table are drawn in one frame. After a long jump all of them are new, and drawing
// them at once would hold up the next frames. The other rows follow, some in each frame.
import type { VirtualItem } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useReducer, useRef } from "react";

export type Columns = readonly VirtualItem[];

const NO_COLUMNS: Columns = [];

/** The columns that each row draws in this frame. `first`: the row that must not wait. */
export function useDrawBudget(
  rows: readonly VirtualItem[],
  columns: Columns,
  first: number,
  budget: number,
): (row: number) => Columns {
  const drawn = useRef<ReadonlyMap<number, Columns>>(new Map());
  const [, drawAgain] = useReducer((count: number) => count + 1, 0);
  const { next, isComplete } = columnsToDraw(drawn.current, rows, columns, first, budget);
  useLayoutEffect(() => {
    drawn.current = next;
  });
  useEffect(() => {
    if (isComplete) return;
    const frame = requestAnimationFrame(drawAgain);
    return () => cancelAnimationFrame(frame);
  });
  return (row) => next.get(row) ?? NO_COLUMNS;
}

export function columnsToDraw(
  drawn: ReadonlyMap<number, Columns>,
  rows: readonly Pick<VirtualItem, "index">[],
  columns: Columns,
  first: number,
  budget: number,
): { readonly next: Map<number, Columns>; readonly isComplete: boolean } {
  const next = new Map<number, Columns>();
  const order = rows.map(({ index }) => index).sort((a, b) => Number(b === first) - Number(a === first));
  let left = budget;
  for (const row of order) {
    const before = drawn.get(row) ?? NO_COLUMNS;
    const cost = before === columns ? 0 : countNew(columns, before);
    const isDrawn = cost <= left || row === first || left === budget;
    next.set(row, isDrawn ? columns : before);
    if (isDrawn) left = Math.max(0, left - cost);
  }
  return { next, isComplete: [...next.values()].every((own) => own === columns) };
}

function countNew(columns: Columns, before: Columns): number {
  const known = new Set(before.map(({ index }) => index));
  return columns.filter(({ index }) => !known.has(index)).length;
}
