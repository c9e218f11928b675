import { mapInOrder } from "#async/map-in-order.ts";
import { turnInBulk } from "#async/run-in-slices.ts";
import { callerCounts, inTenant } from "#async/semaphore.ts";
import { defined } from "#core/defined.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { invalidFields, PortcullisError } from "#core/errors.ts";
import { detailsOf, type Fact, factBytes, type GivenFact, type Memory } from "#core/memory.ts";
import { maxPinned } from "#core/recall/pins.ts";
import type { BlobLease, Decision, MemoryOnRecord, Metrics, ProposalDecision } from "#ports.ts";
import type { Call } from "#service/call.ts";
import { callerOf, decisionOf } from "#service/decisions/decision-log.ts";
import type { Tenant } from "#service/tenant.ts";
import { checkSupersedable, notFound } from "./forget.ts";
import { blobFence, leaseFor } from "./memory-blobs.ts";
import { getMemory } from "./read-memories.ts";

export type Storer = Pick<Tenant, "records" | "blobs" | "cipher" | "now" | "newId">;
export type Capturer = Storer & Pick<Tenant, "stored" | "policyMirror" | "index">;

/** What a caller sends to be remembered, and for how long and in place of what. */
type Draft = GivenFact & Lifetime;

/** The blob comes first: a crash leaves one that nobody refers to. What the records would refuse is not made public. */
export async function capture(tenant: Capturer, draft: Draft, call?: Call, accepting?: Accepting): Promise<Memory> {
  const lifecycle = await checkDraft(tenant, draft, call);
  const { memory, lease } = await storeFact(tenant, draft, lifecycle);
  const { memoryId } = memory;
  const decision = decisionOf(tenant, call, {
    outcome: "captured",
    memoryId,
    agentId: callerOf(call),
    namespace: draft.namespace,
    ...accepting?.decided,
  });
  const recorded = await tenant.records.memories.add({ ...memory, ...lifecycle }, lease, decision, accepting?.accepted);
  if (recorded.memoryId === memory.memoryId) tenant.index.wake();
  return recorded;
}

/** The proposal that becomes the memory, and what the decision log has of it. */
interface Accepting {
  readonly accepted: ProposalDecision;
  readonly decided: Pick<Decision, "answerId" | "details">;
}

/** Refuses what could not be recorded now. Answers with the fields that follow from the draft. */
async function checkDraft(tenant: Capturer, draft: Draft, call: Call | undefined) {
  await tenant.records.memories.checkNames(draft);
  await checkSupersedable(tenant, draft, call);
  return lifecycleOf(tenant, draft);
}

/** Stores the blob, and returns the memory that is to be recorded. In an encrypted namespace both hold ciphertext. */
export async function storeFact(
  tenant: Storer,
  given: GivenFact,
  lifecycle: Pick<Memory, "key"> = {},
): Promise<{ memory: MemoryOnRecord; lease: BlobLease | undefined }> {
  const { namespace, content, sourceAgent } = given;
  const fact: Fact = { namespace, content, sourceAgent, ...detailsOf(given) };
  const memoryId = tenant.newId("mem");
  const settings = await tenant.records.namespaces.find(namespace);
  const ids = { memoryId, ...defined({ key: lifecycle.key }) };
  const encrypted = settings?.encrypted ? await tenant.cipher.encrypt(fact, ids) : undefined;
  const bytes = encrypted === undefined ? factBytes(fact) : new TextEncoder().encode(encrypted.text);
  const fence = blobFence(tenant, { namespace, isEncrypted: encrypted !== undefined });
  const stored = await tenant.blobs.put(bytes, { fence: fence.pass }).catch((error: unknown) => {
    if (fence.refusal() === undefined) throw error;
  });
  // The namespace was encrypted since.
  if (stored === undefined) return storeFact(tenant, fact, lifecycle);
  const contentDigest = digestHex(bytes);
  const createdAt = tenant.now().toISOString();
  const text = encrypted?.text ?? content;
  const recorded = {
    memoryId,
    storeRef: stored.blobId,
    namespace,
    content: text,
    sourceAgent,
    createdAt,
    contentDigest,
  };
  return {
    memory:
      encrypted === undefined
        ? { ...recorded, ...detailsOf(given) }
        : { ...recorded, encryption: encrypted.encryption },
    lease: leaseFor(stored, tenant.blobs, createdAt),
  };
}

// How long a memory is kept, and under which name.

/** What a caller may say of a fact beside its text. At most one of `expiresAt` and `ttl`. */
interface Lifetime {
  readonly key?: string | undefined;
  readonly supersedes?: string | undefined;
  readonly expiresAt?: string | undefined;
  /** In seconds. */
  readonly ttl?: number | undefined;
}

