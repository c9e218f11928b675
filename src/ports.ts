// The ports: what the services need from the outside world. Adapters implement them, and compose.ts chooses the adapters.

export type * from "./ports/ledger.ts";
export type * from "./ports/memory-cipher.ts";
export type * from "./ports/metrics.ts";
export type * from "./ports/model.ts";
export type * from "./ports/proposals.ts";
export type * from "./ports/records/anchoring.ts";
export type * from "./ports/records/audit.ts";
export type * from "./ports/records/change-feed.ts";
export type * from "./ports/records/identity.ts";
export type * from "./ports/records/logs.ts";
export type * from "./ports/records/memories.ts";
export type * from "./ports/records/paging.ts";
export type * from "./ports/records/policy.ts";
export type * from "./ports/records/receipts.ts";
export type * from "./ports/records/record-store.ts";
export type * from "./ports/records/reports.ts";
export type * from "./ports/records/transfer.ts";
export type * from "./ports/storage.ts";
export type * from "./ports/token-verifier.ts";
export type * from "./ports/transparency-log.ts";
export type * from "./ports/webhooks.ts";
