// What the services need from the world, in their own words. Adapters implement these; compose.ts chooses.
export type * from "./ports/anchors.ts";
export type * from "./ports/audit.ts";
export type * from "./ports/blobs.ts";
export type * from "./ports/history.ts";
export type * from "./ports/ledger.ts";
export type * from "./ports/model.ts";
export type * from "./ports/records.ts";
