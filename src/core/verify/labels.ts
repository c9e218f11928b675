// The texts that show a verification, the same on every page.
import type { Check, CheckName, Verdict } from "./check.ts";

export const HEADLINE = { verified: "Verified", failed: "Failed", unknown: "Unknown" } as const;

export const STATUS_WORD = { pass: "Pass", fail: "Fail", unknown: "Unknown" } as const;

export const CHECK_TITLE: Readonly<Record<CheckName, string>> = {
  object: "Is it a receipt of ours, on the ledger?",
  blob: "Can its text be fetched?",
  digest: "Is this the text that was anchored?",
  receipt: "Is the text a receipt?",
  agent: "Is it for the agent on the ledger?",
  claims: "Was everything allowed that it claims?",
  memory: "Are the memories what it shows?",
  id: "Does the blob’s id follow from its bytes?",
};

interface VerificationSummary {
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  readonly network: string;
}

export function summaryOf({ verdict, checks, network }: VerificationSummary): string {
  const all = checks.length;
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  switch (verdict) {
    case "verified":
      // The verdict is worth less if the service itself keeps the ledger.
      return `All ${all} checks passed${network === "local" ? ", against this service’s own local ledger" : ""}.`;
    case "failed":
      return isGone(checks)
        ? "The ledger has no object with this id."
        : `${count("fail")} of ${all} checks failed. Do not rely on this receipt.`;
    case "unknown":
      return `Nothing failed, but ${count("unknown")} of ${all} checks could not be made. Try again later.`;
  }
}

const isGone = (checks: readonly Check[]): boolean =>
  checks.some(({ name, status, compared }) => name === "object" && status === "fail" && compared === undefined);
