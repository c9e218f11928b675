// The services' parts for tests that need no HTTP: a database in memory, the mock blobs, the built-in model, an empty
// store instead of the seed, and ids and times that do not differ from run to run.
import { memoryBlobs } from "../../src/adapters/blobs/memory.ts";
import { extractiveModel } from "../../src/adapters/model/extractive.ts";
import { sqliteRecords } from "../../src/adapters/records/sqlite/index.ts";
import { RECALL_LIMIT } from "../../src/core/gate.ts";
import type { Ledger } from "../../src/ports.ts";
import type { Deps } from "../../src/service/deps.ts";
import { gateOver } from "../../src/service/gate-over.ts";

/** For tests that anchor nothing. */
const noLedger = new Proxy({} as Ledger, {
  get(_, name) {
    throw new Error(`this test has no ledger, and asked it for ${String(name)}`);
  },
});

export function testDeps(overrides: Partial<Deps> = {}): Deps {
  const records = overrides.records ?? sqliteRecords({ path: ":memory:" });
  let count = 0;
  return {
    records,
    blobs: memoryBlobs(),
    model: extractiveModel(),
    ledger: noLedger,
    ...gateOver(records, RECALL_LIMIT),
    about: { version: "0", blobs: { kind: "memory", aggregator: "" }, model: "extractive", records: "sqlite" },
    now: () => new Date(0),
    newId: (prefix) => `${prefix}_${++count}`,
    ...overrides,
  };
}
