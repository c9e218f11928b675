// The texts that show a verification, the same on every page.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { memoryCountOf } from "#core/receipt/receipt-shape.ts";
import type { Check, CheckName, Verdict } from "./check.ts";
import { isBeforeAnswer } from "./checks/chain-receipt.ts";
import labels from "./labels.json" with { type: "json" };
import type { SealedView } from "./verify-receipt.ts";

export const HEADLINE = { verified: "Verified", failed: "Failed", unknown: "Unknown" } as const;

export const STATUS_WORD = { pass: "Pass", fail: "Fail", unknown: "Unknown" } as const;

export const CHECK_TITLE: Readonly<Record<CheckName, string>> = labels.title;

const CHECK_SUBJECT: Readonly<Record<CheckName, string>> = labels.subject;

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

/** The verdict is worth less if the service itself keeps the ledger, or chooses who speaks for it. */
const AGAINST: Readonly<Record<LedgerSource, string>> = labels.against;

export function summaryOf({ verdict, checks, ledger }: VerificationSummary): string {
  const all = checks.length;
  const count = (status: Check["status"]) => checks.filter((check) => check.status === status).length;
  const passed = `Nothing failed, and ${count("pass")} of ${all} checks passed${AGAINST[ledger]}.`;
  switch (verdict) {
    case "verified":
      return `All ${all} checks passed${AGAINST[ledger]}.`;
    case "failed":
      return checks.some(({ code }) => code === "object-missing")
        ? `The ledger has no object with this id${AGAINST[ledger]}.`
        : `${count("fail")} of ${all} checks failed${AGAINST[ledger]}. Do not rely on this receipt.`;
    case "unknown":
      if (isOnlySealed(checks))
        return `${passed} The other ${count("unknown")} need an opening: until then this is not verified.`;
      if (isOnlyForgotten(checks))
        return `${passed} The other ${count("unknown")} are of memories that were forgotten, by the service’s word: what they said cannot be checked any more.`;
      if (isUnanchored(checks))
        return `${passed} The answer is not anchored, so the other ${count("unknown")} show nothing.`;
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

const isTemporary = (checks: VerificationSummary["checks"]): boolean => checks.some(({ code }) => TEMPORARY.has(code));

// What a verification does not show, with this ledger and this store. It stands directly under the verdict.

export interface Limits {
  readonly ledger: LedgerSource;
  /** The service's own mock store, or one that others keep. */
  readonly store: "mock" | "public";
  readonly chain?: ChainReceipt | null | undefined;
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
  const texts = labels.notShown;
  const of: readonly (string | false)[] = [
    ledger === "local" && texts.localLedger,
    ledger === "bundle" && texts.bundle,
    ledger === "none" && texts.unanchored,
    isLogged && !hasWitnesses && texts.unwitnessed,
    ledger === "operators-node" && texts.operatorsNode,
    chain != null && receipt != null && !isBeforeAnswer(chain, receipt) && texts.policyAfter,
    namesLedgerVersion(receipt) && texts.otherHolder,
    sealed != null && open == null && `${texts.sealed}: ${sealedCount(sealed).toLowerCase()}`,
    sealed != null && hasPseudonyms === false && texts.plainNames,
    hasPseudonyms === true && texts.pseudonyms,
    store === "mock" && texts.mockStore,
    receipt != null && !isBound && texts.unsigned,
    checks.some(({ isEncrypted }) => isEncrypted) && texts.encrypted,
    checks.some(({ code }) => code === "memory-forgotten") && texts.forgotten,
    hasMemories && texts.memoryIds,
    ...texts.always,
  ];
  return of.filter((text) => text !== false);
}

/** In the evidence of an open form, or in a sealed one. */
function namesLedgerVersion(receipt: object | undefined): boolean {
  const said = receipt && "evidence" in receipt ? receipt.evidence : receipt;
  return typeof said === "object" && said !== null && "ledgerVersion" in said;
}
