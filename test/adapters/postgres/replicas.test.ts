// Two stores on one database, as two replicas of the service have them.
import { Client } from "pg";
import { describe, expect, it, onTestFinished, vi } from "vitest";
import type { RecordStore, Snapshot } from "#ports.ts";
import { databaseForTest, endSessions, memoryOf, STAMP, storeForTest, waitingForLocks } from "./fixture.ts";

async function twoStores() {
  const database = await databaseForTest();
  return { database, a: await storeForTest(database.url), b: await storeForTest(database.url) };
}

const open = { agentId: "x", namespace: "n", allowed: true };

describe("two stores on one PostgreSQL", () => {
  it("see each other's commits at once", async () => {
    const { a, b } = await twoStores();
    const known = await b.changeFeed.since({ position: 0, policyVersion: 0 });
    await a.memories.add(memoryOf("from a"));
    const { version } = await a.policy.set(open, STAMP);
    const seen = await b.changeFeed.since(known);
    expect(seen.changes).toEqual([{ kind: "captured", sequence: 1, namespace: "n", content: "from a" }]);
    expect(seen).toMatchObject({ position: 1, complete: true, policyVersion: version, policy: { x: { n: true } } });
  });

  it("number memories without gaps in the order of commits: a reader that follows misses none", async () => {
    const { a, b } = await twoStores();
    const writes = Array.from({ length: 600 }, (_, i) => memoryOf(String(i)));
    let isWritten = false;
    const written = Promise.all(
      [a, b].map(async (records, which) => {
        // Some at a time, so that the two stores' commits alternate, and some that fail, whose numbers must not be lost.
        const mine = writes.filter((_, i) => i % 2 === which);
        for (let i = 0; i < mine.length; i += 5) {
          const batch = mine.slice(i, i + 5).map((memory) => records.memories.add(memory));
          const twice = records.memories.add(mine[i] as (typeof mine)[number]);
          await expect(twice).rejects.toMatchObject({ code: "records-unavailable" });
          await Promise.all(batch);
        }
      }),
    ).finally(() => {
      isWritten = true;
    });

    async function follow(records: RecordStore): Promise<number[]> {
      const sequences: number[] = [];
      for (let known = { position: 0, policyVersion: 0 }; ; ) {
        const wasWritten = isWritten;
        const snapshot: Snapshot = await records.changeFeed.since(known);
        sequences.push(...snapshot.changes.map(({ sequence }) => sequence));
        expect(snapshot.position).toBe(sequences.at(-1) ?? 0);
        if (wasWritten && snapshot.complete) return sequences;
        known = snapshot;
      }
    }

    const readers = await Promise.all([follow(a), follow(b), follow(a)]);
    await written;
    const all = writes.map((_, i) => i + 1);
    for (const sequences of readers) expect(sequences).toEqual(all);
  });

  it("forget what another has just captured, and nothing twice", async () => {
    const { a, b } = await twoStores();
    const follower = await b.changeFeed.since({ position: 0, policyVersion: 0 });
    const captures = Promise.all(Array.from({ length: 200 }, (_, i) => a.memories.add(memoryOf(String(i)))));
    for (let i = 0; i < 5; i += 1) await b.reset([memoryOf("seed")], {}, STAMP);
    await captures;
    await b.reset([], {}, STAMP);
    const { changes, position } = await a.changeFeed.since(follower);
    // What was forgotten is no longer told as captured, so each change names two places, and together they are all.
    const places = changes.flatMap((change) =>
      change.kind === "forgotten" ? [change.sequence, change.captured] : [change.sequence],
    );
    expect(changes).toHaveLength(205);
    expect(places.sort((x, y) => x - y)).toEqual(Array.from({ length: position }, (_, i) => i + 1));
  });

  it("forget what was being captured when the reset began", async () => {
    const { database, a } = await twoStores();
    const other = new Client({ connectionString: database.url });
    await other.connect();
    onTestFinished(() => other.end());
    // Another replica's capture, which has its number and is not committed yet.
    await other.query(`BEGIN; UPDATE portcullis.counters SET value = 1 WHERE name = 'memory';
      INSERT INTO portcullis.memories VALUES (1, 'mem_other', 'ref', 'n', 'content', 's', 'at', 'd')`);
    const resetting = a.reset([], {}, STAMP);
    await vi.waitFor(async () => {
      const waiting = `SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'`;
      expect(await database.run(waiting)).toHaveLength(1);
    });
    await other.query("COMMIT");
    await resetting;
    expect(await a.memories.find("mem_other")).toBeUndefined();
    const { changes, position } = await a.changeFeed.since({ position: 0, policyVersion: 0 });
    expect(changes).toEqual([{ kind: "forgotten", sequence: 2, namespace: "n", captured: 1 }]);
    expect(position).toBe(2);
  });

  const revokes: [string, (records: RecordStore) => Promise<unknown>][] = [
    ["revoke", (records) => records.policy.set({ ...open, allowed: false }, STAMP)],
    ["reset", (records) => records.reset([], {}, STAMP)],
  ];
  it.each(revokes)(
    "hold a %s back until an act has ended, and let nothing older pass afterwards",
    async (_, revoke) => {
      const { database, a, b } = await twoStores();
      const { version } = await b.policy.set(open, STAMP);
      const sight = { agentId: "x", policyVersion: version, namespaces: ["n"] };
      const begun = Promise.withResolvers<void>();
      const end = Promise.withResolvers<void>();
      let isRevoked = false;
      const acting = a.policy.passFence(sight, () => {
        begun.resolve();
        return end.promise;
      });
      await begun.promise;
      const revoking = revoke(b).then(() => {
        isRevoked = true;
      });
      await vi.waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
      // It waits, and whoever comes now waits behind it.
      const late = a.policy.passFence(sight, () => undefined);
      await vi.waitFor(async () => expect(await waitingForLocks(database)).toBe(2));
      expect(isRevoked).toBe(false);
      end.resolve();
      expect(await acting).toBe(true);
      await revoking;
      expect(await late).toBe(false);
      expect(await a.policy.passFence(sight, () => undefined)).toBe(false);
    },
  );

  it("let no act begin once a revoke waits, however many come", async () => {
    const { database, a, b } = await twoStores();
    const { version } = await b.policy.set(open, STAMP);
    const sight = { agentId: "x", policyVersion: version, namespaces: ["n"] };
    let begun = 0;
    const loops = Array.from({ length: 40 }, async () => {
      const act = () => {
        begun += 1;
        return new Promise<void>((resolve) => setImmediate(resolve));
      };
      while (await a.policy.passFence(sight, act));
    });
    await vi.waitFor(() => expect(begun).toBeGreaterThan(200));
    const end = Promise.withResolvers<void>();
    const held = Promise.withResolvers<void>();
    const holding = a.policy.passFence(sight, () => {
      held.resolve();
      return end.promise;
    });
    await held.promise;
    const revoking = b.policy.set({ ...open, allowed: false }, STAMP);
    // The revoke, and behind it the next batch of acts: all that were let through before have begun.
    await vi.waitFor(async () => expect(await waitingForLocks(database)).toBe(2));
    const before = begun;
    end.resolve();
    await Promise.all([holding, revoking, ...loops]);
    expect(begun).toBe(before);
  });

  it("tell each other of changes, also after the connection that listens was lost", async () => {
    const { database, a, b } = await twoStores();
    let told = 0;
    a.policy.onChange(() => {
      told += 1;
    });
    const listens = () => database.run(`SELECT FROM pg_stat_activity WHERE query LIKE 'LISTEN%'`);
    await vi.waitFor(() => expect(told).toBeGreaterThan(0));
    let before = told;
    await b.policy.set(open, STAMP);
    await vi.waitFor(() => expect(told).toBeGreaterThan(before));

    before = told;
    await endSessions(database);
    // It listens again, and has told that something may have been missed.
    await vi.waitFor(() => expect(told).toBeGreaterThan(before), { timeout: 10_000 });
    expect(await listens()).toHaveLength(1);
    before = told;
    await b.policy.set({ ...open, allowed: false }, STAMP);
    await vi.waitFor(() => expect(told).toBeGreaterThan(before));
  });

  it("run one job of a name at a time, and the next when the first one's process is gone", async () => {
    const { database, a, b } = await twoStores();
    const begun = Promise.withResolvers<void>();
    const end = Promise.withResolvers<string>();
    const first = a.locks.exclusively("anchoring", () => {
      begun.resolve();
      return end.promise;
    });
    await begun.promise;
    const second = b.locks.exclusively("anchoring", async () => "second");
    await vi.waitFor(async () => expect(await waitingForLocks(database)).toBe(1));
    await database.run(
      `SELECT pg_terminate_backend(pid) FROM pg_locks JOIN pg_database ON pg_database.oid = database
       WHERE locktype = 'advisory' AND granted AND datname = current_database()`,
    );
    expect(await second).toBe("second");
    end.resolve("first");
    expect(await first).toBe("first");
    expect(await a.locks.exclusively("anchoring", async () => "third")).toBe("third");
  });
});
