// Two stores on one database, as two replicas of the service have them.
import { Client } from "pg";
import { describe, expect, onTestFinished, test } from "vitest";
import type { RecordStore } from "#ports.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { BEGINNING, readChanges } from "#test/support/read-changes.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { endSessions, endSessionsHoldingLocks, memoryOf, STAMP, storeForTest, waitingForLocks } from "./fixture.ts";

async function twoStores() {
  const database = await databaseForTest();
  return { database, a: await storeForTest(database.url), b: await storeForTest(database.url) };
}

const RULE = { agentId: "x", namespace: "n", allowed: true };

/** Two stores, and a read set that the policy allows. */
async function twoStoresWithReadSet() {
  const stores = await twoStores();
  const { version } = await stores.b.policy.set(RULE, STAMP);
  return {
    ...stores,
    readSet: { agentId: "x", policyVersion: version, namespaces: ["n"], removals: 0, memoryIds: [] },
  };
}

/** An action that runs until it is told to end. */
function longAction() {
  const begun = Promise.withResolvers<void>();
  const end = Promise.withResolvers<void>();
  const action = () => {
    begun.resolve();
    return end.promise;
  };
  return { action, begun: begun.promise, end: end.resolve };
}

describe("two stores on one PostgreSQL", () => {
  test("read each other's commits at once", async () => {
    const { a, b } = await twoStores();
    const cursor = await b.changeFeed.since(BEGINNING);
    await a.memories.add(memoryOf("from a"));
    const { version } = await a.policy.set(RULE, STAMP);
    const snapshot = await readChanges(b.changeFeed, cursor);
    expect(snapshot.changes).toMatchObject([{ kind: "captured", sequence: 1, namespace: "n", content: "from a" }]);
    expect(snapshot).toMatchObject({ position: 1, policyVersion: version });
    expect(snapshot.policy).toMatchObject({ kind: "changes", changes: [{ agentId: "x", namespace: "n", to: true }] });
  });

  test("number memories without gaps in the order of commits, so that a reader of the feed misses none", async () => {
    const { a, b } = await twoStores();
    const writes = Array.from({ length: 600 }, (_, i) => memoryOf(String(i)));
    let isWritten = false;
    const written = Promise.all(
      [a, b].map(async (records, which) => {
        // In groups, so that the commits of the two stores alternate. In each group one write fails, and its number must
        // not be lost.
        const mine = writes.filter((_, i) => i % 2 === which);
        for (let i = 0; i < mine.length; i += 5) {
          const batch = mine.slice(i, i + 5).map((memory) => records.memories.add(memory));
          const twice = records.memories.add({ ...(mine[i] as (typeof mine)[number]), contentDigest: "another fact" });
          await expect(twice).rejects.toMatchObject({ code: "records-unavailable" });
          await Promise.all(batch);
        }
      }),
    ).finally(() => {
      isWritten = true;
    });

    async function follow(records: RecordStore): Promise<number[]> {
      const sequences: number[] = [];
      for (let cursor = BEGINNING; ; ) {
        const wasWritten = isWritten;
        const snapshot = await readChanges(records.changeFeed, cursor);
        sequences.push(...snapshot.changes.map(({ sequence }) => sequence));
        expect(snapshot.position).toBe(sequences.at(-1) ?? 0);
        if (wasWritten) return sequences;
        cursor = snapshot;
      }
    }

    const readers = await Promise.all([follow(a), follow(b), follow(a)]);
    await written;
    const all = writes.map((_, i) => i + 1);
    for (const sequences of readers) expect(sequences).toEqual(all);
  });

  test("pin at once, and no namespace has more pinned memories than the limit", async () => {
    const { a, b } = await twoStores();
    const memories = Array.from({ length: 12 }, (_, i) => memoryOf(`fact ${i}`));
    for (const memory of memories) await a.memories.add(memory);
    const outcomes = await Promise.all(
      memories.map(({ memoryId }, i) =>
        (i % 2 === 0 ? a : b).memories.setPinned({ memoryId, pinned: true, limit: 5 }, STAMP),
      ),
    );
    expect(outcomes.filter(({ kind }) => kind === "set")).toHaveLength(5);
    const { changes } = await readChanges(b.changeFeed);
    expect(changes.map(({ sequence }) => sequence)).toEqual(Array.from({ length: 17 }, (_, i) => i + 1));
    expect(changes.filter(({ kind }) => kind === "pinned")).toHaveLength(5);
  });

  test("reset while the other captures: every memory is forgotten, and none twice", async () => {
    const { a, b } = await twoStores();
    const cursor = await b.changeFeed.since(BEGINNING);
    const captures = Promise.all(Array.from({ length: 200 }, (_, i) => a.memories.add(memoryOf(String(i)))));
    for (let i = 0; i < 5; i += 1) await b.reset([memoryOf("seed")], {}, STAMP);
    await captures;
    await b.reset([], {}, STAMP);
    const { changes, position } = await readChanges(a.changeFeed, cursor);
    // The feed no longer has the capture of a forgotten memory. So each change names two sequences, and together they
    // are all.
    const sequences = changes.flatMap((change) =>
      change.kind === "forgotten" ? [change.sequence, change.captured] : [change.sequence],
    );
    expect(changes).toHaveLength(205);
    expect(sequences.sort((x, y) => x - y)).toEqual(Array.from({ length: position }, (_, i) => i + 1));
  });

  test("forget, correct, sweep and reset at once, and none waits for another for ever", async () => {
    const { a, b } = await twoStores();
    const past = "2001-01-01T00:00:00.000Z";
    const rounds = Array.from({ length: 4 }, async (_, i) => {
      const records = i % 2 === 0 ? a : b;
      for (let round = 0; round < 3; round += 1) {
        const { memoryId } = await records.memories.add(memoryOf("fact"));
        await Promise.all([
          records.memories.add(memoryOf("keyed", { key: "k" })),
          records.memories.add(memoryOf("expired", { expiresAt: past })),
          records.memories.forget({ memoryIds: [memoryId], cause: "forgotten" }, STAMP),
          records.policy.set({ ...RULE, allowed: round % 2 === 0 }, STAMP),
          i < 2 ? records.reset([memoryOf("seed")], {}, STAMP) : records.memories.forgetExpired(5),
        ]);
        expect((await records.memories.tombstone(memoryId))?.tombstone.cause).toMatch(/^(forgotten|reset)$/);
      }
    });
    await Promise.all(rounds);
    await a.reset([], {}, STAMP);
    const { changes, position } = await readChanges(b.changeFeed);
    const numbers = changes.flatMap((each) => (each.kind === "forgotten" ? [each.sequence, each.captured] : [-1]));
    expect(numbers.sort((x, y) => x - y)).toEqual(Array.from({ length: position }, (_, i) => i + 1));
  });

  test("a forgetting in one does not wait in a circle with a reset in the other", async () => {
    const { database, a, b } = await twoStores();
    const { memoryId } = await a.memories.add(memoryOf("fact"));
    const holder = new Client({ connectionString: database.url });
    await holder.connect();
    onTestFinished(() => holder.end());
    // The reset waits for the memories, and then takes the fence. A forgetting that came now would take the fence first.
    await holder.query("BEGIN; SELECT FROM portcullis.counters WHERE name = 'memory' FOR UPDATE");
    const waiting = (count: number) =>
      waitFor(async () => {
        const text = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
        expect(await database.run(text)).toHaveLength(count);
      });
    const resetting = b.reset([], {}, STAMP);
    await waiting(1);
    const forgetting = a.memories.forget({ memoryIds: [memoryId], cause: "forgotten" }, STAMP);
    await waiting(2);
    await holder.query("COMMIT");
    await resetting;
    expect(await forgetting).toEqual([]);
  });

  test("a reset forgets a memory whose capture was not committed when the reset began", async () => {
    const { database, a } = await twoStores();
    const other = new Client({ connectionString: database.url });
    await other.connect();
    onTestFinished(() => other.end());
    // The capture of another replica: it has its number and is not committed.
    await other.query(`BEGIN; UPDATE portcullis.counters SET value = 1 WHERE name = 'memory';
      INSERT INTO portcullis.memories (tenant, sequence, memory_id, store_ref, namespace, content, source_agent, created_at, content_digest, fact_hash)
        VALUES (1, 1, 'mem_other', 'ref', 'n', 'content', 's', 'at', 'd', 'f')`);
    const resetting = a.reset([], {}, STAMP);
    await waitFor(async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(await database.run(waiting)).toHaveLength(1);
    });
    await other.query("COMMIT");
    await resetting;
    expect(await a.memories.find("mem_other")).toBeUndefined();
    const { changes, position } = await readChanges(a.changeFeed);
    expect(changes).toEqual([{ kind: "forgotten", sequence: 2, namespace: "n", captured: 1, memoryId: "mem_other" }]);
    expect(position).toBe(2);
  });

  const revokes: [string, (records: RecordStore) => Promise<unknown>][] = [
    ["revoke", (records) => records.policy.set({ ...RULE, allowed: false }, STAMP)],
    ["reset", (records) => records.reset([], {}, STAMP)],
  ];
  test.each(revokes)(
    "a %s in one waits for an action in the other, and lets nothing older pass afterwards",
    async (_, revoke) => {
      const { database, a, b, readSet } = await twoStoresWithReadSet();
      const { action, begun, end } = longAction();
      let isRevoked = false;
      const acting = a.policy.passFence(readSet, action);
      await begun;
      const revoking = revoke(b).then(() => {
        isRevoked = true;
      });
      await waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
      // A later action waits behind the revoke.
      const late = a.policy.passFence(readSet, () => undefined);
      await waitFor(async () => expect(await waitingForLocks(database)).toBe(2));
      expect(isRevoked).toBe(false);
      end();
      expect(await acting).toBe(true);
      await revoking;
      expect(await late).toBe(false);
      expect(await a.policy.passFence(readSet, () => undefined)).toBe(false);
    },
  );

  test("no action begins while a revoke waits, however many actions come", async () => {
    const { database, a, b, readSet } = await twoStoresWithReadSet();
    let begun = 0;
    const loops = Array.from({ length: 40 }, async () => {
      const action = () => {
        begun += 1;
        return new Promise<void>((resolve) => setImmediate(resolve));
      };
      while (await a.policy.passFence(readSet, action));
    });
    await waitFor(() => expect(begun).toBeGreaterThan(200));
    const long = longAction();
    const holding = a.policy.passFence(readSet, long.action);
    await long.begun;
    const revoking = b.policy.set({ ...RULE, allowed: false }, STAMP);
    // The revoke waits, and behind it the next batch of actions. All actions of earlier batches have begun.
    await waitFor(async () => expect(await waitingForLocks(database)).toBe(2));
    const before = begun;
    long.end();
    await Promise.all([holding, revoking, ...loops]);
    expect(begun).toBe(before);
  });

  test("notify each other of changes of the policy, also after the listening connection was lost", async () => {
    const { database, a, b } = await twoStores();
    let calls = 0;
    a.policy.onChange(() => {
      calls += 1;
    });
    const listening = () =>
      database.run("SELECT FROM pg_stat_activity WHERE datname = current_database() AND query LIKE 'LISTEN%'");
    await waitFor(() => expect(calls).toBeGreaterThan(0));
    let before = calls;
    await b.policy.set(RULE, STAMP);
    await waitFor(() => expect(calls).toBeGreaterThan(before));

    before = calls;
    await endSessions(database);
    // It listens again, and calls the listener because it may have missed a change.
    await waitFor(() => expect(calls).toBeGreaterThan(before));
    await waitFor(async () => expect(await listening()).toHaveLength(1));
    before = calls;
    await b.policy.set({ ...RULE, allowed: false }, STAMP);
    await waitFor(() => expect(calls).toBeGreaterThan(before));
  });

  test("run one job of a lock at a time, and the next one begins when the session of the first is gone", async () => {
    const { database, a, b } = await twoStores();
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<string>();
    const first = a.locks.exclusively("anchoring", () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    const second = b.locks.exclusively("anchoring", async () => "second");
    await waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
    await endSessionsHoldingLocks(database);
    expect(await second).toBe("second");
    end.resolve("first");
    expect(await first).toBe("first");
    expect(await a.locks.exclusively("anchoring", async () => "third")).toBe("third");
  });
});
