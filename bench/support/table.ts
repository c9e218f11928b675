// Figures as a table for a terminal.
import { type Aim, type Figure, isMet, measuredValue, type Report } from "./benchmark.ts";

const HEAD = ["", "measured", "rounds", "aim", "met"];
const RIGHT_ALIGNED = new Set([1, 2]);

export function tableOf(name: string, title: string, { figures, notes }: Report): string {
  const rows = [HEAD, ...figures.map(rowOf)];
  const widths = HEAD.map((_, column) => Math.max(...rows.map((row) => (row[column] as string).length)));
  const lines = rows.map((row) => row.map((cell, column) => padded(cell, column, widths)).join("  "));
  return [`${name}: ${title}`, ...lines, ...notes].map((line) => line.trimEnd()).join("\n  ");
}

function padded(cell: string, column: number, widths: readonly number[]): string {
  const width = widths[column] as number;
  return RIGHT_ALIGNED.has(column) ? cell.padStart(width) : cell.padEnd(width);
}

function rowOf(figure: Figure): string[] {
  const { what, unit, rounds, aim } = figure;
  const value = measuredValue(figure);
  return [
    what,
    value === undefined ? "not measured" : withUnit(value, unit),
    rounds.length < 2 ? "" : `${plain(Math.min(...rounds))} – ${plain(Math.max(...rounds))}`,
    aim === undefined ? "" : aimText(aim, unit),
    verdictOf(figure),
  ];
}

function verdictOf(figure: Figure): string {
  const met = isMet(figure);
  if (met === undefined) return "";
  return met ? "yes" : "NO";
}

function aimText(aim: Aim, unit: Figure["unit"]): string {
  return "atLeast" in aim ? `at least ${withUnit(aim.atLeast, unit)}` : `under ${withUnit(aim.under, unit)}`;
}

function withUnit(value: number, unit: Figure["unit"]): string {
  return unit === undefined ? plain(value) : `${plain(value)} ${unit}`;
}

/** Three significant digits, with separators for thousands. */
function plain(value: number): string {
  return value.toLocaleString("en", value >= 100 ? { maximumFractionDigits: 0 } : { maximumSignificantDigits: 3 });
}
