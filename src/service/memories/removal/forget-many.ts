// Forgets many memories in bounded steps. A request looks at a bounded number of memories and says where the next one goes
// on. A run that was interrupted may begin anew: what is forgotten is not found again.
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
  /** `nextCursor` of the request before. */
  readonly cursor?: string | undefined;
}

export interface ManyForgotten {
  readonly forgotten: number;
  readonly anchoredReceipts: number;
  /** Where the next request goes on; absent when all were looked at. */
  readonly nextCursor?: string;
}

const STEP = 500;
const STEPS_A_REQUEST = 4;
/** How many rows a step looks at. */
const SCAN = 20_000;

/** Forgets up to 2,000 memories, newest first, and superseded ones after the current ones. */
export async function forgetMany(deps: Deps, query: ManyQuery, principal: Principal): Promise<ManyForgotten> {
  const filter = filterFor(query, principal);
  let position: Position | undefined = positionOf(query.cursor);
  let [forgotten, anchoredReceipts] = [0, 0];
  for (let step = 0; step < STEPS_A_REQUEST && position !== undefined; step++) {
    const page = { ...filter, ...position, limit: STEP, scan: SCAN };
    const { memories, next } = await deps.stored.memories.page(page);
    const memoryIds = memories.map(({ memoryId }) => memoryId);
    const { namespace, reason } = query;
    const removed = memoryIds.length === 0 ? [] : await forgetAll(deps, { memoryIds, namespace, reason }, principal);
    forgotten += removed.length;
    anchoredReceipts += removed.reduce((sum, each) => sum + each.anchoredReceipts, 0);
    position = after(position, next);
  }
  return { forgotten, anchoredReceipts, ...(position !== undefined && { nextCursor: cursorOf(position) }) };
}

interface Position {
  readonly superseded: boolean;
  readonly before?: number;
}

function after({ superseded }: Position, next: number | undefined): Position | undefined {
  if (next !== undefined) return { superseded, before: next };
  return superseded ? undefined : { superseded: true };
}

/** `current` or `superseded`, and the sequence that the page before ended at. */
const cursorOf = ({ superseded, before }: Position): string =>
  `${superseded ? "superseded" : "current"}${before === undefined ? "" : `.${before}`}`;

function positionOf(cursor = "current"): Position {
  const [kind, before] = cursor.split(".");
  return { superseded: kind === "superseded", ...(before !== undefined && { before: Number(before) }) };
}

function filterFor({ namespace, sourceAgent, before }: ManyQuery, principal: Principal): MemoryFilter {
  const source = principal.role === "agent" ? agentFor(principal, sourceAgent, "sourceAgent") : sourceAgent;
  // What an agent does not name is all that it captured, and it must say so.
  if (namespace === undefined && sourceAgent === undefined && before === undefined)
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
