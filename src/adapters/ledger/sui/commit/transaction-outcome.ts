// The outcome of an executed transaction for each request that it carried, and the errors for those who asked.
import type { SuiClientTypes } from "@mysten/sui/client";
import { normalizeStructTag, normalizeSuiAddress } from "@mysten/sui/utils";
import {
  ABORTS,
  type AbortName,
  type GateIds,
  MODULE,
  ReceiptAnchored,
  typeName,
} from "#adapters/ledger/gate-module.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChainOutcome } from "#ports.ts";
import type { Executed } from "./send-transaction.ts";

export type TransactionOutcome =
  | { readonly kind: "anchored"; readonly outcomes: readonly ChainOutcome[] }
  /** The command with this index aborted, and so the whole transaction has changed nothing. */
  | { readonly kind: "aborted"; readonly command: number; readonly abort: AbortName | undefined }
  | { readonly kind: "failed"; readonly error: PortcullisError };

/** `requests` are in the order of the transaction's calls. The gate emits one event for each anchor, in that order. */
export function outcomeOf(
  ids: GateIds,
  executed: Executed,
  requests: readonly number[],
  anchoredAt: string,
): TransactionOutcome {
  if (executed.$kind === "FailedTransaction") return failureOf(ids, executed.FailedTransaction.status.error);
  const { digest, events } = executed.Transaction;
  const type = typeName(ids.packageId, "ReceiptAnchored");
  const anchored = events
    .filter(({ eventType }) => normalizeStructTag(eventType) === type)
    .map(({ bcs }) => ReceiptAnchored.parse(bcs));
  if (anchored.length !== requests.length) {
    const message = "The ledger's events do not match the transaction that was sent.";
    return { kind: "failed", error: new PortcullisError("ledger-refused", message) };
  }
  const outcomes = anchored.map(({ receipt, all_authorized, policy_version }, i) => ({
    id: requests[i] as number,
    receiptId: receipt,
    txDigest: digest,
    allAuthorized: all_authorized,
    ledgerVersion: policy_version,
    anchoredAt,
  }));
  return { kind: "anchored", outcomes };
}

export function failureOf(
  { packageId }: GateIds,
  error: SuiClientTypes.ExecutionError | null,
): Exclude<TransactionOutcome, { kind: "anchored" }> {
  if (error?.$kind === "MoveAbort") {
    const { abortCode, location } = error.MoveAbort;
    const isOurs = location?.module === MODULE && normalizeSuiAddress(location.package ?? packageId) === packageId;
    return { kind: "aborted", command: error.command ?? 0, abort: isOurs ? ABORTS[Number(abortCode)] : undefined };
  }
  if (error !== null && /InsufficientGas/i.test(`${error.$kind} ${error.message}`)) {
    const message = "The transaction ran out of gas. Send SUI to the signer's address.";
    return { kind: "failed", error: new PortcullisError("ledger-no-gas", message) };
  }
  const message = `The ledger executed the transaction and it failed${error === null ? "" : `: ${error.$kind}`}.`;
  return { kind: "failed", error: new PortcullisError("ledger-refused", message) };
}

export function abortError(abort: AbortName | undefined): PortcullisError {
  if (abort === "EVersionNotClosed") return notOnLedgerError();
  if (abort === "EHistoryCut") {
    const message =
      "The ledger keeps the last 64 changes of what an agent may use, and the answer is older than those. It cannot be anchored any more.";
    return new PortcullisError("version-not-on-ledger", message);
  }
  const reason = abort === undefined ? "the code of another module aborted" : `the gate aborted with ${abort}`;
  return new PortcullisError("ledger-refused", `The ledger refused the anchor: ${reason}.`);
}

export function notOnLedgerError(): PortcullisError {
  const message =
    "The answer was made under a version of the policy that is not on the ledger, so its claims cannot be judged. It can be anchored as a blob.";
  return new PortcullisError("version-not-on-ledger", message);
}

export function supersededError(): PortcullisError {
  const message =
    "The database was behind the ledger when the answer was made: a later version of the policy was in force there. It can be anchored as a blob.";
  return new PortcullisError("version-not-on-ledger", message);
}

export function refusedError(cause: unknown): PortcullisError {
  return new PortcullisError("ledger-refused", "The ledger refused the transaction.", { cause });
}
