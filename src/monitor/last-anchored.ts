// The last checkpoint of a log on the ledger. Whoever follows the log asks the ledger for it, and not the service.
import { type AnchoredCheckpoint, readLogField } from "#core/ledger/checkpoint-object.ts";
import { chainNameOf } from "#core/log/entry.ts";
import { logFieldIdOf, readChainReceipt } from "#core/receipt/chain-receipt.ts";
import { anchoredTree } from "#core/verify/checks/log.ts";
import type { FetchedObject } from "#core/verify/observation.ts";

type FetchObject = (objectId: string) => Promise<FetchedObject | "missing" | "unreachable">;

interface Place {
  readonly packageId: string;
  /** Of the log, that of the tenant `default`. */
  readonly gateId: string;
  readonly origin: string;
}

/** Undefined if there is none. Rejects if the ledger does not answer, or says what it cannot say. */
export async function lastAnchored(fetch: FetchObject, place: Place): Promise<AnchoredCheckpoint | undefined> {
  const field = await fetch(logFieldIdOf(place));
  if (field === "missing") return undefined;
  const anchored = field === "unreachable" ? field : await fetch(readLogField(field.content) ?? "");
  const tree = anchoredTree({ anchored, packageId: place.packageId });
  if (tree?.origin !== place.origin)
    throw new Error("The ledger does not answer, or not with a checkpoint of the log.");
  return tree;
}

interface ChainPlace extends Omit<Place, "gateId"> {
  /** An anchored receipt of the tenant: it names the gate. */
  readonly receiptId: string;
}

/** The end of a tenant's chain that its gate has last. Rejects as above. */
export async function lastChain(
  fetch: FetchObject,
  { receiptId, packageId, origin }: ChainPlace,
): Promise<AnchoredCheckpoint | undefined> {
  const object = await fetch(receiptId);
  const receipt = typeof object === "string" ? undefined : readChainReceipt(object.content);
  if (receipt === undefined) throw new Error("The ledger does not answer, or not with a receipt of the service.");
  return lastAnchored(fetch, { packageId, gateId: receipt.gate, origin: chainNameOf(origin) });
}
