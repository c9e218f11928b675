// Forgetting: final when it is acknowledged, as a revoke is. A signed tombstone stays.
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { agentFor, checkGoverns, governs, mayRead } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { type FactFilter, factFilterOf, readsDetails } from "#core/memories/fact-filter.ts";
import type { Memory } from "#core/memory.ts";
import { type Tombstone, tombstoneBytes } from "#core/tombstone.ts";
import type { MemoryFilter, NamedFact, UsePage } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { callerOf, decisionOf } from "#service/decisions/decision-log.ts";
import type { Tenant } from "#service/tenant.ts";

type Forgetter = Pick<Tenant, "records" | "policyMirror" | "index" | "blobs" | "now">;

/** Forgets a memory, or answers with the tombstone of one that is forgotten. */
export async function forgetMemory(
  tenant: Forgetter & Pick<Tenant, "signer">,
  { memoryId, reason }: { readonly memoryId: string; readonly reason?: string | undefined },
  call: Call,
) {
  const { principal } = call;
  // Also one that cannot be decrypted, or that has expired.
  const memory = await tenant.records.memories.findRemovable({ memoryId });
  if (memory === undefined) return forgottenBefore(tenant, memoryId, principal);
  if (!mayRemove(principal, memory)) throw notFound();
  const lease = await tenant.records.leases.find(memory.storeRef);
  const { namespace } = memory;
  const [forgotten] = await forgetAll(tenant, { memoryIds: [memoryId], namespace, reason }, call);
  // Somebody else was faster.
  if (forgotten === undefined) return forgottenBefore(tenant, memoryId, principal);
  const { tombstone, anchoredReceipts } = forgotten;
  return {
    tombstone: await signed(tenant, tombstone),
    anchoredReceipts,
    /** The blob store keeps the public blob until then at the earliest. Absent when there is none any more. */
    ...(lease?.endsAt !== undefined && { publicUntil: lease.endsAt }),
  };
}

type Asked = Pick<ManyQuery, "namespace" | "reason"> & { readonly memoryIds: readonly string[] };

/** Forgets these memories, 500 at most, whose removal the caller may ask for. */
async function forgetAll(tenant: Forgetter, { memoryIds, namespace, reason }: Asked, call: Call) {
  const [only] = memoryIds.length === 1 ? memoryIds : [];
  const decision = decisionOf(tenant, call, {
    outcome: "changed",
    memoryId: only,
    agentId: callerOf(call),
    namespace,
    details: { cause: "forgotten", memories: memoryIds.length },
  });
  const stamp = { by: call.principal.name, at: tenant.now().toISOString(), decision };
  const forgotten = await tenant.records.memories.forget({ memoryIds, cause: "forgotten", reason }, stamp);
  tenant.blobs.dropCache?.();
  tenant.index.wake();
  return forgotten;
}

async function forgottenBefore(tenant: Pick<Tenant, "records" | "signer">, memoryId: string, principal: Principal) {
  const found = await tenant.records.memories.tombstone(memoryId);
  if (found === undefined) throw notFound();
  const { tombstone, sourceAgent, anchoredReceipts } = found;
  if (!mayRemove(principal, { namespace: tombstone.namespace, sourceAgent })) throw notFound();
  return { tombstone: await signed(tenant, tombstone), anchoredReceipts };
}

/** Signed when it is given, with the key of receipts. A reset leaves a million of them. */
async function signed({ signer }: Pick<Tenant, "signer">, tombstone: Tombstone) {
  return { ...tombstone, signature: await signer.signBytes(tombstoneBytes(tombstone)) };
}

// An agent may forget or supersede what it captured, the others what they govern. All else answers the same.

type Owned = Pick<Memory, "namespace" | "sourceAgent">;

export const mayRemove = (principal: Principal, { namespace, sourceAgent }: Owned): boolean =>
  principal.role === "agent" ? principal.agentId === sourceAgent : governs(principal, namespace);

export function notFound(): PortcullisError {
  return new PortcullisError("not-found", "There is no memory with this id.");
}

/** Refuses a draft that would supersede what its caller may not, or what is in another namespace. */
export async function checkSupersedable(
  { stored }: Pick<Tenant, "stored">,
  { supersedes, namespace }: { readonly supersedes?: string | undefined; readonly namespace: string },
  call: Call | undefined,
): Promise<void> {
  if (supersedes === undefined) return;
  const memory = await stored.memories.find(supersedes);
  const isOwn = memory !== undefined && (call === undefined || mayRemove(call.principal, memory));
  if (!isOwn || memory.supersededBy !== undefined) throw notFound();
  if (memory.namespace !== namespace)
    throw invalidFields({ pointer: "#/supersedes", detail: "must be a memory of the same namespace" });
}

// Memories by the names that their source agents gave them.

export interface KeyQuery extends Omit<NamedFact, "sourceAgent"> {
  /** An agent may leave itself out. */
  readonly sourceAgent?: string | undefined;
}

export async function forgetByKey(
  tenant: Forgetter & Pick<Tenant, "signer">,
  { reason, ...query }: KeyQuery & { readonly reason?: string | undefined },
  call: Call,
) {
  const { principal } = call;
  const named = namedBy(query, principal);
  const memory = named && (await tenant.records.memories.findRemovable(named));
  if (memory === undefined || !mayRemove(principal, memory)) throw notFound();
  return forgetMemory(tenant, { memoryId: memory.memoryId, reason }, call);
}

