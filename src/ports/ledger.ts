// Where anchors are recorded so that nobody can change them, and what the local one shows.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ChainAnchor, PendingChainAnchor } from "./records/chain-anchors.ts";

/** What a ledger holds under an id, as it gave it. Nothing in it has been checked. */
export interface LedgerObject {
  readonly objectId: string;
  /** The Move type, `<package>::<module>::<name>`, addresses in full length. */
  readonly type: string;
  readonly isFrozen: boolean;
  /** The BCS of the Move struct. */
  readonly content: Uint8Array;
  readonly previousTransaction: string | null;
  /** The content decoded as a receipt, when the type is one of ours by name; of which package, `type` says. */
  readonly receipt?: ChainReceipt;
}

/**
 * Records receipts where nobody can change them, and keeps its own copy of the policy to judge their claims by.
 * Does not store blobs, and does not decide what an agent may use.
 */
export interface Ledger {
  /** `local`, or the network's name. */
  readonly network: string;
  /** The package whose receipts are ours. */
  packageId(): Promise<string>;
  /** Records the receipt. The same request under the same policy gives the same result and records nothing more. */
  anchor(request: PendingChainAnchor): Promise<ChainAnchor>;
  /** Finishes what an earlier process began. Answers with how many anchors that were. */
  recover(): Promise<number>;
  /** The object as the ledger has it, or undefined when it has none. Rejects when it does not answer. */
  find(objectId: string): Promise<LedgerObject | undefined>;
  /** Where a person can look at a transaction. */
  explorerUrl(txDigest: string): string;
  /** How many leaves of the policy the ledger has otherwise than we do, and whether the next anchor will mend that. */
  drift(): Promise<{ readonly leaves: number; readonly isOursToMend: boolean }>;
  close(): Promise<void>;
}

/** A transaction of the local ledger, decoded and as BCS (base64). Numbers of 64 bits are strings, bytes hex. */
export interface BookTransaction extends BookEntry {
  readonly calls: readonly { readonly function: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  readonly events: readonly { readonly name: string; readonly fields: unknown; readonly bcs: string }[];
  readonly changedObjects: readonly {
    readonly objectId: string;
    readonly type: string;
    readonly change: "created" | "changed" | "deleted";
    readonly version: string;
  }[];
  readonly signatures: readonly string[];
  readonly bcs: string;
}

export interface BookEntry {
  readonly sequence: number;
  readonly digest: string;
  readonly sender: string;
  readonly timestampMs: number;
  readonly status: { readonly success: boolean; readonly error: unknown };
  /** How often it calls which function. */
  readonly functions: Readonly<Record<string, number>>;
}

/** An object of the local ledger, decoded and as BCS (base64). */
export interface BookObject {
  readonly objectId: string;
  readonly version: string;
  readonly digest: string;
  readonly owner: unknown;
  readonly type: string;
  readonly previousTransaction: string;
  readonly fields: unknown;
  /** The Move struct alone. */
  readonly content: string;
  readonly bcs: string;
}

/** What the local ledger holds, for anyone to read. On Sui, any full node is asked instead. */
export interface LedgerBook {
  readObject(objectId: string): Promise<BookObject | undefined>;
  readTransaction(digest: string): Promise<BookTransaction | undefined>;
  /** Newest first. */
  recentTransactions(page: { readonly before?: number; readonly limit: number }): Promise<BookPage>;
}

export interface BookPage {
  readonly transactions: readonly BookEntry[];
  readonly next?: number;
}
