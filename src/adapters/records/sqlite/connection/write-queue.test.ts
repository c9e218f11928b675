import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createWriteQueue } from "./write-queue.ts";

test("what was written last is committed at once and alone, and the others in their order at the end of the turn", async () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE done (name TEXT)");
  const commits: number[] = [];
  const queue = createWriteQueue(database, { onCommit: (writes) => commits.push(writes) });
  const insert = database.prepare("INSERT INTO done VALUES (?)");
  const write = (name: string) => queue.write(() => void insert.run(name));
  const others = [write("answer"), write("receipt")];
  const urgent = write("revoke");
  queue.flushLast();
  expect(commits).toEqual([1]);
  await urgent;
  expect(commits).toEqual([1]);
  await Promise.all(others);
  expect(commits).toEqual([1, 2]);
  expect(database.prepare("SELECT name FROM done").all()).toEqual([
    { name: "revoke" },
    { name: "answer" },
    { name: "receipt" },
  ]);
});

describe("While several tenants are served", () => {
  const isShared = () => true;

  test("two writes go on in a turn of the event loop, and tenants take turns", async () => {
    const queue = createWriteQueue(new DatabaseSync(":memory:"), { isShared, now: () => 0 });
    const done: string[] = [];
    const write = (name: string, tenant: number) => queue.write(() => name, tenant).then(() => done.push(name));
    const all = [write("a1", 1), write("a2", 1), write("a3", 1), write("b1", 2)];
    const seen: string[] = [];
    while (done.length < all.length) {
      await new Promise((resolve) => setImmediate(resolve));
      seen.push(done.join(" "));
    }
    expect(seen.slice(-2)).toEqual(["a1 b1", "a1 b1 a2 a3"]);
  });

  test("a commit has no more writes than have time, and what one tenant wrote keeps its order", async () => {
    const commits: number[] = [];
    const onCommit = (writes: number) => commits.push(writes);
    let clock = 0;
    const queue = createWriteQueue(new DatabaseSync(":memory:"), { isShared, onCommit, now: () => clock });
    const ran: string[] = [];
    const write = (name: string, tenant: number, takesMs = 0) =>
      queue.write(() => {
        clock += takesMs;
        ran.push(name);
      }, tenant);
    await Promise.all([write("a1", 1), write("a2", 1, 2), write("a3", 1), write("b1", 2), write("b2", 2, 2)]);
    expect(ran).toEqual(["a1", "b1", "a2", "b2", "a3"]);
    expect(commits).toEqual([3, 1, 1]);
  });
});

test("one that fails in a commit of its own undoes nothing else", async () => {
  const database = new DatabaseSync(":memory:");
  const queue = createWriteQueue(database);
  const other = queue.write(() => "other");
  const failing = queue.write(() => {
    throw new Error("refused");
  });
  queue.flushLast();
  await expect(failing).rejects.toThrow("refused");
  expect(await other).toBe("other");
});
