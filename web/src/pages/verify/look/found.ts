import { readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { FetchedObject } from "#core/verify/observation.ts";

/** With what only a page wants to know. */
export interface FoundObject extends FetchedObject {
  /** The BCS of the Move struct. */
  readonly content: Uint8Array;
  /** A frozen object was last touched by the transaction that made it. */
  readonly previousTransaction: string | null;
}

export type Found = FoundObject | "missing" | "unreachable";

/** What the bytes say is read here, whoever sent them. */
export function foundObject(object: Omit<FoundObject, "receipt">): FoundObject {
  const receipt = object.type.endsWith("::gate::Receipt") ? readChainReceipt(object.content) : undefined;
  return { ...object, ...(receipt !== undefined && { receipt }) };
}
