/**
 * The first rows that together weigh no more than `budget`, and at least one. Rows come from `iterate`, so that the
 * database reads no row that is not taken, except for the one that shows that the budget is spent.
 */
export function takeUpTo<Row>(
  budget: number,
  rows: Iterable<Row>,
  weigh: (row: Row) => number,
): { readonly taken: Row[]; readonly isCut: boolean } {
  const taken: Row[] = [];
  let weight = 0;
  for (const row of rows) {
    weight += weigh(row);
    if (weight > budget && taken.length > 0) return { taken, isCut: true };
    taken.push(row);
  }
  return { taken, isCut: false };
}
