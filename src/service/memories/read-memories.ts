import { defined } from "#core/defined.ts";
import { admit } from "#core/gate/gate.ts";
import { isWithin } from "#core/gate/policy.ts";
import { agentFor, governedBy, mayRead } from "#core/identity/permissions.ts";
import { OPEN, type Principal } from "#core/identity/principal.ts";
import { type FactFilter, factFilterOf, readsDetails } from "#core/memories/fact-filter.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryFilter, MemoryPage } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { recordGiven } from "#service/decisions/decision-log.ts";
import type { Quoted } from "#service/policy/fenced-read.ts";
import { scanWithBudget } from "#service/scan-budget.ts";
import type { Tenant } from "#service/tenant.ts";
import { type KeyQuery, namedBy, notFound } from "./forget.ts";

type Reading = Pick<Tenant, "records" | "policyMirror" | "now">;

const PAGE_SIZE = 500;

export interface MemoryQuery extends FactFilter {
  readonly limit: number;
  readonly before?: number | undefined;
  readonly bytes?: number | undefined;
  readonly q?: string | undefined;
  readonly namespace?: string | undefined;
  readonly createdBefore?: string | undefined;
  /** History instead of current memories. */
  readonly superseded?: boolean | undefined;
  /** Only memories that this agent may use. */
  readonly viewAs?: string | undefined;
}

/** What the caller may read, newest first, an agent behind the fence. With filters a page may be short. */
export async function listMemories(tenant: Reading, call: Call, query: MemoryQuery): Promise<MemoryPage> {
  const { principal } = call;
  const { q, sourceAgent, superseded, createdBefore, limit, before: from, bytes } = query;
  const viewAs = principal.role === "agent" ? agentFor(principal, query.viewAs, "viewAs") : query.viewAs;
  const namespaces = await readableNamespaces(tenant, principal, { ...query, viewAs });
  if (viewAs !== undefined) await recordGiven(tenant, call, viewAs);
  if (namespaces?.length === 0) return { memories: [] };
  const before = createdBefore && new Date(createdBefore).toISOString();
  const isMatching = query.namespacePrefix !== undefined || readsDetails(query);
  const matching = isMatching ? factFilterOf(query) : undefined;
  const filter: MemoryFilter = { namespaces, sourceAgent, contains: q, superseded, createdBefore: before, matching };
  const scan = { limit, before: from, bytes, signal: call.signal?.() };
  const { found, next } = await scanWithBudget(scan, async (step) => {
    const { memories, next } = await tenant.records.memories.page({ ...filter, ...step });
    return { found: memories, next };
  });
  // The filter only saves reading. What was found passes the gate under the current policy.
  const memories = viewAs === undefined ? found : admit(viewAs, found, await tenant.policyMirror.currentOf(viewAs));
  return next === undefined ? { memories } : { memories, next };
}

/** The namespaces that a listing may show; undefined when it may show all. */
async function readableNamespaces(
  { policyMirror }: Pick<Tenant, "policyMirror">,
  principal: Principal,
  { viewAs, namespace, namespacePrefix }: Pick<MemoryQuery, "viewAs" | "namespace" | "namespacePrefix">,
): Promise<readonly string[] | undefined> {
  const governed = principal.role === "agent" ? undefined : governedBy(principal);
  const wanted = namespace === undefined ? governed : [namespace].filter((name) => governed?.includes(name) ?? true);
  if (viewAs === undefined) return wanted;
  const allowed = await policyMirror.allowedNamespaces(viewAs);
  return allowed.filter((name) => (wanted?.includes(name) ?? true) && isWithin(name, namespacePrefix));
}

/** What an agent gets must leave behind the fence. */
export const getMemory = async (tenant: Reading, call: Call, memoryId: string): Promise<Memory> =>
  readable(tenant, call, await tenant.records.memories.find(memoryId));

/** A memory that the caller may not read does not exist for it. */
async function readable(tenant: Reading, call: Call, memory: Memory | undefined): Promise<Memory> {
  const { principal } = call;
  // An agent's policy is read in any case, so that the time tells nothing about which ids exist.
  const policy = principal.role === "agent" ? await tenant.policyMirror.currentOf(principal.agentId) : undefined;
  if (memory === undefined || !mayRead(principal, memory.namespace, policy)) throw notFound();
  if (principal.role === "agent") await recordGiven(tenant, call, principal.agentId, memory.memoryId);
  return memory;
}

/** Every memory that the filter lets pass, newest first, page by page: any number of them takes little memory. */
export async function* allMemories({ records }: Pick<Tenant, "records">, given: MemoryFilter = {}) {
  if (given.namespaces?.length === 0) return;
  const filter = { limit: PAGE_SIZE, ...given };
  let page = await records.memories.page(filter);
  yield page.memories;
  while (page.next !== undefined) {
    page = await records.memories.page({ ...filter, before: page.next });
    yield page.memories;
  }
}

/** What an agent gets must leave behind the fence. */
export async function getByKey(tenant: Reading, query: KeyQuery, call: Call): Promise<Memory> {
  const named = namedBy(query, call.principal);
  return readable(tenant, call, named && (await tenant.records.memories.findByKey(named)));
}

// Memories that say nearly the same as a new one, so that an agent can correct one instead of adding another.

const MOST_SIMILAR = 5;
const LEAST_SCORE = 0.6;

/** Of the namespaces that the caller may use. What an agent gets must leave behind the fence. */
export async function similarTo({ search }: Pick<Tenant, "search">, principal: Principal, memory: Memory) {
  const among = principal.role === "agent" ? { agentId: principal.agentId } : { namespaces: governedBy(principal) };
  const found = await search.closest(memory.content, among, MOST_SIMILAR + 1);
  return found
    .filter(({ memoryId, score }) => memoryId !== memory.memoryId && score >= LEAST_SCORE)
    .slice(0, MOST_SIMILAR);
}

// In mock mode this service is the blob store. An id confirms a guess of its bytes: who may not read learns nothing.

export interface ReadableBlob {
  readonly bytes: Uint8Array;
  readonly isPublic: boolean;
  /** The memory that it is of, if it is of one. */
  readonly quoted: readonly Quoted[];
}

/** The blob, if the caller may have it now. It must leave behind the fence: its memory may be forgotten at any moment. */
export async function readableBlob(
  { blobs, records, policyMirror }: Pick<Tenant, "records" | "policyMirror" | "blobs">,
  principal: Principal,
  blobId: string,
): Promise<ReadableBlob | undefined> {
  const isPublic = principal.id === OPEN.id || (await records.anchors.isPublished(blobId));
  // The store may still have what was forgotten a moment ago, in this process or another. The records decide.
  const found = await records.blobTexts.find(blobId);
  const policy = principal.role === "agent" ? await policyMirror.currentOf(principal.agentId) : undefined;
  if (found === undefined) return undefined;
  const { text, namespace, memoryId, expiresAt } = found;
  // The database's clock says whether it has expired.
  if (memoryId !== undefined && expiresAt !== undefined && (await records.memories.find(memoryId)) === undefined)
    return undefined;
  const quoted = namespace === undefined ? [] : [{ namespace, isPublic, ...defined({ memoryId, expiresAt }) }];
  if (isPublic || principal.role === "admin") {
    const bytes = await blobs.get(blobId);
    return bytes instanceof Uint8Array ? { bytes, isPublic, quoted } : undefined;
  }
  if (namespace === undefined || !mayRead(principal, namespace, policy)) return undefined;
  return { bytes: new TextEncoder().encode(text), isPublic: false, quoted };
}
