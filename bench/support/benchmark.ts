// What a benchmark is, and what it hands back: figures, each measured once a round, some of them with an aim.
import { median } from "./statistics.ts";

export interface Benchmark {
  readonly title: string;
  run(progress: Progress): Promise<Report>;
}

/** Tells whoever watches what is being measured now. */
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
  readonly unit?: "requests/s" | "memories/s" | "µs" | "ms" | "MB" | "%";
  /** One value a round; the median is what was measured. None: it cannot be measured on this machine. */
  readonly rounds: readonly number[];
  readonly aim?: Aim;
}

export type Aim = { readonly atLeast: number } | { readonly under: number };

/** What was measured: the median of the rounds. Undefined when nothing could be. */
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
