import { PortcullisError } from "#core/errors.ts";
import { admit, divide } from "#core/gate/gate.ts";
import type { Policy } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryFilter, MemoryPage } from "#ports.ts";
import type { Deps } from "#service/deps.ts";
import { bounded } from "#service/scan-budget.ts";

const PAGE = 500;

export interface Wanted {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly q?: string | undefined;
  readonly namespace?: string | undefined;
  readonly sourceAgent?: string | undefined;
  /** Only what this agent may use. */
  readonly viewAs?: string | undefined;
}

/** Newest first. With filters a page may be short and not the last. */
export async function listMemories(deps: Deps, wanted: Wanted): Promise<MemoryPage> {
  const { q, namespace, sourceAgent, viewAs, ...page } = wanted;
  const namespaces = viewAs === undefined ? namespace && [namespace] : await allowedTo(deps, viewAs, namespace);
  if (namespaces?.length === 0) return { memories: [] };
  const filter: MemoryFilter = {
    ...(namespaces && { namespaces }),
    ...(sourceAgent !== undefined && { sourceAgent }),
    ...(q !== undefined && { contains: q }),
  };
  const { found, next } = await bounded(page, async (step) => {
    const { memories, next } = await deps.records.memories.page({ ...filter, ...step });
    return { found: memories, next };
  });
  // The filter only spares reading. What was found passes the gate, as the policy is by now.
  const memories = viewAs === undefined ? found : admit(viewAs, found, await deps.gatekeeper.policy());
  return next === undefined ? { memories } : { memories, next };
}

async function allowedTo({ gatekeeper }: Deps, agentId: string, namespace?: string): Promise<readonly string[]> {
  const policy = await gatekeeper.policy();
  return divide(agentId, namespace === undefined ? namedFor(policy, agentId) : [namespace], policy).allowed;
}

/** The namespaces that the policy has a leaf for; there is none that it allows without one. */
function namedFor(policy: Policy, agentId: string): string[] {
  return Object.hasOwn(policy, agentId) ? Object.keys(policy[agentId] ?? {}) : [];
}

export async function getMemory({ records }: Deps, memoryId: string): Promise<Memory> {
  const memory = await records.memories.find(memoryId);
  if (memory === undefined) throw new PortcullisError("not-found", "There is no memory with this id.");
  return memory;
}

/** Every memory, newest first, read page by page so that any number of them takes little room. */
export async function* allMemories({ records }: Deps): AsyncGenerator<readonly Memory[]> {
  let page = await records.memories.page({ limit: PAGE });
  yield page.memories;
  while (page.next !== undefined) {
    page = await records.memories.page({ limit: PAGE, before: page.next });
    yield page.memories;
  }
}
