// Reads the decision log. An agent reads its own rows only.
import { type ActivityKind, activityKind } from "#core/activity-kind.ts";
import { invalidFields, type PortcullisError } from "#core/errors.ts";
import { agentFor } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { DecisionFilter, ListRef, RecordedDecision } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { scanWithBudget, weightOf } from "#service/scan-budget.ts";

/** How many names of a list a row shows. */
const MOST_LISTED = 1_000;
const STREAM_PAGE = 200;

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
}

export async function listDecisions(
  deps: Deps,
  principal: Principal,
  { limit, cursor, ...given }: DecisionQuery,
  signal?: AbortSignal,
): Promise<{ decisions: readonly DecisionEntry[]; next: string | undefined }> {
  const positions = await deps.positions();
  const filter = principal.role === "agent" ? { ...given, agentId: agentFor(principal, given.agentId) } : given;
  const before = cursor === undefined ? undefined : positions.decode("decisions", cursor)?.sequence;
  if (cursor !== undefined && before === undefined) throw unknownCursor();
  const idOf = (sequence: number) => positions.encode("decisions", { sequence, atMs: 0 });
  const names = namesOf(deps);
  const { found, next } = await scanWithBudget({ limit, before, signal }, async (step) => {
    const page = await deps.records.decisions.page({ ...filter, ...step });
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

/** All of them, page by page. */
export async function* allDecisions(
  deps: Deps,
  principal: Principal,
  filter: DecisionFilter & { readonly cursor?: string | undefined },
  signal?: AbortSignal,
): AsyncGenerator<readonly DecisionEntry[]> {
  let cursor = filter.cursor;
  do {
    const page = await listDecisions(deps, principal, { ...filter, limit: STREAM_PAGE, cursor }, signal);
    yield page.decisions;
    cursor = page.next;
  } while (cursor !== undefined);
}

/** The first names of lists. Rows that follow each other mostly share their lists. */
function namesOf({ records }: Deps): (list: ListRef) => Promise<readonly string[]> {
  const read = new Map<string, readonly string[]>();
  return async ({ digest }) => {
    if (digest === null) return [];
    const known = read.get(digest);
    if (known !== undefined) return known;
    const names = await records.receipts.listedNames({ digest, limit: MOST_LISTED });
    // Lists are long, so only the last few are kept.
    if (read.size >= 8) read.clear();
    read.set(digest, names);
    return names;
  };
}

function unknownCursor(): PortcullisError {
  return invalidFields({ parameter: "cursor", detail: "is not a cursor that this service gave" });
}
