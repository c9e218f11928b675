// The ledger, which records anchors so that nobody can change them, and the explorer of the local one.
import type { AnchoredCheckpoint } from "#core/ledger/checkpoint-object.ts";
import type { Naming } from "#core/ledger/pseudonym.ts";
import type { Checkpoint } from "#core/log/checkpoint.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { AnchorToJudge } from "#core/verify/next-fetches.ts";
import type { FetchedObject, PolicyHolder } from "#core/verify/observation.ts";
import type { ChainAnchor, PendingChainAnchor } from "./records/anchoring.ts";
import type { Page, PageOf } from "./records/paging.ts";

/** Nothing in it has been checked. Addresses in its type have their full length. */
export interface LedgerObject extends FetchedObject {
  /** The decoded content, when the type is named like our receipts. `type` says whether the package is ours. */
  readonly receipt?: ChainReceipt;
}

/** Keeps receipts that nobody can change, and a copy of the policy to judge their claims by. Stores no blobs. */
export interface Ledger {
  /** `local`, or the network's name. */
  readonly network: string;
  /** The package whose receipts are ours. */
  packageId(): Promise<string>;
  /** The gate of that package, and the address that anchors. A gate that is not made yet has the id that it will have. */
  gate(): Promise<{ readonly gateId: string; readonly signer: string }>;
  /** Records the receipt. Idempotent: the same request under the same policy gives the same result. */
  anchor(request: PendingChainAnchor): Promise<ChainAnchor>;
  /** Records a checkpoint of the log, unless there is one that is as large. Returns the last one that the ledger has then. */
  anchorCheckpoint(checkpoint: Checkpoint): Promise<AnchoredCheckpoint | undefined>;
  /** The last one of a log. Rejects when the ledger does not answer. */
  lastCheckpoint(origin: string): Promise<AnchoredCheckpoint | undefined>;
  /**
   * Records the end of the tenant's chain in the log with the tenant's gate, unless that has one as long, or one from after
   * this time. A tenant without a gate has none.
   */
  anchorChain(end: Checkpoint, before: number): Promise<void>;
  /** What has no outcome on record: of the tenant, or of all tenants if it is that of the tenant `default`. */
  unfinished(): Promise<UnfinishedWork>;
  /** Finishes the anchors that an earlier process began, of all tenants if it is that of the tenant `default`. Returns how many there were. */
  recover(): Promise<number>;
  /**
   * Tells the ledger what it lacks: recorded changes of the policy, in order and each under its version, and the keys that
   * sign receipts. When somebody else may change the policy there, reads its version instead. A tenant without a gate sends
   * nothing. That of the tenant `default` does it for others, too, a bounded number at a time. Does not reject.
   */
  sync(): Promise<void>;
  /** What was last read of a policy that is somebody else's to change. Undefined when it is ours, or was never read. */
  policyVersion(): LedgerPolicyVersion | undefined;
  /** How agents and namespaces are called there. Callers give and get names. */
  naming(): Promise<Naming>;
  /** The keys that sign receipts, as the ledger has them. */
  keys(): Promise<readonly LedgerKey[]>;
  /** The current version of the object, or undefined when there is none. Rejects when the ledger does not answer. */
  find(objectId: string): Promise<LedgerObject | undefined>;
  /** Whether the address that signed the transaction of an anchor also holds the `PolicyCap`. Rejects like `find`. */
  policyHolder(anchor: AnchorToJudge): Promise<PolicyHolder>;
  explorerUrl(txDigest: string): string;
  /** How many changes were not sent yet, up to a thousand; of somebody else's policy, how many rules differ. */
  drift(): Promise<{ readonly rules: number; readonly isOursToMend: boolean }>;
  /** What the signer can pay with. Undefined where transactions are free. */
  balance(): Promise<LedgerBalance | undefined>;
  close(): Promise<void>;
}

export interface UnfinishedWork {
  /** The ids of requests. */
  readonly requests: readonly number[];
  /** The digests of transactions. */
  readonly transactions: readonly string[];
}

export interface LedgerBalance {
  readonly address: string;
  /** In words of the ledger: `0.97 SUI`. */
  readonly amount: string;
  /** Whether it is time to send more. */
  readonly isLow: boolean;
}

export interface LedgerPolicyVersion {
  readonly version: number;
  readonly readAt: string;
}

/** A public key, in hex. Receipts that were anchored after its end are not signed by it. */
export interface LedgerKey {
  readonly publicKey: string;
  readonly addedAtMs: number;
  readonly endedAtMs?: number;
}

/** Shows what the local ledger holds to anyone. For Sui there is none: any full node can be asked. */
export interface LedgerExplorer {
  readObject(objectId: string): Promise<ExplorerObject | undefined>;
  readTransaction(digest: string): Promise<ExplorerTransaction | undefined>;
  /** Newest first. Positions are sequences. */
  recentTransactions(page: Omit<PageOf<number>, "scan" | "bytes">): Promise<ExplorerPage>;
}

export type ExplorerPage = Page<"transactions", ExplorerEntry, number>;

export interface ExplorerEntry {
  /** The place in the ledger. The genesis has 0. */
  readonly sequence: number;
  readonly digest: string;
  readonly sender: string;
  readonly timestampMs: number;
  readonly status: { readonly success: boolean; readonly error: unknown };
  /** How often the transaction calls each function. */
  readonly functions: Readonly<Record<string, number>>;
}

/** A transaction, decoded and as BCS (base64). 64-bit numbers are strings, and bytes are hex. */
export interface ExplorerTransaction extends ExplorerEntry {
  readonly calls: readonly { readonly function: string; readonly arguments: Readonly<Record<string, unknown>> }[];
  readonly events: readonly { readonly name: string; readonly fields: unknown; readonly bcs: string }[];
  readonly changedObjects: readonly {
    readonly objectId: string;
    readonly type: string;
    readonly change: "created" | "changed" | "deleted";
    /** The new version. For a deleted object, the last one. */
    readonly version: string;
  }[];
  readonly signatures: readonly string[];
  readonly bcs: string;
  /** What it changed, as validators of Sui sign it (`TransactionEffects`). */
  readonly effects: string;
}

/** An object, decoded and as BCS (base64). */
export interface ExplorerObject {
  readonly objectId: string;
  readonly version: string;
  /** Base58 of blake2b256 of `Object::` and the bytes of `bcs`. */
  readonly digest: string;
  readonly owner: unknown;
  readonly type: string;
  readonly previousTransaction: string;
  /** The fields of the Move struct. 64-bit numbers are strings, and bytes are hex. */
  readonly fields: unknown;
  /** The BCS of the Move struct alone. */
  readonly content: string;
  readonly bcs: string;
}
