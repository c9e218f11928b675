import { PortcullisError } from "#core/errors.ts";
import { admit } from "#core/gate/gate.ts";
import { agentFor, governedBy, mayRead } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryFilter, MemoryPage } from "#ports.ts";
import { recordGiven } from "#service/decisions/decision-log.ts";
import type { Deps } from "#service/deps.ts";
import { scanWithBudget } from "#service/scan-budget.ts";

const PAGE_SIZE = 500;

export interface MemoryQuery {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly q?: string | undefined;
  readonly namespace?: string | undefined;
  readonly sourceAgent?: string | undefined;
  readonly createdBefore?: string | undefined;
  /** History instead of current memories. */
  readonly superseded?: boolean | undefined;
  /** Only memories that this agent may use. */
  readonly viewAs?: string | undefined;
}

/**
 * Newest first, and only what the caller may read. With filters, a page may be short although it is not the last. What an
 * agent gets must leave behind the fence.
 */
export async function listMemories(
  deps: Deps,
  principal: Principal,
  query: MemoryQuery,
  signal?: AbortSignal,
): Promise<MemoryPage> {
  const { q, namespace, sourceAgent, superseded, createdBefore, ...page } = query;
  const viewAs = principal.role === "agent" ? agentFor(principal, query.viewAs, "viewAs") : query.viewAs;
  const namespaces = await readableNamespaces(deps, principal, { viewAs, namespace });
  if (viewAs !== undefined) await recordGiven(deps, viewAs);
  if (namespaces?.length === 0) return { memories: [] };
  const filter: MemoryFilter = {
    ...(namespaces && { namespaces }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(q !== undefined && { contains: q }),
    ...(superseded && { superseded }),
    ...(createdBefore !== undefined && { createdBefore: new Date(createdBefore).toISOString() }),
  };
  const { found, next } = await scanWithBudget({ ...page, signal }, async (step) => {
    const { memories, next } = await deps.records.memories.page({ ...filter, ...step });
    return { found: memories, next };
  });
  // The filter only saves reading. What was found passes the gate under the current policy.
  const memories = viewAs === undefined ? found : admit(viewAs, found, await deps.gatekeeper.policyOf(viewAs));
  return next === undefined ? { memories } : { memories, next };
}

/** The namespaces that a listing may show; undefined when it may show all. */
async function readableNamespaces(
  { gatekeeper }: Deps,
  principal: Principal,
  { viewAs, namespace }: Pick<MemoryQuery, "viewAs" | "namespace">,
): Promise<readonly string[] | undefined> {
  const governed = principal.role === "agent" ? undefined : governedBy(principal);
  const wanted = namespace === undefined ? governed : [namespace].filter((name) => governed?.includes(name) ?? true);
  if (viewAs === undefined) return wanted;
  const allowed = await gatekeeper.allowedNamespaces(viewAs);
  return wanted === undefined ? allowed : allowed.filter((name) => wanted.includes(name));
}

/** A memory that the caller may read. One that it may not read does not exist for it. */
export async function getMemory(deps: Deps, principal: Principal, memoryId: string): Promise<Memory> {
  const { records, gatekeeper } = deps;
  const memory = await records.memories.find(memoryId);
  // An agent's policy is read in any case, so that the time tells nothing about which ids exist.
  const policy = principal.role === "agent" ? await gatekeeper.policyOf(principal.agentId) : undefined;
  if (memory === undefined || !mayRead(principal, memory.namespace, policy))
    throw new PortcullisError("not-found", "There is no memory with this id.");
  if (principal.role === "agent") await recordGiven(deps, principal.agentId, memoryId);
  return memory;
}

/** Every memory that the filter lets pass, newest first, page by page: any number of them takes little memory. */
export async function* allMemories(
  { records }: Pick<Deps, "records">,
  given: MemoryFilter = {},
): AsyncGenerator<readonly Memory[]> {
  if (given.namespaces?.length === 0) return;
  const filter = { limit: PAGE_SIZE, ...given };
  let page = await records.memories.page(filter);
  yield page.memories;
  while (page.next !== undefined) {
    page = await records.memories.page({ ...filter, before: page.next });
    yield page.memories;
  }
}
