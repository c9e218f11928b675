// What the services work with. compose.ts makes it once; tests make it with other parts.
import type { RequestsPerMinute } from "#core/route-class.ts";
import type {
  BlobStore,
  DeriveBlobId,
  LanguageModel,
  Ledger,
  LedgerExplorer,
  MemoryCipher,
  Metrics,
  RecordStore,
  Spool,
} from "#ports.ts";
import type { Attempts } from "./answers/attempts/attempts.ts";
import type { Gatekeeper } from "./answers/gatekeeper.ts";
import type { Call } from "./decisions/call.ts";
import type { EventHub } from "./events/event-hub.ts";
import type { Authenticator } from "./identity/authenticator.ts";
import type { Identities } from "./identity/identities.ts";
import type { OpenStreams } from "./identity/open-streams.ts";
import type { ImportSlots } from "./memories/import-slots.ts";
import type { OpaquePositions } from "./opaque-positions.ts";
import type { About } from "./operations/about.ts";
import type { SentenceVectors } from "./recall/sentence-vectors.ts";
import type { BrokenOffQueue } from "./receipts/broken-off-queue.ts";
import type { ReceiptSigner } from "./receipts/receipt-signer.ts";
import type { Verifier } from "./verification/verifier.ts";

export interface Deps {
  readonly records: RecordStore;
  /** The same below the cipher: sealed memories are as they are stored. For what needs no text, and for exports. */
  readonly stored: RecordStore;
  readonly blobs: BlobStore;
  /** For deep verifications. */
  readonly deriveBlobId?: DeriveBlobId;
  /** Its name alone. Only an attempt can ask it. */
  readonly model: Pick<LanguageModel, "name">;
  readonly ledger: Ledger;
  /** Present when the ledger is the local one. */
  readonly explorer?: LedgerExplorer;
  /** Present when a sentence model is configured. */
  readonly sentences?: Pick<SentenceVectors, "counts" | "close">;
  readonly authenticator: Authenticator;
  /** The call that is served, for the decision log. Commands and work in the background have none. */
  readonly call?: Call | undefined;
  readonly events: EventHub;
  readonly positions: () => Promise<OpaquePositions>;
  /** Absent when callers need not say who they are. */
  readonly identities?: Identities;
  readonly openStreams: OpenStreams;
  readonly gatekeeper: Gatekeeper;
  readonly attempts: Attempts;
  readonly about: About;
  /** Absent: nobody is limited. */
  readonly requestsPerMinute?: RequestsPerMinute;
  readonly verifier: Verifier;
  readonly importSlots: ImportSlots;
  /** Of sealed namespaces. */
  readonly cipher: MemoryCipher;
  /** Where the body of an import waits until it was checked. */
  readonly spool: Spool;
  readonly brokenOff: BrokenOffQueue;
  readonly signer: ReceiptSigner;
  readonly metrics: Metrics;
  /** What a new database, or a reset, begins with. */
  readonly seed: "demo" | "none";
  readonly allowReset: boolean;
  /** Whether every receipt is anchored sealed. */
  readonly anchorSealed: boolean;
  /** Whether questions are kept with their receipts. */
  readonly keepQuestions: boolean;
  /** How many memories an answer may use. */
  readonly recallLimit: number;
  readonly now: () => Date;
  /** `ms` is the time that the id begins with; now when it is left out. */
  readonly newId: (prefix: "mem" | "ans", ms?: number) => string;
  /** 32 random bytes, for a receipt. */
  readonly newSeed: () => Uint8Array;
}
