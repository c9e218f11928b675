import { readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { FetchedObject } from "#core/verify/observation.ts";

/** An object of the ledger, with the parts that only a page shows. */
export interface ShownObject extends FetchedObject {
  /** The BCS bytes of the Move struct. */
  readonly content: Uint8Array;
  /** The transaction that created it: nothing changes a frozen object later. */
  readonly previousTransaction: string | null;
}

export type ObjectResult = ShownObject | "missing" | "unreachable";

/** Decodes the receipt from the bytes here, whoever sent them. */
export function decodeObject(object: Omit<ShownObject, "receipt">): ShownObject {
  const receipt = object.type.endsWith("::gate::Receipt") ? readChainReceipt(object.content) : undefined;
  return { ...object, ...(receipt !== undefined && { receipt }) };
}
