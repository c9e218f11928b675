// Lies of the operator, who has the key and both capabilities: everything is signed and anchored by the rules of the
// ledger. What the operator says contradicts itself, or shows nothing.
import {
  type AnchoredOptions,
  anchored,
  anchoredReceipt,
  FACTS,
  goodReceipt,
  withChain,
} from "#test/support/anchored-receipt.ts";
import { type ReceiptJson, SERVICE_KEY, sealedAndSigned, signed, signingPair } from "#test/support/signed-receipt.ts";
import { altered, type Forgery, forgery, noProof, without } from "./forgery.ts";

const good = anchored();
const lie = (name: string, code: Forgery["code"], options: AnchoredOptions): Forgery =>
  forgery(`operator: ${name}`, anchored(options), code);
const weak = (name: string, code: Forgery["code"], options: AnchoredOptions): Forgery =>
  noProof(`operator: ${name}`, anchored(options), code);

/** Changes a used memory before it is signed. */
const memory = (index: number, change: object) => (receipt: ReceiptJson) =>
  altered(receipt, ["usedMemories", index], (value) => ({ ...(value as object), ...change }));

const repeated = (change: object) => (receipt: ReceiptJson) => ({
  ...receipt,
  usedMemories: [...receipt.usedMemories, { ...receipt.usedMemories[0], ...change }],
});

const set =
  (fields: object) =>
  (receipt: ReceiptJson): ReceiptJson => ({ ...receipt, ...fields });

/** Without a model there is no prompt. */
const WITHOUT_MODEL = {
  model: null,
  template: null,
  commitments: without(goodReceipt().evidence.commitments, "/prompt"),
};
const RECALLED = { ...WITHOUT_MODEL, kind: "recalled" };

const contradictions = [
  lie("a used namespace that is blocked", "namespace-blocked", { blockedNamespaces: ["diet", "health"] }),
  lie("both used namespaces blocked", "namespace-blocked", { blockedNamespaces: ["diet", "travel"] }),
  lie("a memory that was not authorized", "not-authorized", { alter: memory(1, { authorized: false }) }),
  lie("a memory twice", "memory-twice", { alter: repeated({}) }),
  lie("a memory twice, once as not cited", "memory-twice", { alter: repeated({ cited: false }) }),
  lie("one blob with two texts", "memory-contradicted", { alter: repeated({ memoryId: "mem_9", snippet: "Meat." }) }),
  lie("one blob in two namespaces", "memory-contradicted", {
    alter: repeated({ memoryId: "mem_9", namespace: "travel" }),
  }),
  lie("one blob with two digests", "memory-contradicted", {
    alter: repeated({ memoryId: "mem_9", contentDigest: "00".repeat(32) }),
  }),
  lie("a blocked namespace twice", "blocked-twice", { blockedNamespaces: ["health", "health"] }),
  lie("blocked namespaces out of order", "blocked-unordered", { blockedNamespaces: ["work", "health"] }),
];

const claims = [
  lie("a used namespace that is not claimed", "used-not-claimed", { claimed: ["diet"] }),
  lie("nothing claimed, and two namespaces used", "used-not-claimed", { claimed: [] }),
  lie("claims of other namespaces", "used-not-claimed", { claimed: ["health", "work"] }),
  lie("claims that differ in case", "used-not-claimed", { claimed: ["Diet", "Travel"] }),
  lie("claims that the policy refused", "claims-refused", { chain: { allAuthorized: false } }),
  lie("more claims than it used, refused", "claims-refused", {
    claimed: ["diet", "finance", "travel"],
    chain: { allAuthorized: false },
  }),
  lie("a claimed namespace that is blocked", "claimed-blocked", { claimed: ["diet", "health", "travel"] }),
  lie("an answer from nothing that claims a blocked namespace", "claimed-blocked", { facts: [], claimed: ["health"] }),
  weak("an answer that used nothing and claims nothing", "nothing-claimed", { facts: [] }),
  lie("claims out of order", "claims-unordered", { claimed: ["travel", "diet"] }),
  lie("a claim twice", "claims-unordered", { claimed: ["diet", "diet", "travel"] }),
];

