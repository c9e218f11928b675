// The last checkpoint of a log on the ledger. Whoever follows the log asks the ledger for it, and not the service.
import { type AnchoredCheckpoint, readLogField } from "#core/ledger/checkpoint-object.ts";
import { closingIdOf, readClosing, readGate } from "#core/ledger/gate-object.ts";
import { chainNameOf } from "#core/log/entry.ts";
import { logFieldIdOf, readChainReceipt } from "#core/receipt/chain-receipt.ts";
import { anchoredTree } from "#core/verify/checks/log.ts";
import { isOfType } from "#core/verify/checks/object.ts";
import type { Fetched, FetchedObject } from "#core/verify/observation.ts";

type FetchObject = (objectId: string) => Promise<Fetched<FetchedObject>>;

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

interface GatePlace extends Omit<Place, "gateId"> {
  /** An anchored receipt of the tenant: it names the gate. */
  readonly receiptId: string;
}

/** What a tenant's gate has: the end of its chain, its keys, and the last version that it closed. Rejects as above. */
export async function gateOnLedger(fetch: FetchObject, place: GatePlace) {
  const { packageId, receiptId } = place;
  const contentOf = async (id: string) => {
    const object = await fetch(id);
    return typeof object === "string" ? undefined : object;
  };
  const receipt = readChainReceipt((await contentOf(receiptId))?.content ?? new Uint8Array());
  const object = receipt && (await contentOf(receipt.gate));
  const gate = object && isOfType(object.type, packageId, "Gate") ? readGate(object.content) : undefined;
  if (receipt === undefined || gate === undefined) throw new Error(NO_ANSWER);
  const { closedId: tableId, version, keys } = gate;
  const closed = version === 0n ? undefined : await contentOf(closingIdOf({ tableId, version }));
  const closing = readClosing(closed?.bcs ?? new Uint8Array(), { packageId, tableId, version });
  if (version > 0n && closing === undefined) throw new Error(NO_ANSWER);
  const chain = await lastAnchored(fetch, { packageId, gateId: receipt.gate, origin: chainNameOf(place.origin) });
  return { chain, keys, version: Number(version), closedAtMs: closing?.closedAtMs ?? 0 };
}

const NO_ANSWER = "The ledger does not answer, or not with a receipt of the service and its gate.";
