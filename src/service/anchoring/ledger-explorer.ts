// Reads from the local ledger's explorer. On Sui there is no explorer of ours. What the caller may not read is answered as
// what does not exist. One local ledger serves all tenants, and the explorer of each shows its own gate.
import { fullAddress } from "#core/encoding/address.ts";
import { PortcullisError } from "#core/errors.ts";
import type { Principal } from "#core/identity/principal.ts";
import { mayReadObject, mayReadTransaction } from "#core/ledger/public-part.ts";
import type { LedgerExplorer } from "#ports.ts";
import type { Tenant } from "#service/tenant.ts";

export type Explored = Pick<Tenant, "ledger" | "explorer">;

export async function readLedgerObject(tenant: Explored, objectId: string, principal: Principal) {
  const object = await explorerOf(tenant).readObject(objectId);
  return object !== undefined && mayReadObject(principal, object) ? object : missing("object with this id");
}

export async function readLedgerTransaction(tenant: Explored, digest: string, principal: Principal) {
  const transaction = await explorerOf(tenant).readTransaction(digest);
  const isReadable = transaction !== undefined && mayReadTransaction(principal, transaction);
  return isReadable ? transaction : missing("transaction with this digest");
}

export function explorerOf({ explorer, ledger }: Explored): LedgerExplorer {
  if (explorer !== undefined) return explorer;
  throw new PortcullisError("not-found", `This service anchors on Sui ${ledger.network}; ask any full node of it.`);
}

function missing(what: string): never {
  throw new PortcullisError("not-found", `The local ledger has no ${what}.`);
}

/** Whoever may anchor a receipt may do so again, with other claims. The first ones are listed. */
const MOST_FOUND = 20;

/** By any id that its holder may have. Only tables of anchors are read, and always by the same look-ups. */
export async function findAnchors({ records }: Pick<Tenant, "records">, id: string) {
  const { blobs, onLedger } = await records.anchors.find(fullAddress(id) ?? id, MOST_FOUND + 1);
  if (blobs.length + onLedger.length === 0) throw new PortcullisError("not-found", "No anchored receipt has this id.");
  return {
    anchors: [
      ...onLedger.slice(0, MOST_FOUND).map((anchor) => ({ kind: "ledger" as const, ...anchor })),
      ...blobs.slice(0, MOST_FOUND).map((anchor) => ({ kind: "blob" as const, issued: true, ...anchor })),
    ],
    more: onLedger.length > MOST_FOUND || blobs.length > MOST_FOUND,
  };
}
