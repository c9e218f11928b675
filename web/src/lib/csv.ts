// CSV (RFC 4180) that a spreadsheet can open without harm.

/**
 * Where a cell may begin that is run as a formula: also in the middle of a text, because a spreadsheet of a country that
 * writes numbers with a comma divides cells at semicolons, whatever the quotes say.
 */
const FORMULA = /((?:^|[;\t\r\n])\s*)(?=[=+\-@＝＋－＠])/g;

export type CsvCell = string | number | boolean | undefined;

function cellOf(value: CsvCell): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = value.replaceAll(FORMULA, "$1'");
  return /[",;\t\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line, with its end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(",")}\r\n`;
