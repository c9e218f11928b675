// What a verifier fetched. Nothing in it has been checked.
import type { Owner } from "#core/ledger/move-object.ts";
import type { SignedCheckpoint } from "#core/log/checkpoint.ts";
import type { WitnessPolicy } from "#core/log/witness-policy.ts";

/** What was asked for; or there is no such thing; or nobody answered. */
export type Fetched<T> = T | "missing" | "unreachable";

/** The raw bytes of a blob. */
export type FetchedBlob = Fetched<Uint8Array>;

export interface FetchedObject {
  readonly objectId: string;
  /** The Move type, `<package>::<module>::<name>`. */
  readonly type: string;
  readonly owner: Owner;
  readonly content: Uint8Array;
  /** The BCS of the whole object, with its envelope. */
  readonly bcs?: Uint8Array | undefined;
  /** Of the whole object, base58. */
  readonly digest?: string | undefined;
  /** The transaction that wrote it: for a frozen object, the one that made it. */
  readonly previousTransaction: string | null;
}

/** The values that a reader once decided to trust. */
export interface TrustedIds {
  readonly packageId?: string | undefined;
  readonly gateId?: string | undefined;
  readonly keyIds?: readonly string[] | undefined;
}

/** The address that signed the transaction of the anchor, or another one. */
export type PolicyHolder = "signer" | "another";

export interface LogToJudge {
  /** What is given as a proof that the receipt is in the transparency log. */
  readonly proof?: unknown;
  /** The object on the ledger that the proof names. */
  readonly anchored?: Fetched<FetchedObject> | undefined;
  /** Which logs the reader trusts, and whose cosignatures. */
  readonly policy?: WitnessPolicy | undefined;
  /** One that the reader has got elsewhere. */
  readonly seen?: SignedCheckpoint | undefined;
}

export interface Observation {
  readonly receiptId: string;
  /** The package whose receipts count. Only its publication makes a gate, so it has exactly one. */
  readonly packageId: string;
  readonly object: Fetched<FetchedObject>;
  /** The gate that the receipt on the ledger names. */
  readonly gate: Fetched<FetchedObject>;
  /** The entry of the receipt's version in the gate's table of closed ones. */
  readonly closing: Fetched<FetchedObject>;
  /** Who holds the gate's `PolicyCap`. Asked for a receipt that says that somebody else than its signer does. */
  readonly policyHolder?: PolicyHolder | "unreachable" | undefined;
  readonly blob: FetchedBlob;
  /** In place of all of the ledger: the bytes of a receipt that was not anchored. */
  readonly unanchored?: Uint8Array | undefined;
  /** The blobs of the used memories, by storeRef. */
  readonly memories: ReadonlyMap<string, FetchedBlob>;
  /** What the service says of memories whose blobs are missing, by memory id. */
  readonly tombstones?: ReadonlyMap<string, unknown>;
  readonly log?: LogToJudge | undefined;
  /** In a deep verification, the blob id that follows from the fetched bytes, by the id they were fetched under. */
  readonly derivedIds?: ReadonlyMap<string, string>;
  readonly trusted?: TrustedIds;
  /** By the verifier's own clock, in milliseconds since 1970. */
  readonly nowMs: number;
  /** What a reader holds: the canonical JSON of an opening (core/receipt/opening.ts). */
  readonly opening?: string | undefined;
}
