// Sends a signed transaction, and retries until its fate is known. That is idempotent: the chain executes the same
// bytes once at most. Other bytes must not be built while these may still execute. So after every uncertain failure the
// digest is looked up on the chain, and then the same bytes are sent again.
import { setTimeout as delay } from "node:timers/promises";
import { type CoreClient, type SuiClientTypes, TransactionError } from "@mysten/sui/client";
import { normalizeStructTag, normalizeSuiAddress } from "@mysten/sui/utils";
import * as move from "#adapters/ledger/gate-module.ts";
import { withDeadline } from "#async/with-deadline.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChainOutcome, SignedTransaction } from "#ports.ts";

/** The gate emits an event for each anchor. Of the effects only the status is needed, and that is always included. */
const INCLUDE = { events: true } as const;

type Executed = SuiClientTypes.TransactionResult<typeof INCLUDE>;

/** A fate that is certain. A stale transaction names old objects or an old price. It and a refused one never execute. */
export type Fate =
  | { readonly kind: "executed"; readonly result: Executed }
  | { readonly kind: "stale"; readonly error: unknown }
  | { readonly kind: "refused"; readonly error: unknown };

export interface SendTimeouts {
  readonly executeMs: number;
  readonly readMs: number;
  readonly sendMs: number;
  readonly pauseMs: number;
}

/** Rejects with `ledger-timeout` when the fate is not known at the deadline. The transaction may still execute then. */
export async function sendTransaction(
  client: CoreClient,
  signed: SignedTransaction,
  { executeMs, readMs, sendMs, pauseMs }: SendTimeouts,
): Promise<Fate> {
  const end = performance.now() + sendMs;
  for (;;) {
    try {
      return { kind: "executed", result: await execute(client, signed, executeMs) };
    } catch (error) {
      const found = await lookUp(client, signed.txDigest, readMs).catch(() => undefined);
      if (found !== undefined) return { kind: "executed", result: found };
      const fate = fateOf(error);
      if (fate !== undefined) return fate;
      if (performance.now() + pauseMs >= end) {
        // It consumes a capability in a certain version. If it executes after all, what is built next does not.
        if (codeOf(error) === "ABORTED") return { kind: "stale", error };
        const message = "The ledger has not answered. The anchor is on record; ask again.";
        throw new PortcullisError("ledger-timeout", message, { cause: error });
      }
    }
    await delay(pauseMs);
  }
}

function execute(client: CoreClient, { bytes, signature }: SignedTransaction, ms: number): Promise<Executed> {
  return withDeadline(ms, ({ signal }) =>
    client.executeTransaction({ transaction: bytes, signatures: [signature], include: INCLUDE, signal }),
  );
}

async function lookUp(client: CoreClient, digest: string, ms: number): Promise<Executed | undefined> {
  try {
    return await withDeadline(ms, ({ signal }) => client.getTransaction({ digest, include: INCLUDE, signal }));
  } catch (error) {
    if (error instanceof TransactionError) return undefined;
    throw error;
  }
}

// The gRPC statuses with which a validator refuses a transaction. All others leave open whether it has executed,
// ABORTED too: validators say so when they have not yet seen an object (sui-types/src/error.rs, `categorize`).
const REFUSALS = new Set(["INVALID_ARGUMENT", "FAILED_PRECONDITION", "NOT_FOUND", "PERMISSION_DENIED"]);
const STALE = [
  /version|rebuil[dt]|unavailable for consumption|locked|reserved for another|equivocat/i,
  // The price changes with the epoch, and a transaction that names no coins expires.
  /under reference gas price|transaction expired/i,
  // The signer has less than when the transaction was built.
  /is lower than the needed amount|enough balance to cover/i,
];

/** Undefined when the error leaves the fate open. */
export function fateOf(error: unknown): Exclude<Fate, { kind: "executed" }> | undefined {
  if (!REFUSALS.has(codeOf(error))) return undefined;
  const { message } = error as Error;
  return { kind: STALE.some((pattern) => pattern.test(message)) ? "stale" : "refused", error };
}

const codeOf = (error: unknown): string => (error instanceof Error && "code" in error ? String(error.code) : "");

export type TransactionOutcome =
  | { readonly kind: "anchored"; readonly outcomes: readonly ChainOutcome[] }
  /** The command with this index aborted, and so the whole transaction has changed nothing. */
  | { readonly kind: "aborted"; readonly command: number; readonly abort: move.AbortName | undefined }
  | { readonly kind: "failed"; readonly error: PortcullisError };

/** `requests` are in the order of the transaction's calls. The gate emits one event for each anchor, in that order. */
export function outcomeOf(
  ids: move.GateIds,
  executed: Executed,
  requests: readonly number[],
  anchoredAt: string,
): TransactionOutcome {
  if (executed.$kind === "FailedTransaction") return failureOf(ids, executed.FailedTransaction.status.error);
  const { digest, events } = executed.Transaction;
  const type = move.typeName(ids.packageId, "ReceiptAnchored");
  const anchored = events
    .filter(({ eventType }) => normalizeStructTag(eventType) === type)
    .map(({ bcs }) => move.ReceiptAnchored.parse(bcs));
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
  { packageId }: move.GateIds,
  error: SuiClientTypes.ExecutionError | null,
): Exclude<TransactionOutcome, { kind: "anchored" }> {
  if (error?.$kind === "MoveAbort") {
    const { abortCode, location } = error.MoveAbort;
    const isOurs = location?.module === move.MODULE && normalizeSuiAddress(location.package ?? packageId) === packageId;
    return { kind: "aborted", command: error.command ?? 0, abort: isOurs ? move.ABORTS[Number(abortCode)] : undefined };
  }
  if (error !== null && /InsufficientGas/i.test(`${error.$kind} ${error.message}`)) {
    const message = "The transaction ran out of gas. Send SUI to the signer's address.";
    return { kind: "failed", error: new PortcullisError("ledger-no-gas", message) };
  }
  const message = `The ledger executed the transaction and it failed${error === null ? "" : `: ${error.$kind}`}.`;
  return { kind: "failed", error: new PortcullisError("ledger-refused", message) };
}

export function abortError(abort: move.AbortName | undefined): PortcullisError {
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

export const refusedError = (cause: unknown): PortcullisError =>
  new PortcullisError("ledger-refused", "The ledger refused the transaction.", { cause });
