// The results of a run, for a terminal and as JSON.
import { availableParallelism } from "node:os";
import { type Figure, isMet, measuredValue } from "./benchmark.ts";
import type { Result } from "./run-benchmarks.ts";
import { tableOf } from "./table.ts";

export function textOf({ name, title, report, error }: Result): string {
  return report === undefined ? `${name}: ${title}\n  FAILED: ${error}` : tableOf(name, title, report);
}

export function asJson(results: readonly Result[]) {
  return {
    node: process.version,
    platform: `${process.platform} ${process.arch}`,
    cores: availableParallelism(),
    benchmarks: results.map(({ name, title, report, error }) => ({
      name,
      title,
      ...(report && { figures: report.figures.map(figureAsJson), notes: report.notes }),
      ...(error !== undefined && { error }),
    })),
  };
}

function figureAsJson(figure: Figure) {
  const { id, what, unit = "ratio", rounds, aim } = figure;
  return {
    id,
    what,
    unit,
    value: measuredValue(figure) ?? null,
    rounds,
    ...(aim && { aim, met: isMet(figure) ?? null }),
  };
}

export function summaryOf(results: readonly Result[]): string {
  const figures = results.flatMap(({ name, report }) => (report?.figures ?? []).map((figure) => ({ name, figure })));
  const met = figures.filter(({ figure }) => isMet(figure) === true);
  const missed = figures.filter(({ figure }) => isMet(figure) === false);
  const missedNames = missed.map(({ name, figure }) => `${name}: ${figure.what}`).join("; ");
  const failed = results.filter(({ error }) => error !== undefined).map(({ name }) => name);
  return [
    `${met.length} of ${met.length + missed.length} aims met.${missedNames && ` Missed: ${missedNames}.`}\n`,
    failed.length > 0 ? `Failed: ${failed.join(", ")}.\n` : "",
  ].join("");
}
