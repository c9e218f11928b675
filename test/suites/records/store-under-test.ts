import { afterEach, beforeEach, expect, onTestFinished } from "vitest";
import type { RecordLimits, RecordStore } from "#ports.ts";

/** A store that a suite can open and destroy. */
export interface StoreUnderTest {
  /** Opens the same store each time, as after a restart. */
  open(limits?: RecordLimits): Promise<RecordStore>;
  /** Opens the store beside an open one, as another replica does. Absent when only one process may serve it. */
  openAgain?(limits?: RecordLimits): Promise<RecordStore>;
  destroy(): Promise<void>;
}

export type Prepare = () => Promise<StoreUnderTest>;

/** What counts against quotas is what is on record, whatever was done. */
async function expectTotals(records: RecordStore): Promise<void> {
  const found = await records.audit(async ({ rows }) => {
    const [counters] = await Array.fromAsync(rows("counters"));
    const texts = [...(await Array.fromAsync(rows("memory"))), ...(await Array.fromAsync(rows("superseded")))];
    return {
      memories: counters?.memories,
      textBytes: texts.reduce((sum, { content, metadata }) => sum + Buffer.byteLength(content + (metadata ?? "")), 0),
      namespaces: (await Array.fromAsync(rows("namespace"))).filter(({ recorded }) => (recorded ?? 0) > 0).length,
      policyRules: (await Array.fromAsync(rows("rule"))).length,
      receipts: (counters?.receipts ?? 0) + (counters?.begun ?? 0) + (counters?.foreignAnchors ?? 0),
    };
  });
  expect(await records.reports.usage()).toEqual(found);
}

/** Gives each test of a suite a new store. */
export function storeForEach(prepare: Prepare) {
  let store: StoreUnderTest;
  let records: RecordStore;

  beforeEach(async () => {
    store = await prepare();
    records = await store.open();
  });
  afterEach(async () => {
    await expectTotals(records);
    await records.close();
    await store.destroy();
  });

  return {
    /** The store of the current test. */
    get records(): RecordStore {
      return records;
    },
    /** Closes the store and opens it again. */
    async restart(limits?: RecordLimits): Promise<RecordStore> {
      await records.close();
      records = await store.open(limits);
      return records;
    },
    /** The store as another replica has it, or the same one when only one process may serve it. */
    async openAgain(limits?: RecordLimits): Promise<RecordStore> {
      if (store.openAgain === undefined) return records;
      const again = await store.openAgain(limits);
      onTestFinished(() => again.close());
      return again;
    },
  };
}
