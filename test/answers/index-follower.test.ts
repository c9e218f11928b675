import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { turnInBulk } from "#async/run-in-slices.ts";
import { tenantsServed } from "#async/tenants-served.ts";
import { RECALL_LIMIT } from "#core/gate/gate.ts";
import type { ChangeRange, RecordStore } from "#ports.ts";
import { newMemory, STAMP } from "#test/suites/records/samples.ts";
import { followerOf, recallGate } from "#test/support/recall-gate.ts";
import { waitFor } from "#test/support/wait-for.ts";

let records: RecordStore;
/** The ranges that were read from the change feed. */
let reads: ChangeRange[];

beforeEach(() => {
  const store = sqliteRecords({ path: ":memory:" });
  reads = [];
  const changesIn: RecordStore["changeFeed"]["changesIn"] = (range) => {
    reads.push(range);
    return store.changeFeed.changesIn(range);
  };
  records = { ...store, changeFeed: { ...store.changeFeed, changesIn } };
});
afterEach(() => records.close());

const namespacesRead = () => reads.map(({ namespace }) => namespace);
const allow = (agentId: string, namespace: string) => records.policy.set({ agentId, namespace, allowed: true }, STAMP);
const capture = (namespace: string, count = 1) =>
  Promise.all(Array.from({ length: count }, (_, i) => records.memories.add(newMemory(`peanuts ${i}`, { namespace }))));

describe("a recall", () => {
  test("reads no change of a namespace that its agent may not use, and still lists that namespace", async () => {
    const gate = recallGate(records, { limit: RECALL_LIMIT });
    await capture("open");
    await capture("closed", 3_000);
    await allow("a", "open");
    const first = await gate.recall("a", "peanuts");
    expect(first).toMatchObject({ memories: [{ content: "peanuts 0" }], blockedNamespaces: ["closed"] });
    expect(namespacesRead()).toEqual(["open"]);
    await capture("closed", 3_000);
    await capture("new");
    expect((await gate.recall("a", "peanuts")).blockedNamespaces).toEqual(["closed", "new"]);
    expect(namespacesRead()).toEqual(["open"]);
  });

  test("waits for no other agent's namespace, also while another recall does", async () => {
    const gate = recallGate(records, { limit: RECALL_LIMIT });
    await capture("open");
    await capture("large", 5_000);
    await allow("a", "open");
    await allow("b", "large");
    const order: string[] = [];
    const asked = (agentId: string) => gate.recall(agentId, "peanuts").then(() => order.push(agentId));
    await Promise.all([asked("b"), asked("a")]);
    expect(order).toEqual(["a", "b"]);
  });

  test("shares its reads with another one that needs the same namespace", async () => {
    const gate = recallGate(records, { limit: RECALL_LIMIT });
    await capture("open", 10);
    await allow("a", "open");
    await allow("b", "open");
    await Promise.all([gate.recall("a", "peanuts"), gate.recall("b", "peanuts"), gate.recall("a", "nuts")]);
    expect(reads).toHaveLength(1);
  });
});

test("a recall sees no later change of one namespace without the earlier ones of another", async () => {
  const { changeFeed } = records;
  const held = Promise.withResolvers<void>();
  // The first read of b takes long.
  let isFirst = true;
  const slow: typeof changeFeed = {
    ...changeFeed,
    async changesIn(range) {
      const page = await changeFeed.changesIn(range);
      if (range.namespace === "b" && isFirst) {
        isFirst = false;
        await held.promise;
      }
      return page;
    },
  };
  const indexed: string[] = [];
  const follower = followerOf(slow, { apply: ({ namespace }) => indexed.push(namespace) });
  for (const namespace of ["a", "b"]) {
    await capture(namespace);
    await allow("both", namespace);
  }
  await allow("only-a", "a");
  const recalled = follower.whenCaughtUp("both", () => [...indexed]);
  await waitFor(() => expect([isFirst, indexed]).toEqual([false, ["a"]]));
  await capture("b");
  await capture("a");
  // This recall moves a on, beyond the moment at which the first one began.
  expect(await follower.whenCaughtUp("only-a", () => [...indexed])).toEqual(["a", "a"]);
  held.resolve();
  expect((await recalled).toSorted()).toEqual(["a", "a", "b", "b"]);
});

/** Of the event loop. */
function countTurns() {
  let count = 0;
  const tick = () => {
    count += 1;
    immediate = setImmediate(tick);
  };
  let immediate = setImmediate(tick);
  return { count: () => count, end: () => clearImmediate(immediate) };
}

describe("the index", () => {
  test("follows in the background after a wake, without any recall", async () => {
    const gate = recallGate(records, { limit: RECALL_LIMIT });
    await capture("n", 2_500);
    await capture("m");
    gate.index.wake();
    await waitFor(() =>
      expect(gate.index.state().memories).toEqual(
        new Map([
          ["n", 2_500],
          ["m", 1],
        ]),
      ),
    );
  });

  test("takes in nothing in a turn with a line of an import, while several tenants are served", async () => {
    await capture("n");
    const turns = countTurns();
    const log: [what: string, turn: number][] = [];
    const follower = followerOf(records.changeFeed, { apply: () => log.push(["change", turns.count()]) });
    tenantsServed.note(1);
    tenantsServed.note(2);
    const lines = [1, 2].map(() => turnInBulk("import").then(() => log.push(["line", turns.count()])));
    follower.wake();
    await Promise.all(lines);
    turns.end();
    expect(log.map(([what]) => what)).toEqual(["line", "change", "line"]);
    expect(new Set(log.map(([, turn]) => turn)).size).toBe(3);
  });

  test("reports how far it is while it is built", async () => {
    const gate = recallGate(records, { limit: RECALL_LIMIT });
    await capture("n", 2_500);
    await capture("m", 10);
    const progress: [number, number][] = [];
    await gate.index.build((done, total) => progress.push([done, total]));
    expect(progress.length).toBeGreaterThan(2);
    expect(progress.every(([done], i) => i === 0 || done > (progress[i - 1]?.[0] ?? 0))).toBe(true);
    expect(progress.at(-1)).toEqual([2_510, 2_510]);
  });

  test("is built in slices: a turn of the event loop passes when a slice's time is over", async () => {
    await capture("n", 500);
    let now = 0;
    const clock = vi.spyOn(performance, "now").mockImplementation(() => now);
    const turns: number[] = [];
    const counted = countTurns();
    // Every change takes half a millisecond.
    const follower = followerOf(records.changeFeed, {
      apply: () => {
        now += 0.5;
        turns.push(counted.count());
      },
    });
    await follower.followAll();
    counted.end();
    clock.mockRestore();
    const inOneTurn = Math.max(...[...Map.groupBy(turns, (each) => each).values()].map(({ length }) => length));
    expect(turns).toHaveLength(500);
    // No more than 5 ms, even while somebody waits.
    expect(inOneTurn).toBeLessThanOrEqual(10);
  });

  test("applies no change twice after a read that failed", async () => {
    await capture("n", 10);
    const applied: number[] = [];
    let failures = 2;
    const { changeFeed } = records;
    const failing = {
      ...changeFeed,
      changesIn: (range: ChangeRange) =>
        failures-- > 0 ? Promise.reject(new Error("gone")) : changeFeed.changesIn(range),
    };
    const follower = followerOf(failing, { apply: ({ sequence }) => applied.push(sequence) });
    await expect(follower.followAll()).rejects.toThrow("gone");
    await expect(follower.followAll()).rejects.toThrow("gone");
    await follower.followAll();
    expect(applied).toEqual(Array.from({ length: 10 }, (_, i) => i + 1));
  });
});
