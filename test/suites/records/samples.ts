// Records for the suites. "Random" ones are the same in every run. The filters are evaluated here without any index.
import fc from "fast-check";
import type { ReceiptStatus } from "#core/receipt/receipt.ts";
import type {
  BlobAnchor,
  IssuedReceipt,
  LoggedReceipt,
  MemoryFilter,
  MemoryOnRecord,
  PolicyChange,
  ReceiptFilter,
} from "#ports.ts";

export const AT = "2026-01-02T03:04:05.678Z";
export const STAMP = { by: "suite", at: AT };

const NAMESPACES = ["health", "diet", "__proto__", "Health"] as const;
const AGENTS = ["assistant", "__proto__", "a.b"] as const;
const WORDS = ["Peanut", "peanut allergy", "dinner on FRIDAY", "10% naïve"] as const;

export const at = <T>(values: readonly T[], i: number): T => values[i % values.length] as T;
/** A hash, so that the values have no period that the pages could have too. */
const hash = (i: number, salt: number): number => Math.imul(i * 31 + salt, 0x9e3779b1) >>> 24;

let count = 0;

/** A memory with a new id, of a new fact. */
export function newMemory(content: string, fields: Partial<MemoryOnRecord> = {}): MemoryOnRecord {
  return memory(++count, { content, ...fields });
}

export function memory(i: number, fields: Partial<MemoryOnRecord> = {}): MemoryOnRecord {
  const memoryId = `mem_${String(i).padStart(4, "0")}`;
  const rest = {
    storeRef: "ref",
    namespace: "n",
    sourceAgent: "s",
    createdAt: AT,
    contentDigest: `digest ${memoryId}`,
  };
  return { memoryId, content: `fact ${i}`, ...rest, ...fields };
}

export const randomMemory = (i: number): MemoryOnRecord =>
  memory(i, {
    namespace: at(NAMESPACES, hash(i, 1)),
    sourceAgent: at(AGENTS, hash(i, 2)),
    content: at(WORDS, hash(i, 3)),
  });

const namespaceNames = fc.constantFrom(...NAMESPACES, "none");
const agentNames = fc.constantFrom(...AGENTS, "nobody");
export const pageSizes = fc.record(
  { limit: fc.integer({ min: 1, max: 50 }), scan: fc.integer({ min: 50, max: 70 }) },
  { requiredKeys: ["limit"] },
);

/** So many that a store may not look each of them up. */
const MANY_OTHERS = Array.from({ length: 300 }, (_, i) => `other ${i}`);
const namespaceLists = fc
  .tuple(fc.array(namespaceNames, { minLength: 1, maxLength: 4 }), fc.constantFrom([], [], MANY_OTHERS))
  .map(([few, others]) => [...few, ...others]);

export const memoryFilters: fc.Arbitrary<MemoryFilter> = fc.record(
  {
    namespaces: namespaceLists,
    sourceAgent: agentNames,
    contains: fc.constantFrom("peanut", "FRIDAY", "an", "%", "zzz"),
  },
  { requiredKeys: [] },
);

export function memoryPasses(memory: MemoryOnRecord, { namespaces, sourceAgent, contains }: MemoryFilter): boolean {
  return (
    (namespaces === undefined || namespaces.includes(memory.namespace)) &&
    (sourceAgent === undefined || memory.sourceAgent === sourceAgent) &&
    (contains === undefined || memory.content.toLowerCase().includes(contains.toLowerCase()))
  );
}

/** Times on either side of the database's clock. */
export const LONG_AGO = "2001-01-01T00:00:00.000Z";
export const FAR_OFF = "2999-01-01T00:00:00.000Z";

export const SEED = "5eed".repeat(16);

export const STATUSES = ["issued", "begun", "broken-off"] as const satisfies readonly ReceiptStatus[];

/** For the transparency log. */
export const LOGGED = { policyVersion: 0, sealedDigest: "5ea1", signatureDigest: "51", wasBegun: true };

export function receipt(i: number, fields: Partial<LoggedReceipt> = {}): LoggedReceipt {
  const answerId = `ans_${String(i).padStart(4, "0")}`;
  const counts = { used: 0, verified: 0, intact: 0 };
  const body = `{"agentId":"a","answerId":"${answerId}","usedMemories":[]}`;
  const lists = { namespaces: [], memoryIds: [], usedNamespaces: [], model: null };
  return { answerId, agentId: "a", createdAt: AT, ...lists, ...counts, ...LOGGED, body, seed: SEED, ...fields };
}

export function randomReceipt(i: number): LoggedReceipt {
  const used = hash(i, 4) % 3;
  return receipt(i, {
    agentId: at(AGENTS, hash(i, 5)),
    namespaces: NAMESPACES.filter((_, bit) => (hash(i, 6) >> bit) % 2 === 1),
    model: at([null, "built-in", "gpt"], hash(i, 10)),
    used,
    verified: Math.max(0, used - (hash(i, 7) % 2)),
    intact: Math.max(0, used - (hash(i, 8) % 2)),
    body: JSON.stringify({ order: hash(i, 9), i, usedMemories: [] }),
  });
}

export function anchorOf({ answerId, body }: IssuedReceipt, fields: Partial<BlobAnchor> = {}): BlobAnchor {
  const [blobId, digest] = [`blob of ${answerId}`, `digest of ${answerId}`];
  return { blobId, digest, answerId, issued: true, anchoredAt: AT, body, ...fields };
}

export const receiptFilters: fc.Arbitrary<ReceiptFilter> = fc.record(
  {
    agentId: agentNames,
    answerIds: fc.subarray(["ans_0003", "ans_0017", "ans_0031", "ans_0044", "ans_none"]),
    namespace: namespaceNames,
    anchored: fc.boolean(),
    verified: fc.boolean(),
    status: fc.constantFrom(...STATUSES),
    model: fc.constantFrom("built-in", "gpt", "none"),
    since: fc.constantFrom("", "ans_0030", "ans_9"),
  },
  { requiredKeys: [] },
);

export function receiptPasses(
  receipt: IssuedReceipt & { readonly status: ReceiptStatus },
  isAnchored: boolean,
  filter: ReceiptFilter,
): boolean {
  const { agentId, answerIds, namespace, anchored, verified, status, model, since = "" } = filter;
  const isVerified = receipt.verified === receipt.used && receipt.intact === receipt.used;
  return (
    (agentId === undefined || receipt.agentId === agentId) &&
    (answerIds === undefined || answerIds.includes(receipt.answerId)) &&
    (namespace === undefined || receipt.namespaces.includes(namespace)) &&
    (anchored === undefined || isAnchored === anchored) &&
    (verified === undefined || (receipt.status === "issued" && isVerified === verified)) &&
    (status === undefined || receipt.status === status) &&
    (model === undefined || receipt.model === model) &&
    receipt.answerId >= since
  );
}

/** The outcome of a request, as the ledger gives it. */
export const OUTCOME = {
  receiptId: "0x1",
  txDigest: "t1",
  allAuthorized: false,
  ledgerVersion: "7",
  anchoredAt: AT,
};

export function byVersionThenName(a: PolicyChange, b: PolicyChange): number {
  return b.version - a.version || compare(a.agentId, b.agentId) || compare(a.namespace, b.namespace);
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0);

export function tally(names: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return counts;
}
