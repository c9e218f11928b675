// What can be checked of a row of the log without executing it.
import { refuseWrongSignatures } from "#adapters/ledger/local/execution/signatures.ts";
import { type ReadTransaction, readTransaction } from "#adapters/ledger/local/execution/transaction.ts";
import { configurationError } from "#core/errors.ts";
import type { LoggedTransaction } from "#ports.ts";

/** Rejects when the bytes do not have the digest of the row, or a signature does not belong to them. */
export async function readLogged({ bytes, txDigest, signatures }: LoggedTransaction): Promise<ReadTransaction> {
  const transaction = readTransaction(Uint8Array.from(bytes));
  if (transaction.digest !== txDigest) throw new Error(`its bytes have the digest ${transaction.digest}`);
  await refuseWrongSignatures(transaction, signatures);
  return transaction;
}

/** `what` is a clause about the ledger. */
export function replayError(what: string, cause?: unknown): Error {
  const advice = "The database and the ledger's key must belong together, and nobody else may write to the log.";
  return configurationError(`The local ledger on record does not replay: ${what}. ${advice}`, cause);
}
