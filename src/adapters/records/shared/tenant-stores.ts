// The stores of tenants that are open. A tenant has one at a time: its changes share turns, and its listeners are told.
import { getOrInsert } from "#core/collections/get-or-insert.ts";
import type { DeploymentRecords, RecordStore } from "#ports.ts";

interface Opened {
  readonly records: RecordStore;
  users: number;
  /** Somebody else has it, and closes it. */
  isKept: boolean;
}

type Stores = Pick<DeploymentRecords, "recordsOf" | "useRecordsOf">;

/** `forget` is for `close` of the tenant's store. */
export function tenantStores(open: (tenant: number) => RecordStore): Stores & { forget(tenant: number): void } {
  const stores = new Map<number, Opened>();

  const storeOf = (tenant: number): Opened =>
    getOrInsert(stores, tenant, () => ({ records: open(tenant), users: 0, isKept: false }));

  return {
    recordsOf({ number }) {
      const store = storeOf(number);
      store.isKept = true;
      return store.records;
    },
    async useRecordsOf({ number }, work) {
      const store = storeOf(number);
      store.users += 1;
      try {
        return await work(store.records);
      } finally {
        store.users -= 1;
        if (store.users === 0 && !store.isKept) await store.records.close();
      }
    },
    forget: (tenant) => void stores.delete(tenant),
  };
}
