import { PortcullisError } from "#core/errors.ts";
import type { BookObject, BookPage, BookTransaction, LedgerBook } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

export async function readLedgerObject(deps: Deps, objectId: string): Promise<BookObject> {
  return (await bookOf(deps).readObject(objectId)) ?? missing("object with this id");
}

export async function readLedgerTransaction(deps: Deps, digest: string): Promise<BookTransaction> {
  return (await bookOf(deps).readTransaction(digest)) ?? missing("transaction with this digest");
}

/** Newest first. */
export async function recentTransactions(
  deps: Deps,
  page: { readonly before?: number; readonly limit: number },
): Promise<BookPage> {
  return bookOf(deps).recentTransactions(page);
}

function bookOf({ book, ledger }: Deps): LedgerBook {
  if (book !== undefined) return book;
  throw new PortcullisError("not-found", `This service anchors on Sui ${ledger.network}; ask any full node of it.`);
}

function missing(what: string): never {
  throw new PortcullisError("not-found", `The local ledger has no ${what}.`);
}
