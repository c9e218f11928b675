import { readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { SeenObject } from "#core/verify/verify-receipt.ts";

/** An object of the ledger, with the parts that only a page shows. */
export interface FetchedObject extends SeenObject {
  /** The BCS bytes of the Move struct. */
  readonly content: Uint8Array;
  /** The transaction that created it: nothing changes a frozen object later. */
  readonly previousTransaction: string | null;
}

export type ObjectResult = FetchedObject | "missing" | "unreachable";

/** Decodes the receipt from the bytes here, whoever sent them. */
export function decodeObject(object: Omit<FetchedObject, "receipt">): FetchedObject {
  const receipt = object.type.endsWith("::gate::Receipt") ? readChainReceipt(object.content) : undefined;
  return { ...object, ...(receipt !== undefined && { receipt }) };
}
