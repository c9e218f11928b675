// What the services work with. compose.ts makes it once; tests make it with other parts.
import type { BlobStore, DeriveBlobId, LanguageModel, Ledger, LedgerExplorer, RecordStore } from "#ports.ts";
import type { Gatekeeper } from "./answers/gatekeeper.ts";
import type { InFlight } from "./answers/in-flight-attempts.ts";
import type { About } from "./operations/about.ts";

export interface Deps {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  /** For deep verifications. */
  readonly deriveBlobId?: DeriveBlobId;
  readonly model: LanguageModel;
  readonly ledger: Ledger;
  /** Present when the ledger is the local one. */
  readonly explorer?: LedgerExplorer;
  readonly gatekeeper: Gatekeeper;
  /** Before the prompt leaves, and before anything of the answer does. Both are the records' fence. */
  readonly fences: Readonly<Record<"send" | "release", RecordStore["passFence"]>>;
  readonly inFlight: InFlight;
  readonly about: About;
  readonly now: () => Date;
  readonly newId: (prefix: "mem" | "ans") => string;
}
