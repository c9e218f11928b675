import { expect, test } from "vitest";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function snapshotRegisterSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const digest = (n: number) => n.toString(16).padStart(64, "0");

  test("keeps the newest eight snapshots of each namespace on record", async () => {
    const { records } = store;
    await records.snapshots.add("other", digest(1));
    for (let n = 1; n <= 9; n++) await records.snapshots.add("health", digest(n));
    // This one becomes the newest.
    await records.snapshots.add("health", digest(2));
    await records.snapshots.add("health", digest(10));
    const expected = [2, 4, 5, 6, 7, 8, 9, 10].map(digest);
    const all = await (await store.restart()).snapshots.all();
    expect([...(all.get("health") ?? [])].sort()).toEqual(expected);
    expect(all.get("other")).toEqual(new Set([digest(1)]));
  });

  test("forgets the snapshots of one namespace, and of one that has none", async () => {
    const { records } = store;
    await records.snapshots.add("health", digest(1));
    await records.snapshots.add("other", digest(1));
    await records.snapshots.remove("health");
    await records.snapshots.remove("none");
    expect(await records.snapshots.all()).toEqual(new Map([["other", new Set([digest(1)])]]));
  });
}
