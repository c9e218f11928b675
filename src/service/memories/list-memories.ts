import { PortcullisError } from "#core/errors.ts";
import { admit } from "#core/gate/gate.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryFilter, MemoryPage } from "#ports.ts";
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

/** Newest first. With filters, a page may be short although it is not the last. */
export async function listMemories(deps: Deps, query: MemoryQuery, signal?: AbortSignal): Promise<MemoryPage> {
  const { q, namespace, sourceAgent, viewAs, ...page } = query;
  const namespaces =
    viewAs === undefined ? namespace && [namespace] : await namespacesAllowedTo(deps, viewAs, namespace);
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

async function namespacesAllowedTo({ gatekeeper }: Deps, agentId: string, namespace?: string) {
  const allowed = await gatekeeper.allowedNamespaces(agentId);
  return namespace === undefined ? allowed : allowed.filter((each) => each === namespace);
}

export async function getMemory({ records }: Deps, memoryId: string): Promise<Memory> {
  const memory = await records.memories.find(memoryId);
  if (memory === undefined) throw new PortcullisError("not-found", "There is no memory with this id.");
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
