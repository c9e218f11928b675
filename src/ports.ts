// The ports: what the services need from the outside world. Adapters implement them, and compose.ts chooses the adapters.
export type * from "./ports/blobs.ts";
export type * from "./ports/index-snapshots.ts";
export type * from "./ports/ledger.ts";
export type * from "./ports/model.ts";
export type * from "./ports/records/anchors.ts";
export type * from "./ports/records/audit.ts";
export type * from "./ports/records/chain-anchors.ts";
export type * from "./ports/records/change-feed.ts";
export type * from "./ports/records/leases.ts";
export type * from "./ports/records/ledger-log.ts";
export type * from "./ports/records/memories.ts";
export type * from "./ports/records/paging.ts";
export type * from "./ports/records/policy.ts";
export type * from "./ports/records/receipts.ts";
export type * from "./ports/records/record-store.ts";
export type * from "./ports/records/snapshot-register.ts";
export type * from "./ports/sentence-embedder.ts";
