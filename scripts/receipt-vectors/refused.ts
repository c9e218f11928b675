// Receipts that a verifier must refuse: each is a good one with a single change. Some were changed before they were
// signed: their signature holds, and their shape does not.
import { commitmentTo } from "#core/receipt/commitment.ts";
import { seedFrom } from "./inputs.ts";
import { type ReceiptVector, sealedAndSigned } from "./receipts.ts";

type Spoiled = ReceiptVector["receipt"];
type Spoil = (receipt: Spoiled, other: Spoiled) => object;

const evidence = (receipt: Spoiled, change: object) => ({ ...receipt, evidence: { ...receipt.evidence, ...change } });
const first = (receipt: Spoiled, change: object) => ({
  ...receipt,
  usedMemories: receipt.usedMemories.map((memory, i) => (i === 0 ? { ...memory, ...change } : memory)),
});
const flipped = (hex: string): string => (hex.startsWith("0") ? "1" : "0") + hex.slice(1);
const without = (record: Readonly<Record<string, string>>, path: string) =>
  Object.fromEntries(Object.entries(record).filter(([key]) => key !== path));

const agentCommitment = ({ agentId, evidence: { salts } }: Spoiled): string =>
  commitmentTo(Buffer.from(salts["/agentId"] ?? "", "hex"), agentId);

const SPOILS: Readonly<Record<string, Spoil>> = {
  "another answerId": (receipt) => ({ ...receipt, answerId: "ans_9" }),
  "another time": (receipt) => ({ ...receipt, createdAt: "2026-05-01T10:00:00.001Z" }),
  "another agent": (receipt) => ({ ...receipt, agentId: "Assistant" }),
  "a blocked namespace less": (receipt) => ({ ...receipt, blockedNamespaces: receipt.blockedNamespaces.slice(1) }),
  "blocked namespaces in another order": (receipt) => ({
    ...receipt,
    blockedNamespaces: receipt.blockedNamespaces.toReversed(),
  }),
  "a count of blocked namespaces that was not signed": (receipt) => ({ ...receipt, blockedCount: 1_001 }),
  "another model": (receipt) => evidence(receipt, { model: "stand-in-2" }),
  "another template": (receipt) => evidence(receipt, { template: "companion/1" }),
  "another version of the policy": (receipt) => evidence(receipt, { policyVersion: 13 }),
  "another digest of the policy": (receipt) =>
    evidence(receipt, { policyDigest: flipped(receipt.evidence.policyDigest) }),
  "a ledger version that was not signed": (receipt) => evidence(receipt, { ledgerVersion: 12 }),
  "another promise of the log": (receipt) =>
    evidence(receipt, { log: { ...receipt.evidence.log, by: "2026-05-02T10:01:00.000Z" } }),
  "no promise of the log": (receipt) => ({ ...receipt, evidence: { ...receipt.evidence, log: undefined } }),
  "another kind": (receipt) => evidence(receipt, { kind: "recalled" }),
  "another commitment to the answer": (receipt) =>
    evidence(receipt, {
      commitments: {
        ...receipt.evidence.commitments,
        "/answer": flipped(receipt.evidence.commitments["/answer"] ?? ""),
      },
    }),
  "no commitment to the question": (receipt) =>
    evidence(receipt, { commitments: without(receipt.evidence.commitments, "/question") }),
  "filters that were not signed": (receipt) =>
    evidence(receipt, { commitments: { ...receipt.evidence.commitments, "/filters": "0".repeat(64) } }),
  "a commitment to an unknown path": (receipt) =>
    evidence(receipt, { commitments: { ...receipt.evidence.commitments, "/why": "0".repeat(64) } }),
  "another salt": (receipt) =>
    evidence(receipt, {
      salts: { ...receipt.evidence.salts, "/agentId": flipped(receipt.evidence.salts["/agentId"] ?? "") },
    }),
  "a field that is shown without its salt": (receipt) =>
    evidence(receipt, { salts: without(receipt.evidence.salts, "/agentId") }),
  "a salt of a field that does not exist": (receipt) =>
    evidence(receipt, { salts: { ...receipt.evidence.salts, "/usedMemories/2/snippet": "0".repeat(64) } }),
  "a field with a salt and a commitment": (receipt) =>
    evidence(receipt, { commitments: { ...receipt.evidence.commitments, "/agentId": "0".repeat(64) } }),
  "a changed field whose commitment stands in place of its salt": (receipt) => ({
    ...evidence(receipt, {
      commitments: { ...receipt.evidence.commitments, "/agentId": agentCommitment(receipt) },
      salts: without(receipt.evidence.salts, "/agentId"),
    }),
    agentId: "stranger",
  }),
  "a changed field with the signed commitment beside its salt": (receipt) => ({
    ...evidence(receipt, { commitments: { ...receipt.evidence.commitments, "/agentId": agentCommitment(receipt) } }),
    agentId: "stranger",
  }),
  "a salt in upper-case digits": (receipt) =>
    evidence(receipt, {
      salts: { ...receipt.evidence.salts, "/agentId": receipt.evidence.salts["/agentId"]?.toUpperCase() },
    }),
  "another snippet": (receipt) => first(receipt, { snippet: "Loves peanuts." }),
  "another namespace of a memory": (receipt) => first(receipt, { namespace: "diet" }),
  "more of a memory given": (receipt) => first(receipt, { given: 1 }),
  "a further member of a memory": (receipt) => first(receipt, { score: 1 }),
  "memories in another order": (receipt) => ({ ...receipt, usedMemories: receipt.usedMemories.toReversed() }),
  "a memory less": (receipt) => ({ ...receipt, usedMemories: receipt.usedMemories.slice(0, 1) }),
  "the signature of another receipt": (receipt, other) => ({ ...receipt, signature: other.signature }),
  "another key id": (receipt) => ({ ...receipt, signature: { ...receipt.signature, keyId: "0".repeat(32) } }),
  "a signature with padding": (receipt) => ({
    ...receipt,
    signature: { ...receipt.signature, value: `${receipt.signature.value}==` },
  }),
  "a further member of the receipt": (receipt) => ({ ...receipt, approvedBy: "a doctor" }),
  "a further member of the evidence": (receipt) => evidence(receipt, { approvedBy: "a doctor" }),
};

