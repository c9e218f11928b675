// Reads the decision log. An agent reads its own rows only.
import { type ActivityKind, activityKind } from "#core/activity-kind.ts";
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import { invalidFields } from "#core/errors.ts";
import { agentFor } from "#core/identity/permissions.ts";
import type { DecisionFilter, ListRef, RecordedDecision } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { STREAM_PAGE_BYTES, scanWithBudget, weightOf } from "#service/scan-budget.ts";
import type { Tenant } from "#service/tenant.ts";

const MOST_LISTED = 1_000;
const STREAM_PAGE = 200;
const SHORTEST_STREAM_PAGE = 10;

export interface DecisionEntry extends Omit<RecordedDecision, "sequence" | "allowed" | "blocked"> {
  readonly id: string;
  readonly kind: ActivityKind;
  /** Not for agents: it counts the decisions about all of them. */
  readonly sequence?: number;
  readonly allowedNamespaces?: readonly string[];
  readonly allowedCount?: number;
  readonly blockedNamespaces?: readonly string[];
  readonly blockedCount?: number;
}

export interface DecisionQuery extends DecisionFilter {
  readonly limit: number;
  readonly cursor?: string | undefined;
  readonly bytes?: number | undefined;
}

export async function listDecisions(
  tenant: Pick<Tenant, "records" | "positions">,
  { principal, signal }: Call,
  { limit, cursor, bytes: room, ...given }: DecisionQuery,
): Promise<{ decisions: readonly DecisionEntry[]; next: string | undefined }> {
  const positions = await tenant.positions();
  const filter = principal.role === "agent" ? { ...given, agentId: agentFor(principal, given.agentId) } : given;
  const before = cursor === undefined ? undefined : positions.decode("decisions", cursor)?.sequence;
  if (cursor !== undefined && before === undefined)
    throw invalidFields({ parameter: "cursor", detail: "is not a cursor that this service gave" });
  const idOf = (sequence: number) => positions.encode("decisions", { sequence, atMs: 0 });
  const names = namesOf(tenant);
  const { found, next } = await scanWithBudget({ limit, before, bytes: room, signal: signal?.() }, async (step) => {
    const page = await tenant.records.decisions.page({ ...filter, ...step });
    const found: (DecisionEntry & { readonly sequence: number })[] = [];
    let { bytes = Number.POSITIVE_INFINITY } = step;
    for (const { allowed, blocked, ...row } of page.decisions) {
      const entry = {
        id: idOf(row.sequence),
        kind: activityKind(row),
        ...row,
        ...(allowed && { allowedNamespaces: await names(allowed), allowedCount: allowed.count }),
        ...(blocked && { blockedNamespaces: await names(blocked), blockedCount: blocked.count }),
      };
      // Lists are long: those of rows that do not fit are not read. The first row always fits.
      bytes -= weightOf(entry);
      if (bytes < 0 && found.length > 0) return { found, next: found.at(-1)?.sequence };
      found.push(entry);
    }
    return { found, next: page.next };
  });
  const decisions = principal.role === "agent" ? found.map(({ sequence: _, ...entry }) => entry) : found;
  return { decisions, next: next === undefined ? undefined : idOf(next) };
}
export async function* allDecisions(
  tenant: Pick<Tenant, "records" | "positions">,
  call: Call,
  filter: DecisionFilter & { readonly cursor?: string | undefined },
): AsyncGenerator<readonly DecisionEntry[]> {
  let { cursor } = filter;
  let limit = STREAM_PAGE;
  do {
    const query = { ...filter, limit, cursor, bytes: STREAM_PAGE_BYTES };
    const page = await listDecisions(tenant, call, query);
    yield page.decisions;
    cursor = page.next;
    // When few rows fill a page, the next one is not worth reading many.
    limit = Math.min(STREAM_PAGE, Math.max(SHORTEST_STREAM_PAGE, 2 * page.decisions.length));
  } while (cursor !== undefined);
}

/** The first names of lists. Rows that follow each other mostly share their lists. */
function namesOf({ records }: Pick<Tenant, "records">): (list: ListRef) => Promise<readonly string[]> {
  const read = new Map<string, Promise<readonly string[]>>();
  return async ({ digest }) => {
    if (digest === null) return [];
    // Lists are long, so only the last few are kept.
    return getOrInsert(read, digest, () => records.receipts.listedNames({ digest, limit: MOST_LISTED }), 8);
  };
}