const policies = [
  ...[0, 6, 8, 9, 2 ** 40].map((policyVersion) =>
    lie(`an answer under version ${policyVersion}, judged by version 7`, "policy-differs", {
      evidence: { policyVersion },
    }),
  ),
  lie("judged by version 8", "policy-differs", { chain: { policyVersion: "8" } }),
  lie("judged by version 0", "policy-differs", { chain: { policyVersion: "0", closedAtMs: 0, allAuthorized: false } }),
  lie("judged by its own version, not by that on the ledger", "policy-differs", { evidence: { ledgerVersion: 4 } }),
  lie("another agent on the ledger", "agent-differs", { chain: { agent: "companion" } }),
  lie("an agent in another case on the ledger", "agent-differs", { chain: { agent: "Assistant" } }),
  lie("an agent with a space on the ledger", "agent-differs", { chain: { agent: "assistant " } }),
];

/** An operator that keeps the policy itself, and says that another party does. */
const ownPolicy = (
  name: string,
  code: Forgery["code"],
  policyHolder: "signer" | "another" | "unreachable",
  options: AnchoredOptions = {},
): Forgery => {
  const evidence = { policyVersion: 777, ledgerVersion: 7 };
  return noProof(`operator: ${name}`, { ...anchored({ evidence, ...options }), policyHolder }, code);
};
const CLAIMED_AND_BLOCKED = { claimed: ["diet", "health", "travel"] };

const keepers = [
  ownPolicy("a version on another party's ledger, while it keeps the policy itself", "policy-own", "signer"),
  {
    ...ownPolicy("claimed and blocked, while it keeps the policy itself", "claimed-blocked", "signer", {
      ...CLAIMED_AND_BLOCKED,
    }),
    status: "fail" as const,
  },
  ownPolicy("a version of a policy that nobody knows who keeps", "policy-holder-unknown", "unreachable"),
  ownPolicy(
    "claimed and blocked, by a policy that nobody knows who keeps",
    "policy-holder-unknown",
    "unreachable",
    CLAIMED_AND_BLOCKED,
  ),
];

const times = [
  weak("answered in 1999, before its key and its version were on the ledger", "answered-before-ledger", {
    alter: set({ createdAt: "1999-05-01T10:00:00.000Z" }),
  }),
  weak("answered a moment more than a year before its key was on the ledger", "answered-before-ledger", {
    alter: set({ createdAt: new Date(1_777_000_000_000 - 366 * 86_400_000 - 1).toISOString() }),
  }),
  lie("answered an hour after it was anchored", "answered-after-anchor", {
    alter: set({ createdAt: "2026-05-01T11:00:00.000Z" }),
  }),
  lie("answered a second more than five minutes after it was anchored", "answered-after-anchor", {
    alter: set({ createdAt: "2026-05-01T10:05:02.000Z" }),
  }),
  lie("answered years after it was anchored", "answered-after-anchor", {
    alter: set({ createdAt: "9999-05-01T10:00:00.000Z" }),
  }),
  ...[
    "2026-05-01T10:00:00Z",
    "2026-05-01T10:00:00.000+00:00",
    "2026-05-01T12:00:00.000+02:00",
    "2026-05-01T10:00:00.000",
  ].map((createdAt) => lie(`a time written as ${createdAt}`, "evidence-malformed", { alter: set({ createdAt }) })),
];

const memories = [
  lie("another snippet", "memory-differs", { alter: memory(0, { snippet: "Meat on Fridays." }) }),
  lie("a snippet that is cut shorter", "memory-differs", { alter: memory(0, { snippet: "Fish" }) }),
  lie("another namespace", "memory-differs", { alter: memory(0, { namespace: "travel" }) }),
  weak("a blob that is not there", "memory-missing", { alter: memory(0, { storeRef: "x".repeat(43) }) }),
  lie("the digest of another text", "memory-digest-differs", { alter: memory(0, { contentDigest: "00".repeat(32) }) }),
  lie("more of the text given than there is", "memory-given-too-much", { alter: memory(0, { given: 32 }) }),
  lie("a part of a recalled memory", "memory-given-in-part", { evidence: RECALLED, alter: memory(0, { given: 30 }) }),
  lie("nothing of a recalled memory", "memory-given-in-part", { evidence: RECALLED, alter: memory(1, { given: 0 }) }),
  weak("a memory that the store did not return", "not-verified", { alter: memory(0, { verified: false }) }),
  weak("a memory that the store had changed", "not-intact", { alter: memory(1, { intact: false }) }),
  weak("a memory that was neither", "not-verified", { alter: memory(1, { verified: false, intact: false }) }),
];

