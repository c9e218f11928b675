// Gates that stand open and were never used: a merge join of the policy and of the gates that were used, both sorted by
// agent and namespace in UTF-8 order.
import { setImmediate as nextTurn } from "node:timers/promises";
import { byUtf8 } from "#core/encoding/utf8-order.ts";
import type { UsedGate } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

const STEP = 2_000;
/** How many used gates a report looks at. */
const BUDGET = 400_000;
const MOST_LISTED = 200;

export interface UnusedGates {
  /** How many gates stand open. */
  readonly open: number;
  readonly neverUsed: number;
  /** The first of them. */
  readonly gates: readonly UsedGate[];
  /** False: more gates were used than a report looks at, and the counts end there. */
  readonly isComplete: boolean;
}

export async function unusedGates(
  { records, gatekeeper }: Pick<Deps, "records" | "gatekeeper">,
  signal?: AbortSignal,
): Promise<UnusedGates> {
  const { leaves } = await gatekeeper.policy();
  const used = usedGates(records, signal);
  let [open, neverUsed] = [0, 0];
  const gates: UsedGate[] = [];
  for (const chunk of leaves) {
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

const order = (a: UsedGate, b: UsedGate): number => byUtf8(a.agentId, b.agentId) || byUtf8(a.namespace, b.namespace);

/** Walks through the used gates, page by page. It is asked about gates in their order. */
function usedGates({ reports }: Pick<Deps["records"], "reports">, signal?: AbortSignal) {
  let page: readonly UsedGate[] = [];
  let place = 0;
  let looked = 0;
  let isLast = false;
  return {
    /** Whether further pages must be read before `has` knows. */
    isBehind(gate: UsedGate): boolean {
      for (; ; place++) {
        const current = page[place];
        if (current === undefined) return !isLast && looked < BUDGET;
        if (order(current, gate) >= 0) return false;
      }
    },
    async read(): Promise<void> {
      signal?.throwIfAborted();
      await nextTurn();
      const after = page.at(-1);
      page = await reports.usedGates({ ...(after && { after }), limit: STEP });
      place = 0;
      looked += STEP;
      isLast = page.length < STEP;
    },
    isOverBudget: (): boolean => !isLast && looked >= BUDGET && page[place] === undefined,
    has(gate: UsedGate): boolean {
      const current = page[place];
      return current !== undefined && order(current, gate) === 0;
    },
  };
}
