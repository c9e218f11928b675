// A benchmark and its report: figures, each measured once per round, some of them with an aim.
import { median } from "./statistics.ts";

export interface Benchmark {
  readonly title: string;
  run(progress: Progress): Promise<Report>;
}

/** Shows what is being measured now. */
export type Progress = (what: string) => void;

export interface Report {
  readonly figures: readonly Figure[];
  /** What a reader must know to judge the figures. */
  readonly notes: readonly string[];
}

export interface Figure {
  readonly id: string;
  readonly what: string;
  /** Absent for a ratio. */
  readonly unit?: "requests/s" | "memories/s" | "entries/s" | "bytes" | "µs" | "ms" | "MB" | "%" | "s";
  /** One value per round, of which the median counts. Empty if this machine cannot measure it. */
  readonly rounds: readonly number[];
  readonly aim?: Aim;
}

export type Aim = { readonly atLeast: number } | { readonly under: number };

/** The median of the rounds; undefined if there are none. */
export function measuredValue({ rounds }: Figure): number | undefined {
  return rounds.length === 0 ? undefined : median(rounds);
}

/** Undefined without an aim, or without a value. */
export function isMet(figure: Figure): boolean | undefined {
  const { aim } = figure;
  const value = measuredValue(figure);
  if (aim === undefined || value === undefined) return undefined;
  return "atLeast" in aim ? value >= aim.atLeast : value < aim.under;
}
