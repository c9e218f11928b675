// The texts that show a verification, the same on every page.
import type { Check, CheckName, Verdict } from "./check.ts";

export const HEADLINE = { verified: "Verified", failed: "Failed", unknown: "Unknown" } as const;

export const STATUS_WORD = { pass: "Pass", fail: "Fail", unknown: "Unknown" } as const;

export const CHECK_TITLE: Readonly<Record<CheckName, string>> = {
  object: "Is it a receipt of ours, on the ledger?",
  identity: "Do its id and its bytes belong together?",
  gate: "Is the gate that judged it ours?",
  blob: "Can its text be fetched?",
  digest: "Is this the text that was anchored?",
  receipt: "Is the text a receipt?",
  evidence: "Is its evidence complete?",
  statements: "Is it free of contradictions?",
  agent: "Is it for the agent on the ledger?",
  policy: "Was it judged by the policy of the answer?",
  claims: "Was everything allowed that it used?",
  time: "Was it answered before it was anchored?",
  stored: "Did the store have the memories when it was answered?",
  signature: "Did this service sign it?",
  memory: "Are the memories what it shows?",
  id: "Does the blob’s id follow from its bytes?",
  pins: "Is it what you pinned?",
};

/** What failed, in a headline. */
const CHECK_SUBJECT: Readonly<Record<CheckName, string>> = {
  object: "the object",
  identity: "its identity",
  gate: "the gate",
  blob: "its text is gone",
  digest: "its text was changed",
  receipt: "its text is no receipt",
  evidence: "its evidence",
  statements: "it contradicts itself",
  agent: "the agent",
  policy: "the policy’s version",
  claims: "its claims",
  time: "its times",
  stored: "the store",
  signature: "its signature",
  memory: "a memory",
  id: "a blob’s id",
  pins: "not what you pinned",
};

/** The verdict in a few words. A failure names the checks that failed. */
export function headlineOf(verdict: Verdict, checks: readonly Pick<Check, "name" | "status" | "code">[]): string {
  if (verdict !== "failed") return HEADLINE[verdict];
  const failed = checks.filter(({ status }) => status === "fail");
  if (failed.some(({ code }) => code === "object-missing")) return `${HEADLINE.failed}: no such receipt`;
  return `${HEADLINE.failed}: ${[...new Set(failed.map(({ name }) => CHECK_SUBJECT[name]))].join(", ")}`;
}

/** Who keeps the ledger that was asked, or who chose the full node. */
export type LedgerSource = "local" | "own-node" | "operators-node";

interface VerificationSummary {
  readonly verdict: Verdict;
  readonly checks: readonly Pick<Check, "status" | "code">[];
  readonly ledger: LedgerSource;
}

const AGAINST: Readonly<Record<LedgerSource, string>> = {
  // The verdict is worth less if the service itself keeps the ledger, or chooses who speaks for it.
  local: ", against this service’s own local ledger",
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
      return `Nothing failed, but ${count("unknown")} of ${all} checks show nothing${isTemporary(checks) ? ". Try again later." : ": this receipt does not prove enough."}`;
  }
}

const TEMPORARY: ReadonlySet<Check["code"]> = new Set([
  "ledger-unreachable",
  "gate-unreachable",
  "gate-behind",
  "blob-unreachable",
  "memory-unreachable",
]);

/** Whether another try may show more. */
const isTemporary = (checks: VerificationSummary["checks"]): boolean => checks.some(({ code }) => TEMPORARY.has(code));
