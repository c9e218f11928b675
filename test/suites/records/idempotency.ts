import { expect, test } from "vitest";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function idempotencySuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const begin = (holder: string, fields: object = {}, records = store.records) =>
    records.idempotency.begin({ id: "i", digest: "d", holder, now: 1_000, leaseEnd: 2_000, oldest: 0, ...fields });

  test("a request begins once, is in progress until it is complete, and then tells its outcome, also after a restart", async () => {
    expect(await begin("a")).toEqual({ kind: "begun" });
    expect(await begin("b")).toEqual({ kind: "in-progress" });
    await store.records.idempotency.complete({ id: "i", holder: "a" }, "made");
    expect(await begin("b")).toEqual({ kind: "done", outcome: "made" });
    await store.restart();
    expect(await begin("b")).toEqual({ kind: "done", outcome: "made" });
    expect(await begin("b", { id: "other" })).toEqual({ kind: "begun" });
  });

  test("another body is refused, in progress and afterwards", async () => {
    await begin("a");
    expect(await begin("b", { digest: "e" })).toEqual({ kind: "other-request" });
    expect(await begin("b", { digest: "e", now: 3_000 })).toEqual({ kind: "other-request" });
    await store.records.idempotency.complete({ id: "i", holder: "a" }, "made");
    expect(await begin("b", { digest: "e" })).toEqual({ kind: "other-request" });
  });

  test("a request that made nothing can begin again", async () => {
    await begin("a");
    await store.records.idempotency.abandon({ id: "i", holder: "a" });
    expect(await begin("b", { digest: "e" })).toEqual({ kind: "begun" });
  });

  test("a lease that has ended is taken over, and its former holder changes nothing any more", async () => {
    const { idempotency } = store.records;
    await begin("a");
    await idempotency.extend({ id: "i", holder: "a" }, 4_000);
    expect(await begin("b", { now: 3_000 })).toEqual({ kind: "in-progress" });
    expect(await begin("b", { now: 4_001, leaseEnd: 5_000 })).toEqual({ kind: "begun" });
    await idempotency.complete({ id: "i", holder: "a" }, "late");
    await idempotency.abandon({ id: "i", holder: "a" });
    await idempotency.extend({ id: "i", holder: "a" }, 9_000);
    expect(await begin("c", { now: 4_500 })).toEqual({ kind: "in-progress" });
    expect(await begin("c", { now: 5_001 })).toEqual({ kind: "begun" });
  });

  test("a request that is complete keeps its outcome: it is neither abandoned nor completed again", async () => {
    const { idempotency } = store.records;
    await begin("a");
    await idempotency.complete({ id: "i", holder: "a" }, "made");
    await idempotency.complete({ id: "i", holder: "a" }, "other");
    await idempotency.abandon({ id: "i", holder: "a" });
    expect(await begin("b", { now: 9_000 })).toEqual({ kind: "done", outcome: "made" });
  });

  test("an old request counts as if it had not been, and a sweep removes old ones, a bounded number at a time", async () => {
    const { idempotency } = store.records;
    await begin("a");
    await idempotency.complete({ id: "i", holder: "a" }, "made");
    expect(await begin("b", { digest: "e", now: 5_000, oldest: 1_001 })).toEqual({ kind: "begun" });
    for (const id of ["1", "2", "3"]) await begin("a", { id });
    expect(await idempotency.sweep(5_000, 2)).toBe(2);
    expect(await idempotency.sweep(5_000, 2)).toBe(1);
    expect(await idempotency.sweep(5_000, 2)).toBe(0);
    expect(await begin("c", { digest: "e" })).toEqual({ kind: "in-progress" });
  });

  test("of requests at once, from all replicas, one begins", async () => {
    const replicas = [store.records, await store.openAgain()];
    const results = await Promise.all(Array.from({ length: 20 }, (_, i) => begin(`${i}`, {}, replicas[i % 2])));
    expect(results.filter(({ kind }) => kind === "begun")).toHaveLength(1);
    expect(results.filter(({ kind }) => kind === "in-progress")).toHaveLength(19);
  });
}
