import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { rowReader } from "./row-reader.ts";

function databaseForTest() {
  const database = new DatabaseSync(":memory:");
  onTestFinished(() => database.close());
  let failures = 0;
  database.function("checked", (value) => {
    if (failures === 0) return value;
    failures -= 1;
    throw new Error("the disk failed");
  });
  return {
    database,
    failOnce() {
      failures = 1;
    },
  };
}

describe("the rows of a statement", () => {
  test("can be read again after a failure, which is reported once", () => {
    const { database, failOnce } = databaseForTest();
    const read = rowReader(database, "SELECT checked(value) AS value FROM json_each(:list)");
    const values = { list: "[1, 2]" };
    failOnce();
    expect(() => [...read(values)]).toThrow("the disk failed");
    expect([...read(values)]).toEqual([{ value: 1 }, { value: 2 }]);
  });

  test("can be read again after a reader has stopped early, or thrown", () => {
    const { database } = databaseForTest();
    const read = rowReader(database, "SELECT value FROM json_each(:list)");
    const values = { list: "[1, 2]" };
    for (const row of read(values)) {
      expect(row).toEqual({ value: 1 });
      break;
    }
    expect(() => {
      for (const _ of read(values)) throw new Error("the reader failed");
    }).toThrow("the reader failed");
    expect([...read(values)]).toHaveLength(2);
  });
});
