// The recall index of a service that restarts, with snapshots in a real folder.
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { snapshotFolder } from "#adapters/index-snapshots/snapshot-folder.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { RecordStore, SnapshotFiles } from "#ports.ts";
import { embedLetters } from "#test/support/arbitraries.ts";
import { recallGate } from "#test/support/recall-gate.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const TABLE = "letters";
const LAST = { isLast: true };
/** Enough for a snapshot. */
const MANY = 600;
const QUESTIONS = ["peanut of day 3", "walnut", "zucchini", "what do you know about me?"];

export function indexSnapshotSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  let folder: string;
  beforeEach(async () => {
    folder = join(await mkdtemp(join(tmpdir(), "index-")), "snapshots");
    await store.records.policy.set({ agentId: "a", namespace: "n", allowed: true }, STAMP);
  });
  afterEach(() => rm(join(folder, ".."), { recursive: true }));

  const files = () => readdir(folder).catch(() => []);
  const pathOfOnly = async () => join(folder, (await files())[0] ?? "");

  /** A gate as a process has it after its start, and what of its index came from snapshots. */
  async function start({ records = store.records, table = TABLE, ...rest }: StartOptions = {}) {
    const failures: unknown[] = [];
    const snapshots = {
      files: rest.files ?? snapshotFolder({ folder }),
      table,
      onFailure: (e: unknown) => failures.push(e),
    };
    const gate = recallGate(records, { limit: 12, embed: embedLetters, snapshots });
    return { gate, loaded: await gate.index.build(), failures };
  }
  type Gate = Awaited<ReturnType<typeof start>>["gate"];

  const capture = (count: number, { namespace = "n", text = "peanut of day" } = {}) =>
    Promise.all(
      Array.from({ length: count }, (_, i) => store.records.memories.add(newMemory(`${text} ${i}`, { namespace }))),
    );
  async function pinned(memory: Memory): Promise<void> {
    await store.records.memories.add(memory);
    await store.records.memories.setPinned({ memoryId: memory.memoryId, pinned: true, limit: 6 }, STAMP);
  }
  const answersOf = (gate: Gate) => Promise.all(QUESTIONS.map((question) => gate.recall("a", question)));

  /** The gate answers like one that built its index from the records alone. */
  async function expectRebuilt(gate: Gate): Promise<void> {
    const built = recallGate(store.records, { limit: 12, embed: embedLetters });
    await built.index.build();
    expect(await answersOf(gate)).toEqual(await answersOf(built));
    expect(gate.index.state().memories).toEqual(built.index.state().memories);
  }

  async function savedOnce(count = MANY): Promise<void> {
    const { gate } = await start();
    await capture(count);
    await gate.index.catchUp();
    await gate.index.saveSnapshots(LAST);
    expect(await files()).toHaveLength(1);
  }

  test("a restart loads it, reads the changes since, and gives what the records give", async () => {
    await pinned(newMemory("a pinned chestnut"));
    await savedOnce();
    await capture(3, { text: "walnut" });
    await pinned(newMemory("a pinned hazelnut"));
    await store.restart();
    const { gate, loaded } = await start();
    expect(loaded).toMatchObject({ namespaces: 1, memories: MANY + 1 });
    expect((await gate.recall("a", "peanut")).memories.slice(0, 2)).toMatchObject([
      { content: "a pinned hazelnut" },
      { content: "a pinned chestnut" },
    ]);
    await expectRebuilt(gate);
    await capture(5, { text: "zucchini" });
    await expectRebuilt(gate);
  });

  test("is not made of a few memories, and made again after many more", async () => {
    const { gate } = await start();
    await capture(100);
    await gate.index.catchUp();
    await gate.index.saveSnapshots(LAST);
    expect(await files()).toEqual([]);
    await capture(MANY);
    await gate.index.catchUp();
    await gate.index.saveSnapshots();
    expect(await files()).toEqual([]);
    await gate.index.saveSnapshots(LAST);
    expect(await files()).toHaveLength(1);
    const before = await readFile(await pathOfOnly());
    await capture(MANY);
    await gate.index.catchUp();
    await gate.index.saveSnapshots(LAST);
    expect((await readFile(await pathOfOnly())).length).toBeGreaterThan(before.length);
    expect((await start()).loaded).toMatchObject({ memories: 2 * MANY + 100 });
  });

  test("tells no namespace by its file's name", async () => {
    await savedOnce();
    expect(await files()).toEqual([expect.stringMatching(/^[0-9a-f]{64}\.snapshot$/)]);
  });

  test("does not hold the words of a forgotten memory once it is made again", async () => {
    await capture(1, { text: "zucchini" });
    await savedOnce();
    expect((await readFile(await pathOfOnly())).includes("zucchini")).toBe(true);
    const { gate } = await start();
    const keep = Array.from({ length: MANY }, (_, i) => newMemory(`peanut again ${i}`));
    await store.records.reset(keep, policyFrom([{ agentId: "a", namespace: "n", allowed: true }]), STAMP);
    await gate.index.catchUp();
    await gate.index.saveSnapshots();
    expect((await readFile(await pathOfOnly())).includes("zucchini")).toBe(false);
    const restarted = await start();
    expect(restarted.loaded).toMatchObject({ memories: MANY });
    await expectRebuilt(restarted.gate);
  });

  test("is removed when its namespace is empty, by the process itself or by the next one", async () => {
    await savedOnce();
    const { gate } = await start();
    await store.records.reset([], policyFrom([]), STAMP);
    await gate.index.catchUp();
    await gate.index.saveSnapshots();
    expect(await files()).toEqual([]);
    expect(await store.records.snapshots.all()).toEqual(new Map());
    await savedOnce();
    await store.records.reset([], policyFrom([]), STAMP);
    expect((await start()).loaded).toMatchObject({ namespaces: 0 });
    expect(await files()).toEqual([]);
    expect(await store.records.snapshots.all()).toEqual(new Map());
  });

  describe("that must not be used is removed, and the index is built from the records:", () => {
    test("one that the records do not vouch for, as after a backup was restored", async () => {
      await savedOnce();
      await store.records.snapshots.remove("n");
      const { gate, loaded } = await start();
      expect(loaded).toMatchObject({ namespaces: 0 });
      expect(await files()).toEqual([]);
      await expectRebuilt(gate);
    });

    test("one that was damaged", async () => {
      await savedOnce();
      const path = await pathOfOnly();
      const content = await readFile(path);
      content[content.length - 3] = (content.at(-3) ?? 0) ^ 1;
      await writeFile(path, content);
      const { gate, loaded } = await start();
      expect(loaded).toMatchObject({ namespaces: 0 });
      expect(await files()).toEqual([]);
      await expectRebuilt(gate);
    });

    test("one that was made with another table of word vectors", async () => {
      await savedOnce();
      const { gate, loaded } = await start({ table: "another" });
      expect(loaded).toMatchObject({ namespaces: 0 });
      await expectRebuilt(gate);
    });

    test("one of another namespace under this one's name", async () => {
      await store.records.policy.set({ agentId: "a", namespace: "m", allowed: true }, STAMP);
      await savedOnce();
      const path = await pathOfOnly();
      const { gate } = await start();
      await capture(MANY, { namespace: "m", text: "walnut" });
      await gate.index.catchUp();
      await gate.index.saveSnapshots(LAST);
      const other = join(folder, (await files()).find((file) => join(folder, file) !== path) ?? "");
      await writeFile(path, await readFile(other));
      const digests = (await store.records.snapshots.all()).get("m") ?? new Set();
      for (const digest of digests) await store.records.snapshots.add("n", digest);
      const restarted = await start();
      expect(restarted.loaded).toMatchObject({ namespaces: 1 });
      await expectRebuilt(restarted.gate);
    });

    test("one whose memories are not as many as the records have", async () => {
      await capture(1);
      await savedOnce();
      // These records give the right history, but say that there is one memory more.
      const { changeFeed } = store.records;
      const since: typeof changeFeed.since = async (cursor) => {
        const snapshot = await changeFeed.since(cursor);
        return { ...snapshot, heads: snapshot.heads.map((head) => ({ ...head, memories: head.memories + 1 })) };
      };
      const { gate, loaded } = await start({ records: { ...store.records, changeFeed: { ...changeFeed, since } } });
      expect(loaded).toMatchObject({ namespaces: 0, memories: 0 });
      await expectRebuilt(gate);
    });
  });

  test("that cannot be read or written is reported once, and changes nothing else", async () => {
    await savedOnce();
    const broken = () => Promise.reject(Object.assign(new Error("no"), { code: "EIO" }));
    const unreadable = { ...snapshotFolder({ folder }), read: broken, write: broken, remove: broken };
    const { gate, loaded, failures } = await start({ files: unreadable });
    expect(loaded).toMatchObject({ namespaces: 0 });
    await expectRebuilt(gate);
    for (let i = 0; i < 3; i++) await gate.index.saveSnapshots(LAST);
    expect(failures).toHaveLength(1);
    await expectRebuilt(gate);
  });
}

interface StartOptions {
  readonly records?: RecordStore;
  readonly table?: string;
  readonly files?: SnapshotFiles;
}
