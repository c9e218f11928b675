// The last checkpoint of a log on the ledger. Whoever follows the log asks the ledger for it, and not the service.
import { type AnchoredCheckpoint, readLogField } from "#core/ledger/checkpoint-object.ts";
import { logFieldIdOf } from "#core/receipt/chain-receipt.ts";
import { anchoredTree } from "#core/verify/checks/log.ts";
import type { FetchedObject } from "#core/verify/observation.ts";

type FetchObject = (objectId: string) => Promise<FetchedObject | "missing" | "unreachable">;

interface Place {
  readonly packageId: string;
  /** The gate of the tenant `default`. */
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
