// Reads from the local ledger's explorer. On Sui there is no explorer of ours. What the caller may not read is answered as
// what does not exist.
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { mayReadObject, mayReadTransaction } from "#core/ledger/public-part.ts";
import type { ExplorerObject, ExplorerPage, ExplorerPageRequest, ExplorerTransaction, LedgerExplorer } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

export async function readLedgerObject(deps: Deps, objectId: string, principal: Principal): Promise<ExplorerObject> {
  const object = await explorerOf(deps).readObject(objectId);
  return object !== undefined && mayReadObject(principal, object) ? object : missing("object with this id");
}

export async function readLedgerTransaction(
  deps: Deps,
  digest: string,
  principal: Principal,
): Promise<ExplorerTransaction> {
  const transaction = await explorerOf(deps).readTransaction(digest);
  const isReadable = transaction !== undefined && mayReadTransaction(principal, transaction);
  return isReadable ? transaction : missing("transaction with this digest");
}

/** Newest first. */
export async function recentTransactions(deps: Deps, page: ExplorerPageRequest): Promise<ExplorerPage> {
  return explorerOf(deps).recentTransactions(page);
}

function explorerOf({ explorer, ledger }: Deps): LedgerExplorer {
  if (explorer !== undefined) return explorer;
  throw new PortcullisError("not-found", `This service anchors on Sui ${ledger.network}; ask any full node of it.`);
}

function missing(what: string): never {
  throw new PortcullisError("not-found", `The local ledger has no ${what}.`);
}
