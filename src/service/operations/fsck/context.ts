// What the checks of fsck work with.
import type { Ledger, LedgerExplorer, MemoryCipher, RecordAudit, RecordRows, SigningKeyRecords } from "#ports.ts";

/** A contradiction in the records. Holds ids, names and digests, and never the text of a memory. */
export interface Difference {
  readonly about:
    | ("database" | "memory" | "policy" | "receipt" | "anchor" | "request" | "ledger")
    | ("lease" | "proposal" | "decision" | "log");
  /** The record's id; empty when the difference concerns no single record. */
  readonly id: string;
  /** A clause about the record, such as "its body is not JSON". */
  readonly detail: string;
}

export interface FsckContext {
  /** Whether this is the tenant `default`, with which the deployment is checked. */
  readonly isDefault: boolean;
  readonly ledger: Ledger;
  readonly explorer: LedgerExplorer | undefined;
  readonly rows: RecordAudit["rows"];
  readonly signingKeys: SigningKeyRecords["list"];
  readonly counters: RecordRows["counters"];
  /** Opens seeds that were encrypted; undefined when the key is not here. */
  readonly decryptSeed: MemoryCipher["decryptSeed"];
  readonly hasKeyFile: boolean | undefined;
  readonly readsLedger: boolean;
  /** Undefined when this run derives no blob ids. Its result is, when the one on record follows no rule that we know. */
  readonly blobIdOf: ((bytes: Uint8Array, onRecord: string) => Promise<string | undefined>) | undefined;
  report(about: Difference["about"], id: string, detail: string): void;
  /** Counts one more checked record, for the progress bar. */
  step(): void;
}

/** Rows in groups of those that follow each other and have the same key. */
export async function* groupsOf<Row, Key>(
  rows: AsyncIterable<Row>,
  keyOf: (row: Row) => Key,
): AsyncGenerator<readonly [key: Key, group: readonly Row[]]> {
  let group: Row[] = [];
  for await (const row of rows) {
    const [first = row] = group;
    if (keyOf(first) !== keyOf(row)) {
      yield [keyOf(first), group];
      group = [];
    }
    group.push(row);
  }
  const [last] = group;
  if (last !== undefined) yield [keyOf(last), group];
}
