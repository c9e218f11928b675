// The texts that show a verification, the same on every page.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { memoryCountOf } from "#core/receipt/receipt-shape.ts";
import type { Check, CheckName, Verdict } from "./check.ts";
import { isBeforeAnswer } from "./checks/chain-receipt.ts";
import type { SealedView } from "./verify-receipt.ts";

export const HEADLINE = { verified: "Verified", failed: "Failed", unknown: "Unknown" } as const;

export const STATUS_WORD = { pass: "Pass", fail: "Fail", unknown: "Unknown" } as const;

export const CHECK_TITLE: Readonly<Record<CheckName, string>> = {
  object: "Is it a receipt of ours, on the ledger?",
  identity: "Do its id and its bytes belong together?",
  gate: "Is the policy that judged it ours?",
  closing: "Does its own record have the same times?",
  blob: "Can its text be fetched?",
  digest: "Is this the text that was anchored?",
  receipt: "Is the text a receipt?",
  evidence: "Is its evidence complete?",
  opening: "Is it whole, or sealed?",
  statements: "Is it free of contradictions?",
  agent: "Is it for the agent on the ledger?",
  policy: "Was it judged by the policy of the answer?",
  claims: "Was everything allowed that it used?",
  time: "Was it answered before it was anchored?",
  stored: "Did the store have the memories when it was answered?",
  signature: "Did this service sign it?",
  memory: "Are the memories what it shows?",
  log: "Is it in the transparency log?",
  id: "Does the blob’s id follow from its bytes?",
  trust: "Is it what you trust?",
};

const CHECK_SUBJECT: Readonly<Record<CheckName, string>> = {
  object: "the object",
  identity: "its identity",
  gate: "the policy object",
  closing: "the times of the version",
  blob: "its text is gone",
  digest: "its text was changed",
  receipt: "its text is no receipt",
  evidence: "its evidence",
  opening: "the opening is not of this receipt",
  statements: "it contradicts itself",
  agent: "the agent",
  policy: "the policy’s version",
  claims: "its claims",
  time: "its times",
  stored: "the store",
  signature: "its signature",
  memory: "a memory",
  log: "it is not in the log",
  id: "a blob’s id",
  trust: "not what you trust",
};

type Judged = Pick<Check, "name" | "status"> & Coded;

interface Coded {
  readonly code?: Check["code"] | undefined;
}

/** How many private fields a sealed receipt has, and which are disclosed. */
export type Sealed = Pick<SealedView, "fields" | "disclosed">;

/** Where nothing failed, and the operator could have made it all. */
export const isOnlyConsistent = (verdict: Verdict | undefined, ledger: LedgerSource): boolean =>
  verdict === "verified" && ledger === "local";

/** The verdict in a few words. A failure names the checks that failed. */
export function headlineOf(
  verdict: Verdict,
  checks: readonly Judged[],
  sealed: Sealed | null | undefined,
  ledger: LedgerSource,
): string {
  if (isOnlyConsistent(verdict, ledger)) return "Consistent: on a ledger that the operator keeps";
  if (verdict === "unknown" && sealed && isOnlySealed(checks)) return sealedCount(sealed);
  if (verdict === "unknown" && isOnlyForgotten(checks)) return `${HEADLINE.unknown}: memories were forgotten`;
  if (verdict === "unknown" && isUnanchored(checks)) return `${HEADLINE.unknown}: not anchored`;
  if (verdict !== "failed") return HEADLINE[verdict];
  const failed = checks.filter(({ status }) => status === "fail");
  if (failed.some(({ code }) => code === "object-missing")) return `${HEADLINE.failed}: no such receipt`;
  return `${HEADLINE.failed}: ${[...new Set(failed.map(({ name }) => CHECK_SUBJECT[name]))].join(", ")}`;
}

export const sealedCount = ({ fields, disclosed }: Sealed): string =>
  `Sealed: ${Object.keys(disclosed).length} of ${fields} disclosed`;

