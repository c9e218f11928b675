// CSV (RFC 4180) that a spreadsheet can open without harm.

/** A cell that begins with one of these may be run as a formula. */
const FORMULA = /^[=+\-@\t\r]/;

export type CsvCell = string | number | boolean | undefined;

function cellOf(value: CsvCell): string {
  if (value === undefined) return "";
  if (typeof value !== "string") return String(value);
  const safe = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** One line, with its end. */
export const csvLine = (cells: readonly CsvCell[]): string => `${cells.map(cellOf).join(",")}\r\n`;
