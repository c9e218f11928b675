// What the services work with. compose.ts makes it once; tests make it with other parts.
import type { BlobStore, DeriveBlobId, LanguageModel, Ledger, LedgerBook, RecordStore } from "../ports.ts";
import type { Gatekeeper } from "./gatekeeper.ts";

export interface Deps {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  /** For deep verifications. */
  readonly deriveBlobId?: DeriveBlobId;
  readonly model: LanguageModel;
  readonly ledger: Ledger;
  /** Present when the ledger is the local one. */
  readonly book?: LedgerBook;
  readonly gatekeeper: Gatekeeper;
  readonly now: () => Date;
  readonly newId: (prefix: "mem" | "ans") => string;
}
