// Receipts that are stored as blobs.

import type { BlobLease } from "#ports/records/leases.ts";
import type { Decision } from "#ports/records/logs/decisions.ts";
import type { ChainAnchor } from "./chain-anchors.ts";

export interface AnchorRecords {
  /** Records the anchor and, in the same step, the lease of its blob and the row of the decision log. Idempotent by blob id. */
  add(anchor: BlobAnchor, lease?: BlobLease, decision?: Decision): Promise<void>;
  /** Whether it is the blob of a receipt that was issued and anchored here, or of a memory that such a receipt names. */
  isPublished(blobId: string): Promise<boolean>;
  /**
   * The anchors that anyone may know of, by whatever names one: the id of its object on the ledger, its transaction, the id
   * of its blob, the digest of its bytes, or the id of its answer if the receipt was issued here. Those on the ledger, and
   * blobs of receipts that were issued here; each oldest first, and `limit` at most.
   */
  find(id: string, limit: number): Promise<FoundAnchors>;
  /** By blob id. */
  page(page: { readonly after?: string; readonly limit: number }): Promise<BlobAnchor[]>;
  /** Of anchors of both kinds. */
  counts(): Promise<AnchorCounts>;
}

/** A receipt whose canonical JSON was stored as a blob. */
export interface BlobAnchor {
  readonly blobId: string;
  readonly digest: string;
  readonly answerId: string;
  /** Whether this service issued exactly this receipt. */
  readonly issued: boolean;
  readonly anchoredAt: string;
  readonly body: string;
}

export interface FoundAnchors {
  readonly blobs: readonly FoundBlob[];
  readonly onLedger: readonly FoundOnLedger[];
}

export interface FoundBlob extends Pick<BlobAnchor, "blobId" | "digest" | "anchoredAt"> {
  /** Whether it is the sealed form. */
  readonly sealed: boolean;
}

export interface FoundOnLedger
  extends FoundBlob,
    Pick<ChainAnchor, "receiptId" | "txDigest" | "allAuthorized">,
    Pick<BlobAnchor, "issued"> {}

export interface AnchorCounts {
  readonly blobs: number;
  readonly onLedger: number;
  readonly pending: number;
}
