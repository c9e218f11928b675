// A table for people on a terminal, fitted into its columns; elsewhere one row a line, its cells separated by tabs.
import { styleText } from "node:util";
import type { Output } from "./output.ts";
import { safeLine } from "./safe-text.ts";
import { fitText, textWidth } from "./text-width.ts";

export type Tone = "good" | "bad" | "quiet" | "strong";

export type Column = string | { readonly title: string; readonly isWhole: true };

/** A column that is never cut: an id that people copy. */
export const whole = (title: string): Column => ({ title, isWhole: true });
const titleOf = (column: Column): string => (typeof column === "string" ? column : column.title);

export type Cell = string | { readonly text: string; readonly tone: Tone };

const STYLES = { good: "green", bad: "red", quiet: "dim", strong: "bold" } as const;
const GAP = 2;
const LEAST_WIDTH = 6;
/** No terminal is wider. */
const LONGEST_CELL = 2_000;

/** A text in a colour, where there are colours. The text must be safe. */
export const toned = (output: Output, tone: Tone, text: string): string =>
  output.hasColors ? styleText(STYLES[tone], text, { validateStream: false }) : text;

/** The first rows decide the widths of the columns; further rows are fitted into them. */
export function table(output: Output, columns: readonly Column[]) {
  let widths: readonly number[] | undefined;
  const write = (lines: readonly string[]) => output.write(lines.map((line) => `${line}\n`).join(""));

  return {
    async add(rows: readonly (readonly Cell[])[]): Promise<void> {
      if (rows.length === 0) return;
      const raw = rows.map((row) => row.map((cell) => (typeof cell === "string" ? cell : cell.text)));
      if (!output.isTerminal) return write(raw.map((row) => row.map(safeLine).join("\t")));
      const texts = raw.map((row) => row.map((text) => safeLine(text.slice(0, LONGEST_CELL))));
      const lines: string[] = [];
      if (widths === undefined) {
        widths = fittedWidths(columns, texts, output.columns);
        const titles = columns.map((column, i) => fitText(titleOf(column), widths?.[i] ?? 0));
        lines.push(toned(output, "strong", titles.join(" ".repeat(GAP)).trimEnd()));
      }
      for (const [y, row] of texts.entries()) {
        const cells = row.map((text, x) => {
          const isLast = x === row.length - 1;
          const width = widths?.[x] ?? 0;
          const isCut = typeof columns[x] === "string" && textWidth(text) > width;
          const fitted = isCut || !isLast ? fitText(text, isCut ? width : Math.max(width, textWidth(text))) : text;
          const cell = rows[y]?.[x];
          return typeof cell === "object" ? toned(output, cell.tone, fitted) : fitted;
        });
        lines.push(cells.join(" ".repeat(GAP)).trimEnd());
      }
      return write(lines);
    },
  };
}

/** Natural widths. When these are too wide for the terminal, all columns that may be cut get the same greatest width. */
function fittedWidths(columns: readonly Column[], rows: readonly string[][], available: number): number[] {
  const natural = columns.map((column, i) =>
    Math.max(titleOf(column).length, ...rows.map((row) => textWidth(row[i] ?? ""))),
  );
  const withCap = (cap: number) =>
    natural.map((width, i) => (typeof columns[i] === "string" ? Math.min(width, cap) : width));
  const fits = (cap: number) => withCap(cap).reduce((sum, width) => sum + width + GAP, -GAP) <= available;
  let cap = LEAST_WIDTH;
  while (cap < available && fits(cap + 1)) cap += 1;
  return withCap(cap);
}
