// What the services work with. compose.ts makes it once; tests make it with other parts.
import type { BlobStore, LanguageModel, RecordStore } from "../ports.ts";
import type { Gatekeeper } from "./gatekeeper.ts";

export interface Deps {
  readonly records: RecordStore;
  readonly blobs: BlobStore;
  readonly model: LanguageModel;
  readonly gatekeeper: Gatekeeper;
  readonly now: () => Date;
  readonly newId: (prefix: "mem" | "ans") => string;
}
