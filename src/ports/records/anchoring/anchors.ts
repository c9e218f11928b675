// Receipts that are stored as blobs.

import type { BlobLease } from "#ports/records/leases.ts";
import type { Decision } from "#ports/records/logs/decisions.ts";

export interface AnchorRecords {
  /** Records the anchor and, in the same step, the lease of its blob and the row of the decision log. Idempotent by blob id. */
  add(anchor: BlobAnchor, lease?: BlobLease, decision?: Decision): Promise<void>;
  /** Whether it is the blob of a receipt that was issued and anchored here, or of a memory that such a receipt names. */
  isPublished(blobId: string): Promise<boolean>;
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

export interface AnchorCounts {
  readonly blobs: number;
  readonly onLedger: number;
  readonly pending: number;
}
