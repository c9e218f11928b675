import { PortcullisError } from "../core/errors.ts";
import type { BookEntry, BookObject, BookTransaction, LedgerBook } from "../ports.ts";
import type { Deps } from "./deps.ts";

export function readLedgerObject(deps: Deps, objectId: string): BookObject {
  return bookOf(deps).readObject(objectId) ?? missing("object with this id");
}

export function readLedgerTransaction(deps: Deps, digest: string): BookTransaction {
  return bookOf(deps).readTransaction(digest) ?? missing("transaction with this digest");
}

/** Newest first. */
export function recentTransactions(
  deps: Deps,
  page: { readonly before?: number; readonly limit: number },
): { readonly transactions: readonly BookEntry[]; readonly next?: number } {
  return bookOf(deps).recentTransactions(page);
}

function bookOf({ book, ledger }: Deps): LedgerBook {
  if (book !== undefined) return book;
  throw new PortcullisError("not-found", `This service anchors on Sui ${ledger.network}; ask any full node of it.`);
}

function missing(what: string): never {
  throw new PortcullisError("not-found", `The local ledger has no ${what}.`);
}
