// Figures for whoever answers for the service, from the decision log, the receipts and the policy. Each query reads a
// bounded number of rows, in steps between which other requests run, and says when there were more.
import { setImmediate as nextTurn } from "node:timers/promises";
import { invalidFields } from "#core/errors.ts";
import { byKey } from "#core/gate/policy-rules.ts";
import { mondayOf } from "#core/week.ts";
import type { DecisionPosition, UsedGate } from "#ports.ts";
import { firstIdAt } from "#service/ids.ts";
import type { Tenant } from "#service/tenant.ts";

interface ReportQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly signal?: AbortSignal | undefined;
}

export async function reports(
  tenant: Pick<Tenant, "records" | "policyMirror" | "now">,
  { signal, ...query }: ReportQuery,
) {
  const range = rangeOf(query, tenant.now().getTime());
  const prevented = await preventedByWeek(tenant, range, signal);
  const ledger = await ledgerShare(tenant, range, signal);
  const revokes = await revokeSummary(tenant, range);
  const gates = await unusedGates(tenant, signal);
  return { ...range, prevented, ledger, revokes, gates };
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const DEFAULT_DAYS = 28;
const MOST_DAYS = 366;

/** Answers are counted by the hour, so that the range has whole hours, in UTC. */
function rangeOf({ from, to }: ReportQuery, now: number) {
  const end = to === undefined ? now : Date.parse(to);
  const start = from === undefined ? end - DEFAULT_DAYS * DAY_MS : Date.parse(from);
  if (start >= end) throw invalidFields({ parameter: "from", detail: "must be before `to`" });
  if (end - start > MOST_DAYS * DAY_MS)
    throw invalidFields({ parameter: "from", detail: `must be at most ${MOST_DAYS} days before \`to\`` });
  const iso = (ms: number) => new Date(ms).toISOString();
  return { from: iso(Math.floor(start / HOUR_MS) * HOUR_MS), to: iso(Math.ceil(end / HOUR_MS) * HOUR_MS) };
}

type ReportRange = ReturnType<typeof rangeOf>;

const STEP = 1_000;
/** How many decisions, or anchored receipts, a report looks at. */
const BUDGET = 200_000;
const MOST_WEEKS = 1_000;

/** By agent and week, newest first; what a question would have found is not looked for. `since`: cut off here. */
export async function preventedByWeek(
  { records }: Pick<Tenant, "records">,
  range: ReportRange,
  signal?: AbortSignal,
  { step = STEP, budget = BUDGET } = {},
) {
  const rows = new Map<string, Record<"answers" | "refused", number> & { week: string; agentId: string }>();
  let before: DecisionPosition | undefined;
  let since: string | undefined;
  for (let looked = 0; ; looked += step) {
    signal?.throwIfAborted();
    const tally = await records.reports.tally({ ...range, before, limit: step });
    for (const { day, agentId, answers, refused } of tally.days) {
      if (agentId === null) continue;
      const week = mondayOf(day);
      const key = `${week} ${agentId}`;
      const row = rows.get(key) ?? { week, agentId, answers: 0, refused: 0 };
      row.answers += answers;
      row.refused += refused;
      rows.set(key, row);
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
  const total = (key: "answers" | "refused") => all.reduce((sum, row) => sum + row[key], 0);
  return {
    weeks: all.slice(0, MOST_WEEKS),
    answers: total("answers"),
    refused: total("refused"),
    leftOut: Math.max(0, all.length - MOST_WEEKS),
    ...(since !== undefined && { since }),
  };
}

/** How many of the answers and recalls, pruned ones included, are on the ledger. */
async function ledgerShare({ records }: Pick<Tenant, "records">, { from, to }: ReportRange, signal?: AbortSignal) {
  const hours = await records.receipts.byHour(from.slice(0, 13));
  const answers = hours.filter(({ hour }) => hour < to.slice(0, 13)).reduce((sum, hour) => sum + hour.answers, 0);
  const range = { since: firstIdAt("ans", from), before: firstIdAt("ans", to) };
  let onLedger = 0;
  let after: string | undefined;
  for (let looked = 0; looked < BUDGET; looked += STEP) {
    signal?.throwIfAborted();
    const count = await records.reports.countOnLedger({ ...range, after, limit: STEP });
    onLedger += count.onLedger;
    after = count.next;
    if (after === undefined) break;
    await nextTurn();
  }
  return { answers, onLedger, isComplete: after === undefined };
}

const MOST_REVOKES = 10_000;

/** How long revokes took from their arrival until they were in force, by the nearest-rank method. */
async function revokeSummary({ records }: Pick<Tenant, "records">, range: ReportRange) {
  const newest = await records.reports.revokeTimes({ ...range, limit: MOST_REVOKES + 1 });
  const times = newest.slice(0, MOST_REVOKES).sort((a, b) => a - b);
  const isComplete = newest.length <= MOST_REVOKES;
  const rank = (share: number) => times[Math.max(0, Math.ceil(share * times.length) - 1)];
  const [medianMs, p95Ms, maxMs] = [rank(0.5), rank(0.95), times.at(-1)];
  if (medianMs === undefined || p95Ms === undefined || maxMs === undefined) return { count: 0, isComplete };
  return { count: times.length, medianMs, p95Ms, maxMs, isComplete };
}

const GATES_AT_ONCE = 2_000;
const MOST_GATES = 400_000;
const MOST_LISTED = 200;

/** That stand open and were never used: a merge join of policy and used gates, both sorted by agent and namespace. */
async function unusedGates(
  { records, policyMirror }: Pick<Tenant, "records" | "policyMirror">,
  signal: AbortSignal | undefined,
) {
  const { rules } = await policyMirror.current();
  const used = usedGates(records, signal);
  let [open, neverUsed] = [0, 0];
  const gates: UsedGate[] = [];
  for (const chunk of rules) {
    await nextTurn();
    for (const { agentId, namespace, allowed } of chunk) {
      if (!allowed) continue;
      const gate = { agentId, namespace };
      // Only at the end of a page of used gates is there anything to wait for.
      while (used.isBehind(gate)) await used.read();
      if (used.isOverBudget()) return { open, neverUsed, gates, isComplete: false };
      open += 1;
      if (used.has(gate)) continue;
      neverUsed += 1;
      if (gates.length < MOST_LISTED) gates.push(gate);
    }
  }
  return { open, neverUsed, gates, isComplete: true };
}

/** Walks through the used gates, page by page. It is asked about gates in their order. */
function usedGates({ reports }: Pick<Tenant["records"], "reports">, signal?: AbortSignal) {
  let page: readonly UsedGate[] = [];
  let place = 0;
  let looked = 0;
  let isLast = false;
  return {
    /** Whether further pages must be read before `has` knows. */
    isBehind(gate: UsedGate): boolean {
      for (; ; place++) {
        const current = page[place];
        if (current === undefined) return !isLast && looked < MOST_GATES;
        if (byKey(current, gate) >= 0) return false;
      }
    },
    async read(): Promise<void> {
      signal?.throwIfAborted();
      await nextTurn();
      page = await reports.usedGates({ after: page.at(-1), limit: GATES_AT_ONCE });
      place = 0;
      looked += GATES_AT_ONCE;
      isLast = page.length < GATES_AT_ONCE;
    },
    isOverBudget: (): boolean => !isLast && looked >= MOST_GATES && page[place] === undefined,
    has(gate: UsedGate): boolean {
      const current = page[place];
      return current !== undefined && byKey(current, gate) === 0;
    },
  };
}