/** Codes of checks that an opening would make. */
const FOR_AN_OPENING: ReadonlySet<Check["code"]> = new Set(["sealed", "agent-pseudonym", "claims-pseudonyms"]);

/** Whether the check was not made because what it needs is sealed, or stands under a pseudonym. */
export const needsOpening = ({ code }: Coded): boolean => FOR_AN_OPENING.has(code);

type Results = readonly (Pick<Check, "status"> & Coded)[];

const isOnlySealed = (checks: Results): boolean =>
  checks.every((check) => check.status === "pass" || needsOpening(check));

/** Whether all passed but those of memories that were forgotten, by the service's signed word. */
const isOnlyForgotten = (checks: Results): boolean =>
  checks.every(({ status, code }) => status === "pass" || code === "memory-forgotten");

const isUnanchored = (checks: Results): boolean => checks.some(({ code }) => code === "not-anchored");

/** Who keeps the ledger that was asked, or who chose the full node. None: of an answer that is not anchored. */
export type LedgerSource = "local" | "own-node" | "operators-node" | "bundle" | "none";

interface VerificationSummary {
  readonly verdict: Verdict;
  readonly checks: readonly Pick<Check, "status" | "code">[];
  readonly ledger: LedgerSource;
}

const AGAINST: Readonly<Record<LedgerSource, string>> = {
  // The verdict is worth less if the service itself keeps the ledger, or chooses who speaks for it.
  local: ", against this service’s own local ledger",
  bundle: ", against the objects of the ledger as this file has them",
  none: ", without a ledger",
  "operators-node": ", against a full node that the operator chose",
  "own-node": "",
};

export function summaryOf({ verdict, checks, ledger }: VerificationSummary): string {
  const all = checks.length;
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  switch (verdict) {
    case "verified":
      return `All ${all} checks passed${AGAINST[ledger]}.`;
    case "failed":
      return checks.some(({ code }) => code === "object-missing")
        ? `The ledger has no object with this id${AGAINST[ledger]}.`
        : `${count("fail")} of ${all} checks failed${AGAINST[ledger]}. Do not rely on this receipt.`;
    case "unknown":
      if (isOnlySealed(checks))
        return `Nothing failed, and ${count("pass")} of ${all} checks passed${AGAINST[ledger]}. The other ${count("unknown")} need an opening: until then this is not verified.`;
      if (isOnlyForgotten(checks))
        return `Nothing failed, and ${count("pass")} of ${all} checks passed${AGAINST[ledger]}. The other ${count("unknown")} are of memories that were forgotten, by the service’s word: what they said cannot be checked any more.`;
      if (isUnanchored(checks))
        return `Nothing failed, and ${count("pass")} of ${all} checks passed${AGAINST[ledger]}. The answer is not anchored, so the other ${count("unknown")} show nothing.`;
      return `Nothing failed, but ${count("unknown")} of ${all} checks show nothing${isTemporary(checks) ? ". Try again later." : ": this receipt does not prove enough."}`;
  }
}

const TEMPORARY: ReadonlySet<Check["code"]> = new Set([
  "ledger-unreachable",
  "gate-unreachable",
  "gate-behind",
  "closing-unreachable",
  "closing-missing",
  "closing-behind",
  "policy-holder-unknown",
  "blob-unreachable",
  "memory-unreachable",
]);

/** Whether another try may show more. */
const isTemporary = (checks: VerificationSummary["checks"]): boolean => checks.some(({ code }) => TEMPORARY.has(code));

// What a verification does not show, with this ledger and this store. It stands directly under the verdict.

