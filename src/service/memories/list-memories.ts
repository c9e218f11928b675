import { PortcullisError } from "#core/errors.ts";
import { admit } from "#core/gate/gate.ts";
import { isAllowed } from "#core/gate/policy.ts";
import { agentFor, governs } from "#core/identity/permissions.ts";
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
  const { q, namespace, sourceAgent, ...page } = query;
  const viewAs = principal.role === "agent" ? agentFor(principal, query.viewAs, "viewAs") : query.viewAs;
  const namespaces = await readableNamespaces(deps, principal, { viewAs, namespace });
  if (viewAs !== undefined) await recordGiven(deps, viewAs);
  if (namespaces?.length === 0) return { memories: [] };
  const filter: MemoryFilter = {
    ...(namespaces && { namespaces }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(q !== undefined && { contains: q }),
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
  const governed = principal.role === "namespace-admin" ? principal.namespaces : undefined;
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
  const isReadable =
    memory !== undefined &&
    (principal.role === "agent" && policy !== undefined
      ? isAllowed(policy, principal.agentId, memory.namespace)
      : governs(principal, memory.namespace));
  if (!isReadable) throw new PortcullisError("not-found", "There is no memory with this id.");
  if (principal.role === "agent") await recordGiven(deps, principal.agentId, memoryId);
  return memory;
}

/** Every memory, newest first, page by page, so that any number of memories takes little memory. */
export async function* allMemories({ records }: Deps): AsyncGenerator<readonly Memory[]> {
  let page = await records.memories.page({ limit: PAGE_SIZE });
  yield page.memories;
  while (page.next !== undefined) {
    page = await records.memories.page({ limit: PAGE_SIZE, before: page.next });
    yield page.memories;
  }
}
