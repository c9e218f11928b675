import { afterEach, beforeEach } from "vitest";
import type { RecordStore } from "#ports.ts";

/** A store that a suite can open and destroy. */
export interface StoreUnderTest {
  /** Opens the same store each time, as after a restart. */
  open(): Promise<RecordStore>;
  /** Opens the store beside an open one, as another replica does. Absent when only one process may serve it. */
  openAgain?(): Promise<RecordStore>;
  destroy(): Promise<void>;
}

export type Prepare = () => Promise<StoreUnderTest>;

/** Gives each test of a suite a new store. */
export function storeForEach(prepare: Prepare) {
  let store: StoreUnderTest;
  let records: RecordStore;

  beforeEach(async () => {
    store = await prepare();
    records = await store.open();
  });
  afterEach(async () => {
    await records.close();
    await store.destroy();
  });

  return {
    /** The store of the current test. */
    get records(): RecordStore {
      return records;
    },
    /** Closes the store and opens it again. */
    async restart(): Promise<RecordStore> {
      await records.close();
      records = await store.open();
      return records;
    },
  };
}
