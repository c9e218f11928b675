// What the services work with. The process has one platform, and a tenant for each customer; a request has a call
// (call.ts). A service's signature says what it takes of them. compose.ts makes them; tests make them with other parts.
import type { Principal } from "#core/identity/principal.ts";
import type { TenantQuotas, TenantRef } from "#core/identity/tenant.ts";
import type { RequestsPerMinute } from "#core/route-class.ts";
import type * as ports from "#ports.ts";
import type { Verifier } from "./anchoring/verifier.ts";
import type { Attempts } from "./answers/attempts/attempts.ts";
import type { EventHub } from "./events/event-hub.ts";
import type { WebhookSecrets } from "./events/webhook-secrets.ts";
import type { Idempotency } from "./idempotency/idempotency.ts";
import type { Authenticator, Identities, SessionIds } from "./identity/authenticator.ts";
import type { OpenStreams } from "./identity/open-streams.ts";
import type { TransparencyLogService } from "./log/transparency-log.ts";
import type { OpaquePositions } from "./opaque-positions.ts";
import type { PolicyMirror } from "./policy/policy-mirror.ts";
import type { MemoryIndex } from "./recall/memory-index.ts";
import type { OpenSearch } from "./recall/search.ts";
import type { SentenceVectors } from "./recall/sentence-vectors.ts";
import type { ReceiptSigner } from "./receipts/receipt-signer.ts";
import type { TenantAdministration } from "./tenants/administration.ts";

/** What the process has, and every tenant uses. */
export interface Platform {
  readonly settings: Settings;
  readonly about: About;
  readonly blobs: ports.BlobStore;
  /** For deep verifications. */
  readonly deriveBlobId?: ports.DeriveBlobId;
  /** Its name, and the names of the models that callers may use. Only an attempt can ask one. */
  readonly model: Pick<ports.LanguageModel, "name"> & {
    readonly completions?: Pick<ports.ChatCompletions, "models"> | undefined;
  };
  /** Present when a sentence model is configured. */
  readonly sentences?: Pick<SentenceVectors, "counts" | "close">;
  readonly ledger: ports.Ledger;
  /** Present when the ledger is the local one. */
  readonly explorer?: ports.LedgerExplorer;
  readonly verifier: Verifier;
  readonly authenticator: Authenticator;
  /** Absent when callers need not say who they are. */
  readonly identities?: Identities;
  readonly openStreams: OpenStreams;
  readonly sessionIds: SessionIds;
  readonly tenantAdministration: TenantAdministration;
  readonly signer: ReceiptSigner;
  /** Of the deployment. What a tenant has in it is in its records. */
  readonly log: TransparencyLogService;
  readonly webhookSecrets: WebhookSecrets;
  readonly webhookSender: ports.WebhookSender;
  readonly cipher: ports.MemoryCipher;
  /** Where the body of an import waits until it was checked. */
  readonly spool: ports.Spool;
  readonly metrics: ports.Metrics;
  readonly now: () => Date;
  /** `ms` is the time that the id begins with; now when it is left out. */
  readonly newId: (prefix: "mem" | "ans" | "prop", ms?: number) => string;
  /** 32 random bytes, for a receipt. */
  readonly newSeed: () => Uint8Array;
}

/** What one customer has, on the platform. */
export interface Tenant extends Platform, TenantRef {
  readonly records: ports.RecordStore;
  /** The same below the cipher: encrypted memories are as they are stored. For what needs no text, and for exports. */
  readonly stored: ports.RecordStore;
  readonly policyMirror: PolicyMirror;
  readonly index: Pick<MemoryIndex, "build" | "catchUp" | "wake" | "saveSnapshots" | "state" | "count" | "bytes">;
  readonly search: OpenSearch;
  readonly attempts: Attempts;
  readonly events: EventHub;
  readonly idempotency: Idempotency;
  readonly positions: () => Promise<OpaquePositions>;
  readonly brokenOff: { mark(broken: ports.BrokenOff): void };
  /** Runs an import. Rejects at once when too many are in progress. */
  readonly importSlots: { run(principal: Principal, importAll: () => Promise<void>): Promise<void> };
}

export interface Settings {
  /** What a new database, or a reset, begins with. */
  readonly seed: "demo" | "none";
  readonly allowReset: boolean;
  readonly anchorSealed: boolean;
  readonly keepQuestions: boolean;
  /** Whether the messages that facts were extracted from are kept with the receipts. */
  readonly keepConversations: boolean;
  readonly recallLimit: number;
  /** Absent: nobody is limited. */
  readonly requestsPerMinute?: RequestsPerMinute;
  /** The ids of tenants that metrics may name. */
  readonly metricsTenants?: ReadonlySet<string>;
  /** Of all callers of a tenant together, unless it has its own. Absent: any number. */
  readonly tenantRates?: Pick<TenantQuotas, "answersPerMinute" | "writesPerMinute">;
}

/** What the service runs on. Pages show it, and verifiers use its addresses instead of asking the service. */
export interface About {
  readonly version: string;
  /** `aggregator` is where anyone can GET `/v1/blobs/<blobId>`; empty when that is the service itself. */
  readonly blobs: { readonly kind: "memory" | "walrus"; readonly aggregator: string };
  readonly model: "extractive" | "openai-compatible";
  /** Absent when the ledger is the local one. */
  readonly fullNode?: string;
  readonly records: "sqlite" | "postgres";
}
