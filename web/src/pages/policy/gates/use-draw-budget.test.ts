import type { VirtualItem } from "@tanstack/react-virtual";
import fc from "fast-check";
import { expect, test } from "vitest";
import { type Columns, columnsToDraw } from "./gate-grid.tsx";

const columnsFrom = (first: number, count: number): Columns =>
  Array.from({ length: count }, (_, i) => ({ index: first + i }) as VirtualItem);
const rowsFrom = (first: number, count: number) => Array.from({ length: count }, (_, i) => ({ index: first + i }));

test("a jump draws no more new cells in a frame than the budget, the wanted row among them, and ends complete", () => {
  const jump = fc.record({ row: fc.nat(50), column: fc.nat(50), rows: fc.integer({ min: 1, max: 12 }) });
  fc.assert(
    fc.property(fc.array(jump, { minLength: 1, maxLength: 5 }), (jumps) => {
      const budget = 40;
      let drawn: ReadonlyMap<number, Columns> = new Map();
      for (const { row, column, rows } of jumps) {
        const [shownRows, columns] = [rowsFrom(row, rows), columnsFrom(column, 16)];
        let frames = 0;
        for (let isComplete = false; !isComplete; frames++) {
          const frame = columnsToDraw(drawn, shownRows, columns, row + rows - 1, budget);
          const known = (index: number) => new Set(drawn.get(index)?.map((item) => item.index));
          const added = [...frame.next].flatMap(([index, own]) => own.filter((item) => !known(index).has(item.index)));
          expect(added.length).toBeLessThanOrEqual(budget);
          expect(frame.next.get(row + rows - 1)).toBe(columns);
          ({ isComplete, next: drawn } = frame);
          expect(frames).toBeLessThan(12);
        }
        expect([...drawn.keys()].toSorted((a, b) => a - b)).toEqual(shownRows.map(({ index }) => index));
      }
    }),
  );
});