/** Signed as it stands, whatever it is. */
const malformed = (name: string, alter: (receipt: ReceiptJson) => object): Forgery =>
  forgery(`operator: ${name}`, anchoredReceipt(signed(alter(goodReceipt()) as ReceiptJson)), "evidence-malformed");

const inEvidence = (change: object) => (receipt: ReceiptJson) => ({
  ...receipt,
  evidence: { ...receipt.evidence, ...change },
});
const withoutEvidence = (field: string) => (receipt: ReceiptJson) => ({
  ...receipt,
  evidence: without(receipt.evidence, field),
});
const salts = (change: (salts: Readonly<Record<string, unknown>>) => object) => (receipt: ReceiptJson) =>
  inEvidence({ salts: change(receipt.evidence.salts) })(receipt);
const commitments = (change: (commitments: Readonly<Record<string, unknown>>) => object) => (receipt: ReceiptJson) =>
  inEvidence({ commitments: change(receipt.evidence.commitments) })(receipt);

const HEX = "5a".repeat(32);
const blocked = (listed: number, blockedCount: number) =>
  set({
    blockedNamespaces: Array.from({ length: listed }, (_, i) => `n${String(i).padStart(4, "0")}`),
    blockedCount,
    blockedDigest: HEX,
  });
const shapes = [
  malformed("an unknown field", (receipt) => ({ ...receipt, note: "not signed" })),
  malformed("an unknown field of the evidence", inEvidence({ note: "signed, but not known" })),
  malformed("an unknown field of a memory", (receipt) => memory(0, { note: 1 })(receipt)),
  forgery(
    "operator: an unknown field of the signature",
    anchoredReceipt(altered(goodReceipt(), ["signature"], (value) => ({ ...(value as object), note: 1 }))),
    "evidence-malformed",
  ),
  malformed("a score of a memory", (receipt) => memory(0, { score: 1 })(receipt)),
  ...["memoryId", "contentDigest", "given", "intact"].map((field) =>
    malformed(`a memory without ${field}`, (receipt) =>
      altered(receipt, ["usedMemories", 0], (value) => without(value as object, field)),
    ),
  ),
  ...["kind", "model", "template", "policyVersion", "policyDigest"].map((field) =>
    malformed(`evidence without ${field}`, withoutEvidence(field)),
  ),
  malformed("a negative version", inEvidence({ policyVersion: -1 })),
  malformed("half a version", inEvidence({ policyVersion: 7.5 })),
  malformed("a version as text", inEvidence({ policyVersion: "7" })),
  malformed("a version on the ledger as text", inEvidence({ ledgerVersion: "7" })),
  malformed("a digest of the policy that is short", inEvidence({ policyDigest: "00" })),
  malformed("a digest of the policy in upper case", inEvidence({ policyDigest: "AB".repeat(32) })),
  malformed("another kind", inEvidence({ kind: "guessed" })),
  malformed("memories that were recalled by a model", inEvidence({ kind: "recalled" })),
  malformed("a model without a template", inEvidence({ template: null })),
  malformed("a template without a model", inEvidence({ model: null })),
  malformed("a memory pinned as false", (receipt) => memory(0, { pinned: false })(receipt)),
  malformed("a memory cited as a text", (receipt) => memory(0, { cited: "yes" })(receipt)),
  malformed("a memory of which half a character was given", (receipt) => memory(0, { given: 0.5 })(receipt)),
  malformed("a count of blocked namespaces without their digest", set({ blockedCount: 2_000 })),
  malformed("a count that is not above the listed ones", set({ blockedCount: 1, blockedDigest: HEX })),
  malformed(
    "a count of blocked namespaces without a list",
    set({ blockedNamespaces: [], blockedCount: 2, blockedDigest: HEX }),
  ),
  malformed("a count beside a list that is not full", blocked(999, 1_001)),
  malformed("a count that is not above the full list", blocked(1_000, 1_000)),
  malformed("memories used without a model", inEvidence(WITHOUT_MODEL)),
  malformed("recalled memories with a prompt", inEvidence({ kind: "recalled", model: null, template: null })),
  malformed("recalled memories with a template", inEvidence({ ...RECALLED, template: "assistant/1" })),
  ...[true, false].map((cited) =>
    malformed(`recalled memories that say cited: ${cited}`, (receipt) =>
      memory(0, { cited })(inEvidence(RECALLED)(receipt)),
    ),
  ),
  malformed("no salts", withoutEvidence("salts")),
  malformed("salts as a list", inEvidence({ salts: [] })),
  ...["/agentId", "/blockedNamespaces", "/usedMemories/0/rest", "/usedMemories/1/snippet"].map((path) =>
    malformed(
      `no salt of ${path}`,
      salts((all) => without(all, path)),
    ),
  ),
  ...[
    "/question",
    "/filters",
    "/prompt",
    "/answer",
    "/usedMemories/2/rest",
    "/usedMemories/0",
    "/usedMemories/00/rest",
    "/createdAt",
    "",
  ].map((path) =>
    malformed(
      `a salt of ${path || "nothing"}`,
      salts((all) => ({ ...all, [path]: HEX })),
    ),
  ),
  malformed(
    "a short salt",
    salts((all) => ({ ...all, "/agentId": "00" })),
  ),
  malformed(
    "a salt in upper case",
    salts((all) => ({ ...all, "/agentId": "AB".repeat(32) })),
  ),
  malformed(
    "a salt that is a number",
    salts((all) => ({ ...all, "/agentId": 1 })),
  ),
  ...["/question", "/prompt", "/answer"].map((path) =>
    malformed(
      `no commitment to ${path}`,
      commitments((all) => without(all, path)),
    ),
  ),
  ...["/agentId", "/usedMemories/0/snippet", "/usedMemories/2/rest", "/note", "__proto__x"].map((path) =>
    malformed(
      `a commitment to ${path}`,
      commitments((all) => ({ ...all, [path]: HEX })),
    ),
  ),
  malformed(
    "a short commitment",
    commitments((all) => ({ ...all, "/answer": "00" })),
  ),
  malformed("a prompt without a model", inEvidence({ model: null, template: null })),
];

