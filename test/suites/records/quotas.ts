import { expect, test } from "vitest";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const QUOTA = { name: "suite", points: 50, seconds: 60 };

export function quotaSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("a caller has as many points as the quota says, and no more, also when it asks all at once", async () => {
    const { quotas } = store.records;
    const taken = await Promise.all(Array.from({ length: 80 }, () => quotas.take(QUOTA, "ada")));
    expect(taken.filter(({ isGranted }) => isGranted)).toHaveLength(QUOTA.points);
    const last = await quotas.take(QUOTA, "ada");
    expect(last).toMatchObject({ isGranted: false, remaining: 0 });
    expect(last.resetMs).toBeGreaterThan(0);
    expect(last.resetMs).toBeLessThanOrEqual(QUOTA.seconds * 1_000);
  });

  test("each caller, and each quota, is counted for itself", async () => {
    const { quotas } = store.records;
    const one = { ...QUOTA, name: "one", points: 1 };
    expect(await quotas.take(one, "ada")).toMatchObject({ isGranted: true, remaining: 0 });
    expect(await quotas.take(one, "ada")).toMatchObject({ isGranted: false });
    expect(await quotas.take(one, "bob")).toMatchObject({ isGranted: true });
    expect(await quotas.take(QUOTA, "ada")).toMatchObject({ isGranted: true, remaining: QUOTA.points - 1 });
  });

  test("a caller has all points again when the window has ended", async () => {
    const { quotas } = store.records;
    const short = { name: "short", points: 2, seconds: 1 };
    while ((await quotas.take(short, "ada")).isGranted);
    await expect.poll(() => quotas.take(short, "ada")).toMatchObject({ isGranted: true, remaining: 1 });
  });

  test("replicas hand out no more than the quota together", async () => {
    const others = [store.records, await store.openAgain(), await store.openAgain()];
    const taken = await Promise.all(
      others.flatMap(({ quotas }) => Array.from({ length: 60 }, () => quotas.take(QUOTA, "ada"))),
    );
    expect(taken.filter(({ isGranted }) => isGranted)).toHaveLength(QUOTA.points);
  });
}
