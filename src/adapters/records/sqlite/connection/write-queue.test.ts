import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
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
