// An export: NDJSON with a header, records, and a trailer that signs all bytes before it.
import type { DecisionDetails, Outcome } from "#core/activity-kind.ts";
import { statementBytes } from "#core/encoding/canonical-json.ts";
import type { ListRef } from "#core/encoding/digest.ts";
import type { AccessRule } from "#core/gate/policy.ts";
import type { RoleName } from "#core/identity/principal.ts";
import type { BlobAnchor, ChainAnchor } from "#core/ledger/anchor.ts";
import type { FactFilter } from "#core/memories/fact-filter.ts";
import type { Details, Encryption, Memory, NamespaceSettings } from "#core/memory.ts";
import type { BreakReason, ReceiptStatus, ViewedReceipt } from "#core/receipt/receipt.ts";
import type { Tombstone } from "#core/tombstone.ts";

export interface ExportHeader {
  readonly portcullis: "export";
  readonly v: 1;
  readonly exportedAt: string;
  readonly by: { readonly role: RoleName; readonly name: string; readonly agentId?: string };
  /** What was asked for; everything that the caller may read, when it is empty. */
  readonly filter: {
    readonly [Field in "namespace" | Exclude<keyof FactFilter, "metadata">]?: string;
  } & Pick<Details, "metadata"> & { readonly decrypt?: true };
  readonly policyVersion: number;
  readonly blobs: "memory" | "walrus";
  /** Of the ledger: `local`, or the network's name. */
  readonly network: string;
  readonly keys: readonly ExportedKey[];
}

export interface ExportedKey {
  readonly keyId: string;
  /** Ed25519, hex. */
  readonly publicKey: string;
  readonly createdAt: string;
  readonly endedAt?: string;
}

/** A line between header and trailer. Nothing here is a key or a password. */
export type ExportRecord =
  | ({ readonly kind: "namespace" } & NamespaceSettings)
  /** What hashes of encrypted facts and seeds of their receipts are made with, encrypted by a ENCRYPTION_KEY; base64url. */
  | { readonly kind: "encryption-secret"; readonly keyId: string; readonly wrapped: string }
  | ({ readonly kind: "rule" } & AccessRule)
  | {
      readonly kind: "memory";
      /** With `encryption`, the content is the text of its encrypted blob. `encrypted` without it: it was decrypted for the reader. */
      readonly memory: Memory & { readonly encryption?: Encryption };
      /** Of one whose place another took. */
      readonly superseded?: { readonly by: string; readonly at: string };
    }
  | { readonly kind: "tombstone"; readonly tombstone: Tombstone & { readonly sourceAgent: string } }
  /** A list that receipts and decisions name by its digest. It comes before them, a part a line. */
  | { readonly kind: "names"; readonly digest: string; readonly names: readonly string[]; readonly isLast: boolean }
  | {
      readonly kind: "receipt";
      /** Without any text of memories. */
      readonly receipt: ViewedReceipt;
      readonly status: ReceiptStatus;
      readonly reason?: BreakReason;
      /** Opens its private fields, hex. */
      readonly seed?: string;
      readonly anchor?: { readonly blobId: string; readonly anchoredAt: string };
      readonly chain: readonly { readonly receiptId: string; readonly txDigest: string }[];
    }
  | ({ readonly kind: "anchor" } & BlobAnchor)
  | ({ readonly kind: "chain-anchor" } & ChainAnchor)
  | {
      readonly kind: "decision";
      readonly at: string;
      readonly principalId: string;
      readonly principalName: string;
      readonly role: RoleName | "service";
      readonly agentId?: string;
      readonly route: string;
      readonly policyVersion: number;
      readonly outcome: Outcome;
      readonly answerId?: string;
      readonly memoryId?: string;
      readonly namespace?: string;
      readonly details?: DecisionDetails;
      readonly allowed?: ListRef;
      readonly blocked?: ListRef;
    };

export type ExportKind = ExportRecord["kind"];
export type RecordOf<Kind extends ExportKind> = Extract<ExportRecord, { readonly kind: Kind }>;
export type ExportCounts = Readonly<Partial<Record<ExportKind, number>>>;

/** The last line. Without it, the export broke off. */
export interface ExportTrailer {
  readonly portcullis: "end";
  readonly counts: ExportCounts;
  /** blake2b256 of all bytes before this line, hex. */
  readonly digest: string;
  /** Ed25519 over `exportBytes`, base64url. */
  readonly signature: { readonly keyId: string; readonly publicKey: string; readonly value: string };
}

export const exportBytes = ({ counts, digest }: Pick<ExportTrailer, "counts" | "digest">): Uint8Array =>
  statementBytes("export/v1", { counts, digest });