export interface Limits {
  readonly ledger: LedgerSource;
  /** The service's own mock store, or one that others keep. */
  readonly store: "mock" | "public";
  readonly chain?: ChainReceipt | null | undefined;
  /** The open one. */
  readonly receipt?: ForeignReceipt | null | undefined;
  readonly checks?: readonly (Pick<Check, "name"> & { readonly code?: Check["code"] | undefined } & Partial<
      Pick<Check, "isEncrypted">
    >)[];
  readonly sealed?: SealedView | null | undefined;
  readonly hasPseudonyms?: boolean | undefined;
  /** Whether the reader has a policy by which witnesses vouch for the log. */
  readonly hasWitnesses?: boolean | undefined;
}

/** Each continues "It is not shown that …". */
export function notShown(limits: Limits): string[] {
  const { ledger, store, chain, receipt: open, sealed, hasPseudonyms, hasWitnesses = false, checks = [] } = limits;
  const receipt = open ?? sealed?.receipt;
  const isLogged = checks.some(({ name, code }) => name === "log" && code === undefined);
  const isBound = receipt != null && "signature" in receipt;
  const hasMemories = open == null ? sealed != null && memoryCountOf(sealed.receipt) > 0 : open.usedMemories.length > 0;
  return [
    ...(ledger === "local"
      ? [
          "nobody has rewritten the ledger: it is this service’s own, on one machine, and not Sui. Its records agree with each other, and that is all",
        ]
      : []),
    ...(ledger === "bundle"
      ? [
          "the ledger has these objects: the file says so, and whoever wrote it could make others. Trust the key, or ask",
        ]
      : []),
    ...(ledger === "none"
      ? ["it is as old as it says, or that a policy on a ledger allowed what it used: the answer is not anchored"]
      : []),
    ...(isLogged && !hasWitnesses
      ? ["everybody is shown the same log: only this service vouches for it, as long as you name no witnesses"]
      : []),
    ...(ledger === "operators-node"
      ? ["the receipt is on the public network: the full node that says so was chosen by the operator"]
      : []),
    ...(chain != null && receipt != null && !isBeforeAnswer(chain, receipt)
      ? ["the policy stood before the answer: it is the operator’s word, fixed when the receipt was anchored"]
      : []),
    ...(namesLedgerVersion(open ?? sealed?.receipt)
      ? [
          "the policy by which the service answered is the one on the ledger: another address keeps that one, and two addresses may belong to one party",
        ]
      : []),
    ...(sealed != null && open == null
      ? [`what stays sealed is true, or allowed: ${sealedCount(sealed).toLowerCase()}`]
      : []),
    ...(sealed != null && hasPseudonyms === false
      ? [
          "agent and claimed namespaces are hidden: this policy object has plain names, and anybody can read them on the ledger",
        ]
      : []),
    ...(hasPseudonyms === true
      ? [
          "nobody can relate this receipt to others: an agent or a namespace has the same pseudonym in all receipts of this policy object",
        ]
      : []),
    ...(store === "mock" ? ["anybody else keeps the memories: the blobs come from the service’s own mock store"] : []),
    ...(receipt != null && !isBound
      ? ["the service issued this receipt, or what the memories say beyond their snippets: it has no signature"]
      : []),
    ...(checks.some(({ isEncrypted }) => isEncrypted)
      ? ["what the encrypted memories say: the service signed their snippets, and only it can decrypt the rest"]
      : []),
    ...(checks.some(({ code }) => code === "memory-forgotten")
      ? [
          "what the forgotten memories said, or that they were ever stored: that they are forgotten is the service’s word",
        ]
      : []),
    ...(hasMemories ? ["the memories had the ids that the receipt gives them: only their texts are compared"] : []),
    "the model was given this prompt and no other, and said this answer: the receipt is the operator’s word for that",
    "the list of closed namespaces, the time of the answer and what the store returned then are right: they are the operator’s word, too",
    "every answer got a receipt, or that what a memory says is true",
  ];
}

/** In the evidence of an open form, or in a sealed one. */
function namesLedgerVersion(receipt: object | undefined): boolean {
  const said = receipt && "evidence" in receipt ? receipt.evidence : receipt;
  return typeof said === "object" && said !== null && "ledgerVersion" in said;
}
