// What every check of fsck works with.
import type { RecordAudit, RecordRows } from "#ports.ts";
import type { Deps } from "#service/deps.ts";

/** A contradiction in the records. Holds ids, names and digests, and never the text of a memory. */
export interface Difference {
  readonly about: "database" | "memory" | "policy" | "receipt" | "anchor" | "request" | "ledger" | "lease";
  /** The record's id; empty when the difference concerns no single record. */
  readonly id: string;
  /** A clause about the record, such as "its body is not JSON". */
  readonly detail: string;
}

export interface FsckContext extends Pick<Deps, "ledger" | "explorer"> {
  readonly rows: RecordAudit["rows"];
  readonly counters: RecordRows["counters"];
  readonly hasKeyFile: boolean | undefined;
  readonly isDeep: boolean;
  /** Derives the id of a blob with these bytes; absent when this run derives none. */
  readonly blobIdOf?: (bytes: Uint8Array) => Promise<string>;
  report(about: Difference["about"], id: string, detail: string): void;
  /** Counts one more checked record, for the progress bar. */
  step(): void;
}
