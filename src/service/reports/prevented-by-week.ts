// Accesses prevented, by agent and week: answers for which the gate held at least one namespace back.
import { setImmediate as nextTurn } from "node:timers/promises";
import { mondayOf } from "#core/week.ts";
import type { DecisionPosition } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import type { ReportRange } from "./report-range.ts";

const STEP = 1_000;
/** How many decisions a report looks at, newest first. */
const BUDGET = 200_000;
const MOST_ROWS = 1_000;

export interface WeekOfAgent {
  /** Its Monday, `2026-01-05`, UTC. */
  readonly week: string;
  readonly agentId: string;
  readonly answers: number;
  readonly heldBack: number;
  readonly refused: number;
}

export interface Prevented {
  /** Newest week first, then by agent. */
  readonly weeks: readonly WeekOfAgent[];
  readonly answers: number;
  readonly heldBack: number;
  readonly refused: number;
  /** How many rows of `weeks` were left out. */
  readonly leftOut: number;
  /** Present when the log is too long: what is older than this was not looked at. */
  readonly since?: string;
}

export async function preventedByWeek(
  { records }: Pick<Deps, "records">,
  range: ReportRange,
  signal?: AbortSignal,
  { step = STEP, budget = BUDGET } = {},
): Promise<Prevented> {
  const rows = new Map<string, WeekOfAgent>();
  let before: DecisionPosition | undefined;
  let since: string | undefined;
  for (let looked = 0; ; looked += step) {
    signal?.throwIfAborted();
    const tally = await records.reports.tally({ ...range, ...(before && { before }), limit: step });
    for (const day of tally.days) {
      if (day.agentId === null) continue;
      const week = mondayOf(day.day);
      const key = `${week} ${day.agentId}`;
      const sum = rows.get(key) ?? { week, agentId: day.agentId, answers: 0, heldBack: 0, refused: 0 };
      rows.set(key, {
        ...sum,
        answers: sum.answers + day.answers,
        heldBack: sum.heldBack + day.heldBack,
        refused: sum.refused + day.refused,
      });
    }
    before = tally.next;
    if (before === undefined) break;
    if (looked + step >= budget) {
      since = before.at;
      break;
    }
    await nextTurn();
  }
  const all = [...rows.values()].sort((a, b) =>
    a.week === b.week ? (a.agentId < b.agentId ? -1 : 1) : a.week < b.week ? 1 : -1,
  );
  const total = (key: "answers" | "heldBack" | "refused") => all.reduce((sum, row) => sum + row[key], 0);
  return {
    weeks: all.slice(0, MOST_ROWS),
    answers: total("answers"),
    heldBack: total("heldBack"),
    refused: total("refused"),
    leftOut: Math.max(0, all.length - MOST_ROWS),
    ...(since !== undefined && { since }),
  };
}