export function namedBy({ namespace, key, sourceAgent }: KeyQuery, principal: Principal): NamedFact | undefined {
  const source = principal.role === "namespace-admin" ? sourceAgent : agentFor(principal, sourceAgent, "sourceAgent");
  return source === undefined ? undefined : { namespace, key, sourceAgent: source };
}

// Forgets many memories in bounded steps: a request says where the next one goes on, and a run may begin anew.

interface ManyQuery extends FactFilter {
  readonly namespace?: string | undefined;
  readonly before?: string | undefined;
  readonly reason?: string | undefined;
  readonly cursor?: string | undefined;
  /** Counts, and forgets nothing. */
  readonly dryRun?: boolean | undefined;
}

const STEP = 500;
const STEPS_A_REQUEST = 4;
const SCAN = 20_000;

/** Forgets up to 2,000 memories, newest first, and superseded ones after the current ones. */
export async function forgetMany(tenant: Forgetter & Pick<Tenant, "stored">, query: ManyQuery, call: Call) {
  const filter = filterFor(query, call.principal);
  // What must be read to be told apart is decrypted. All else is forgotten without its key, too.
  const { memories: source } = readsDetails(query) ? tenant.records : tenant.stored;
  // What was said of it and waits goes as well. Details of a proposal are nowhere but in its text.
  const { namespaces, sourceAgent: agentId, createdBefore, matching } = filter;
  if (query.cursor === undefined && !query.dryRun && matching === undefined)
    await tenant.records.proposals.drop({ namespaces, agentId, createdBefore });
  let position: Position | undefined = positionOf(query.cursor);
  let [forgotten, anchoredReceipts] = [0, 0];
  for (let count = 0; count < STEPS_A_REQUEST && position !== undefined; count++) {
    const page = { ...filter, ...position, limit: STEP, scan: SCAN };
    const { memories, next } = await source.page(page);
    const memoryIds = memories.map(({ memoryId }) => memoryId);
    const step = await forgetStep(tenant, memoryIds, query, call);
    forgotten += step.memories;
    anchoredReceipts += step.anchoredReceipts;
    position = after(position, next);
  }
  const counted = { ...(query.dryRun && { dryRun: true as const }), forgotten, anchoredReceipts };
  // Where the next request goes on, unless all were looked at.
  return { ...counted, ...(position !== undefined && { nextCursor: cursorOf(position) }) };
}

async function forgetStep(
  tenant: Forgetter,
  memoryIds: readonly string[],
  { namespace, reason, dryRun }: ManyQuery,
  call: Call,
) {
  if (memoryIds.length === 0) return { memories: 0, anchoredReceipts: 0 };
  if (dryRun) return tenant.records.memories.countToForget(memoryIds);
  const removed = await forgetAll(tenant, { memoryIds, namespace, reason }, call);
  return { memories: removed.length, anchoredReceipts: removed.reduce((sum, each) => sum + each.anchoredReceipts, 0) };
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

function filterFor(query: ManyQuery, principal: Principal): MemoryFilter {
  const { namespace, sourceAgent, before, namespacePrefix } = query;
  const isMatching = namespacePrefix !== undefined || readsDetails(query);
  const source = principal.role === "agent" ? agentFor(principal, sourceAgent, "sourceAgent") : sourceAgent;
  // What an agent does not name is all that it captured, and it must say so.
  if (namespace === undefined && sourceAgent === undefined && before === undefined && !isMatching)
    throw invalidFields({ pointer: "#/", detail: "must name a namespace, a source agent, a time or another filter" });
  if (principal.role === "namespace-admin") {
    if (namespace === undefined) throw new PortcullisError("forbidden", "Name a namespace that this key administers.");
    checkGoverns(principal, namespace);
  }
  const namespaces = namespace === undefined ? undefined : [namespace];
  const createdBefore = before === undefined ? undefined : new Date(before).toISOString();
  const matching = isMatching ? { ...factFilterOf(query), sourceAgent: source } : undefined;
  return { namespaces, sourceAgent: source, createdBefore, matching };
}

// What can be read of a memory beside its text: its tombstone, and the answers that were given it.

/** For anyone when an anchored receipt names it, else for readers of the namespace, an agent behind the fence. */
export async function getTombstone(
  tenant: Pick<Tenant, "records" | "policyMirror" | "signer">,
  principal: Principal,
  memoryId: string,
) {
  const found = await tenant.records.memories.tombstone(memoryId);
  const policy = principal.role === "agent" ? await tenant.policyMirror.currentOf(principal.agentId) : undefined;
  if (found === undefined) throw notFound();
  const { tombstone, isNamedInPublic } = found;
  if (!isNamedInPublic && !mayRead(principal, tombstone.namespace, policy)) throw notFound();
  return { tombstone: await signed(tenant, tombstone), isPublic: isNamedInPublic };
}

/** For the service's own verifier. */
export async function publicTombstone(tenant: Pick<Tenant, "records" | "signer">, memoryId: string) {
  const found = await tenant.records.memories.tombstone(memoryId);
  return found?.isNamedInPublic ? signed(tenant, found.tombstone) : undefined;
}

/** The answers that were given this memory, newest first. Ids and names only. */
export async function listUses(
  { stored }: Pick<Tenant, "stored">,
  principal: Principal,
  memoryId: string,
  page: { readonly limit: number; readonly before?: string | undefined },
): Promise<UsePage> {
  const { memories } = stored;
  const memory = await memories.find(memoryId);
  const namespace = memory?.namespace ?? (await memories.tombstone(memoryId))?.tombstone.namespace;
  const isReadable = namespace !== undefined && (principal.role === "auditor" || governs(principal, namespace));
  if (!isReadable) throw notFound();
  return memories.uses(memoryId, page);
}
