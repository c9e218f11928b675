// Forgets many memories in bounded steps. What is left is found again by the next step, so that an interrupted run goes on
// where it ended.
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { agentFor, checkGoverns } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { MemoryFilter } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { forgetAll } from "./forget.ts";

export interface ManyQuery {
  readonly namespace?: string | undefined;
  readonly sourceAgent?: string | undefined;
  /** Captured before this time. */
  readonly before?: string | undefined;
  readonly reason?: string | undefined;
}

const STEP = 500;
const STEPS_A_REQUEST = 4;
/** How many rows a step looks at. */
const SCAN = 20_000;

/** Forgets up to 2,000 memories, superseded ones included, and says whether there may be more. */
export async function forgetMany(
  deps: Deps,
  query: ManyQuery,
  principal: Principal,
): Promise<{ forgotten: number; anchoredReceipts: number; done: boolean }> {
  const filter = filterFor(query, principal);
  let [forgotten, anchoredReceipts, steps] = [0, 0, 0];
  for (const superseded of [false, true]) {
    let before: number | undefined;
    do {
      const page = { limit: STEP, scan: SCAN, ...(before !== undefined && { before }) };
      const { memories, next } = await deps.records.memories.page({ ...filter, superseded, ...page });
      const memoryIds = memories.map(({ memoryId }) => memoryId);
      const removed =
        memoryIds.length === 0 ? [] : await forgetAll(deps, { memoryIds, reason: query.reason }, principal);
      forgotten += removed.length;
      anchoredReceipts += removed.reduce((sum, each) => sum + each.anchoredReceipts, 0);
      steps += 1;
      before = next;
      if (before !== undefined && steps >= STEPS_A_REQUEST) return { forgotten, anchoredReceipts, done: false };
    } while (before !== undefined);
  }
  return { forgotten, anchoredReceipts, done: true };
}

function filterFor({ namespace, sourceAgent, before }: ManyQuery, principal: Principal): MemoryFilter {
  const source = principal.role === "agent" ? agentFor(principal, sourceAgent, "sourceAgent") : sourceAgent;
  if (namespace === undefined && source === undefined && before === undefined)
    throw invalidFields({ pointer: "#/", detail: "must name a namespace, a source agent or a time" });
  if (principal.role === "namespace-admin") {
    if (namespace === undefined) throw new PortcullisError("forbidden", "Name a namespace that this key administers.");
    checkGoverns(principal, namespace);
  }
  return {
    ...(namespace !== undefined && { namespaces: [namespace] }),
    ...(source !== undefined && { sourceAgent: source }),
    ...(before !== undefined && { createdBefore: new Date(before).toISOString() }),
  };
}
