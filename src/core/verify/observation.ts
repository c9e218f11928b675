// What a verifier fetched. Nothing in it has been checked.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";

/** The raw bytes of a blob; or the store has no such blob; or the store did not answer. */
export type FetchedBlob = Uint8Array | "missing" | "unreachable";

/** An object as the ledger returned it. */
export interface FetchedObject {
  readonly objectId: string;
  /** The Move type, `<package>::<module>::<name>`. */
  readonly type: string;
  readonly isFrozen: boolean;
  /** The decoded content, when the type is named like our receipts. `type` says whether the package is ours. */
  readonly receipt?: ChainReceipt;
}

export interface Observation {
  readonly receiptId: string;
  /** The package whose receipts count. Only its publication makes a gate, so it has exactly one. */
  readonly packageId: string;
  /** The package of release 0.1.0, if its receipts count, too. */
  readonly formerPackageId?: string | undefined;
  readonly object: FetchedObject | "missing" | "unreachable";
  /** The blob that the object names. */
  readonly blob: FetchedBlob;
  /** The blobs of the used memories, by storeRef. */
  readonly memories: ReadonlyMap<string, FetchedBlob>;
  /** In a deep verification, the blob id that follows from the fetched bytes, by the id they were fetched under. */
  readonly derivedIds?: ReadonlyMap<string, string>;
}