const key = { publicKey: SERVICE_KEY.publicKey, addedAtMs: 1_777_000_000_000 };
const other = signingPair(9);
const templates = ["assistant/2", "__proto__"].map((template) =>
  weak(`the template ${template}`, "template-unknown", { evidence: { template } }),
);

const keys = [
  lie("a key that is not on the gate", "key-not-on-gate", { gate: { keys: [] } }),
  lie("another key on the gate", "key-not-on-gate", { gate: { keys: [{ ...key, publicKey: other.publicKey }] } }),
  lie("a key that ended before the anchor", "key-ended", {
    gate: { keys: [{ ...key, endedAtMs: 1_777_629_600_999 }] },
  }),
  lie("a key that ended long before", "key-ended", { gate: { keys: [{ ...key, endedAtMs: 1_777_000_000_001 }] } }),
  weak("a key that was added after the anchor", "key-later", {
    gate: { keys: [{ ...key, addedAtMs: 1_777_629_601_001 }] },
  }),
  forgery(
    "operator: a receipt signed by another key, under the id of this one",
    anchoredReceipt({
      ...goodReceipt(),
      signature: {
        keyId: SERVICE_KEY.keyId,
        value: (sealedAndSigned(goodReceipt(), other).signature as { value: string }).value,
      },
    }),
    "signature-wrong",
  ),
  forgery(
    "operator: claims that were never judged, of a receipt of another answer",
    withChain(good, { digest: anchored({ facts: FACTS.slice(0, 1) }).object.receipt.digest }),
    "digest-differs",
  ),
];

export const operatorForgeries: Forgery[] = [
  ...contradictions,
  ...claims,
  ...policies,
  ...keepers,
  ...times,
  ...memories,
  ...shapes,
  ...templates,
  ...keys,
];
