// What an executed transaction says of the requests that it carried.
import type { SuiClientTypes } from "@mysten/sui/client";
import { normalizeStructTag, normalizeSuiAddress } from "@mysten/sui/utils";
import { ABORTS, type AbortName, MODULE, ReceiptAnchored, typeName } from "#adapters/ledger/gate-module.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChainOutcome } from "#ports.ts";
import type { GateIds } from "./chain-state.ts";
import type { Executed } from "./send.ts";

export type Outcome =
  | { readonly kind: "anchored"; readonly outcomes: readonly ChainOutcome[] }
  /** The call with this number among the transaction's aborted, and so nothing happened at all. */
  | { readonly kind: "aborted"; readonly command: number; readonly abort: AbortName | undefined }
  | { readonly kind: "failed"; readonly error: PortcullisError };

/** `requests` in the order of the transaction's calls: the gate tells of each anchor with an event, in that order. */
export function outcomeOf(ids: GateIds, executed: Executed, requests: readonly number[], anchoredAt: string): Outcome {
  if (executed.$kind === "FailedTransaction") return failureOf(ids, executed.FailedTransaction.status.error);
  const { digest, events } = executed.Transaction;
  const type = typeName(ids.packageId, "ReceiptAnchored");
  const anchored = events
    .filter(({ eventType }) => normalizeStructTag(eventType) === type)
    .map(({ bcs }) => ReceiptAnchored.parse(bcs));
  if (anchored.length !== requests.length) {
    const error = new PortcullisError(
      "ledger-refused",
      "The ledger's events do not fit the transaction that was sent.",
    );
    return { kind: "failed", error };
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

function failureOf({ packageId }: GateIds, error: SuiClientTypes.ExecutionError | null): Outcome {
  if (error?.$kind === "MoveAbort") {
    const { abortCode, location } = error.MoveAbort;
    const isOurs = location?.module === MODULE && normalizeSuiAddress(location.package ?? packageId) === packageId;
    return { kind: "aborted", command: error.command ?? 0, abort: isOurs ? ABORTS[Number(abortCode)] : undefined };
  }
  if (error !== null && /InsufficientGas/i.test(`${error.$kind} ${error.message}`)) {
    const needed = "The transaction ran out of gas. Send SUI to the signer's address.";
    return { kind: "failed", error: new PortcullisError("ledger-no-gas", needed) };
  }
  const why = `The ledger executed the transaction and it failed${error === null ? "" : `: ${error.$kind}`}.`;
  return { kind: "failed", error: new PortcullisError("ledger-refused", why) };
}

/** An abort, in words for the person who asked for the anchor. */
export function abortError(abort: AbortName | undefined): PortcullisError {
  const said = abort === undefined ? "another module's code aborted" : `it aborted with ${abort}`;
  return new PortcullisError("ledger-refused", `The ledger did not take the anchor: ${said}.`);
}

export function refused(cause: unknown): PortcullisError {
  return new PortcullisError("ledger-refused", "The ledger refused the transaction.", { cause });
}
