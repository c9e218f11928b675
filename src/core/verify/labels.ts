// The texts that show a verification, the same on every page.
import type { Check, CheckName, Verdict } from "./check.ts";
import type { SealedView } from "./verify-receipt.ts";

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
  opening: "Is it open, or sealed?",
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
  opening: "the opening is not of this receipt",
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

type Judged = Pick<Check, "name" | "status"> & Coded;

interface Coded {
  readonly code?: Check["code"] | undefined;
}

/** How many private fields a sealed receipt has, and which are open. */
export type Sealed = Pick<SealedView, "fields" | "opened">;

/** The verdict in a few words. A failure names the checks that failed. */
export function headlineOf(verdict: Verdict, checks: readonly Judged[], sealed?: Sealed | null): string {
  if (verdict === "unknown" && sealed && isOnlySealed(checks)) return sealedCount(sealed);
  if (verdict !== "failed") return HEADLINE[verdict];
  const failed = checks.filter(({ status }) => status === "fail");
  if (failed.some(({ code }) => code === "object-missing")) return `${HEADLINE.failed}: no such receipt`;
  return `${HEADLINE.failed}: ${[...new Set(failed.map(({ name }) => CHECK_SUBJECT[name]))].join(", ")}`;
}

export const sealedCount = ({ fields, opened }: Sealed): string =>
  `Sealed: ${Object.keys(opened).length} of ${fields} opened`;

/** Codes of checks that an opening would make. */
const FOR_AN_OPENING: ReadonlySet<Check["code"]> = new Set(["sealed", "agent-pseudonym", "claims-pseudonyms"]);

/** Whether the check was not made because what it needs is sealed, or stands under a pseudonym. */
export const needsOpening = ({ code }: Coded): boolean => FOR_AN_OPENING.has(code);

const isOnlySealed = (checks: readonly (Pick<Check, "status"> & Coded)[]): boolean =>
  checks.every((check) => check.status === "pass" || needsOpening(check));

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
      if (isOnlySealed(checks))
        return `Nothing failed, and ${count("pass")} of ${all} checks passed${AGAINST[ledger]}. The other ${count("unknown")} need an opening: until then this is not verified.`;
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
