import { DatabaseSync } from "node:sqlite";
import { expect, test } from "vitest";
import { statementRunner } from "./sqlite-database.ts";

const NUMBERS = {
  text: "WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < $1) SELECT weigh(i) AS i FROM n",
};

function runnerFor(weigh: (i: number) => number) {
  const database = new DatabaseSync(":memory:");
  database.function("weigh", (i) => weigh(Number(i)));
  return statementRunner(database, () => new Date(0));
}

test("reads rows up to a budget, and at least one, and no further than the first one too many", () => {
  const read: number[] = [];
  const { runUpTo } = runnerFor((i) => {
    read.push(i);
    return i;
  });
  const upTo = (budget: number) => runUpTo<{ i: number }>({ ...NUMBERS, values: [9] }, budget, ({ i }) => i);
  expect(upTo(6)).toMatchObject({ taken: [{ i: 1 }, { i: 2 }, { i: 3 }], isCut: true });
  expect(read).toEqual([1, 2, 3, 4]);
  expect(upTo(0).taken).toHaveLength(1);
  expect(upTo(45)).toMatchObject({ taken: { length: 9 }, isCut: false });
});

test("rows up to a budget are what the statement reads them as", () => {
  const { run, runUpTo } = runnerFor((i) => i);
  const statement = { ...NUMBERS, values: [3], read: ({ i }: { i: number }) => 10 * i };
  expect(runUpTo(statement, 30, (found) => found).taken).toEqual([10, 20]);
  expect(run(statement)).toEqual([10, 20, 30]);
});

test("a read that failed is there the next time", () => {
  let isFailing = true;
  const { run, runUpTo } = runnerFor((i) => {
    if (isFailing) throw new Error("the disk failed");
    return i;
  });
  const statement = { ...NUMBERS, values: [2] };
  expect(() => runUpTo(statement, 100, () => 1)).toThrow("the disk failed");
  expect(() => run(statement)).toThrow("the disk failed");
  isFailing = false;
  expect(runUpTo(statement, 100, () => 1).taken).toHaveLength(2);
  expect(run(statement)).toHaveLength(2);
});

test("runs a statement once for each row of values", () => {
  const database = new DatabaseSync(":memory:");
  database.exec("CREATE TABLE counters (name TEXT, value INTEGER); INSERT INTO counters VALUES ('a', 0), ('b', 5)");
  const { run } = statementRunner(database, () => new Date(0));
  const text = "UPDATE counters SET value = value + $2 WHERE name = $1 RETURNING name, value";
  const rows = [
    { name: "a", value: 1 },
    { value: true, name: "b" },
    { name: "c", value: 1 },
  ];
  expect(run({ text, given: { names: ["name", "value"], rows } })).toEqual([
    { name: "a", value: 1 },
    { name: "b", value: 6 },
  ]);
  expect(
    run({
      text: "SELECT count(*) AS n FROM counters WHERE name IN (SELECT value FROM json_each($1))",
      values: [["a", "x"]],
    }),
  ).toEqual([{ n: 1 }]);
});

test("gives values to the places that name them, in any order and more than once", () => {
  const { run } = runnerFor((i) => i);
  expect(run({ text: "SELECT $2 AS b, $1 AS a, $2 || $1 AS ba", values: ["a", "b"] })).toEqual([
    { b: "b", a: "a", ba: "ba" },
  ]);
});