const withoutPrompt = (receipt: Spoiled, change: object) =>
  evidence(receipt, { commitments: without(receipt.evidence.commitments, "/prompt"), ...change });
const WITHOUT_MODEL = { model: null, template: null };

const SIGNED_SPOILS: Readonly<Record<string, Spoil>> = {
  "signed: a count of blocked namespaces without a full list": (receipt) => ({
    ...receipt,
    blockedCount: 1_001,
    blockedDigest: "0".repeat(64),
  }),
  "signed: a digest of blocked namespaces without their count": (receipt) => ({
    ...receipt,
    blockedDigest: "0".repeat(64),
  }),
  "signed: a model without a template": (receipt) => evidence(receipt, { template: null }),
  "signed: an answer without a model that uses memories": (receipt) => withoutPrompt(receipt, WITHOUT_MODEL),
  "signed: recalled memories with a model": (receipt) => evidence(receipt, { kind: "recalled" }),
  "signed: recalled memories that are cited": (receipt) =>
    first(withoutPrompt(receipt, { ...WITHOUT_MODEL, kind: "recalled" }) as Spoiled, { cited: true }),
  "signed: a memory that is not pinned, and says so": (receipt) => first(receipt, { pinned: false }),
  "signed: a time without milliseconds": (receipt) => ({ ...receipt, createdAt: "2026-05-01T10:00:00Z" }),
};

/** `receipt` is the first of all vectors, so its seed is the first one. */
function signedAgain(spoiled: object): object {
  const { signature: _, evidence: shown, ...rest } = spoiled as Spoiled;
  const { salts: __, ...unsealed } = shown;
  return sealedAndSigned(seedFrom(0), { ...rest, evidence: unsealed } as never).receipt;
}

export function refusedVectors({ receipt }: ReceiptVector, { receipt: other }: ReceiptVector) {
  return [
    ...Object.entries(SPOILS).map(([name, spoil]) => ({ name, receipt: spoil(receipt, other) })),
    ...Object.entries(SIGNED_SPOILS).map(([name, spoil]) => ({ name, receipt: signedAgain(spoil(receipt, other)) })),
  ];
}