/** The fields of the memory. Without a time of its own it is kept as long as its namespace says. */
async function lifecycleOf(
  { records, now }: Pick<Tenant, "records" | "now">,
  { key, supersedes, expiresAt, ttl, namespace }: Lifetime & Pick<Memory, "namespace">,
): Promise<Pick<Memory, "key" | "supersedes" | "expiresAt">> {
  const nowMs = now().getTime();
  if (expiresAt !== undefined && Date.parse(expiresAt) <= nowMs)
    throw invalidFields({ pointer: "#/expiresAt", detail: "must be in the future" });
  const retention =
    expiresAt === undefined && ttl === undefined ? (await records.namespaces.find(namespace))?.retentionSeconds : ttl;
  const end = expiresAt ?? (retention === undefined ? undefined : nowMs + retention * 1_000);
  return { ...defined({ key, supersedes }), ...(end !== undefined && { expiresAt: new Date(end).toISOString() }) };
}

// Import of many facts, concurrently. Every memory in a result is on record: a caller that goes away loses none.

/** A line: a fact, or the error that says why it is not one. */
export type ImportLine = { readonly line: number } & ({ readonly fact: Draft } | { readonly error: unknown });

type ImportResult = { readonly line: number } & (
  | { readonly memory: Memory }
  | { readonly error: unknown }
  | { readonly dryRun: true }
);

/** Facts in progress for each put that the blob store takes at a time, so that the store never waits for us. */
const FACTS_PER_PUT = 2;

export function importMemories(
  tenant: Capturer & Pick<Tenant, "number">,
  lines: AsyncIterable<ImportLine>,
  call?: Call,
  isDryRun = false,
): AsyncGenerator<ImportResult> {
  const concurrency = FACTS_PER_PUT * tenant.blobs.putConcurrency;
  return mapInOrder(lines, concurrency, async (given): Promise<ImportResult> => {
    // So that no request waits for a burst of lines.
    await turnInBulk(tenant.number);
    if ("error" in given) return given;
    const { line, fact } = given;
    try {
      if (!isDryRun) return { line, memory: await capture(tenant, fact, call) };
      await checkDraft(tenant, fact, call);
      return { line, dryRun: true };
    } catch (error) {
      return { line, error };
    }
  });
}

/** Pins or unpins a memory. Who does is recorded: whoever pins a memory puts it into every prompt that may have it. */
export async function pinMemory(
  tenant: Pick<Tenant, "records" | "policyMirror" | "settings" | "now">,
  { memoryId, pinned }: { readonly memoryId: string; readonly pinned: boolean },
  call: Call,
): Promise<Memory> {
  const { principal } = call;
  const { records, settings, now } = tenant;
  // A memory's namespace never changes, so that it may be checked first.
  if (principal.role !== "admin") await getMemory(tenant, call, memoryId);
  const limit = maxPinned(settings.recallLimit);
  const outcome = await records.memories.setPinned(
    { memoryId, pinned, limit },
    {
      by: principal.name,
      at: now().toISOString(),
      decision: decisionOf(tenant, call, { outcome: "changed", memoryId }),
    },
  );
  switch (outcome.kind) {
    case "set":
      return outcome.memory;
    case "full":
      throw new PortcullisError(
        "too-many-pinned",
        `This namespace has as many pinned memories as it can have: ${limit}, half of RECALL_LIMIT. Unpin another one first, or raise RECALL_LIMIT.`,
      );
    case "not-found":
      throw notFound();
  }
}

// A bound on the imports in progress. An import may take long and keeps its share of the blob store busy all the while.

/** Those of the process, for each tenant. The last places are for tenants that have no import in progress. */
export function createImportSlots({
  most = 16,
  perIdentity = 4,
  spare = 4,
  metrics = undefined as Pick<Metrics, "gauge"> | undefined,
} = {}): (tenant: number) => Tenant["importSlots"] {
  const counts = callerCounts();
  let running = 0;
  metrics?.gauge("importsRunning", () => running);

  return (tenant) => ({
    async run({ id, credential }, importAll) {
      const caller = inTenant(tenant, id);
      if (running >= most + (counts.inTenant(caller) === 0 ? spare : 0)) {
        throw new PortcullisError("overloaded", `${most} imports are in progress. Try again when one has ended.`);
      }
      if (credential !== undefined && counts.of(caller) >= perIdentity) {
        const sentence = `${perIdentity} imports of yours are in progress. Try again when one has ended.`;
        throw new PortcullisError("too-many-requests", sentence);
      }
      counts.change(caller, 1);
      running += 1;
      try {
        await importAll();
      } finally {
        counts.change(caller, -1);
        running -= 1;
      }
    },
  });
}
