import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { receiptPages } from "#adapters/records/sqlite/pages/receipt-pages.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { receipt } from "#test/suites/records/samples.ts";
import { directoryForTest } from "#test/support/service.ts";

test("a page of receipts that could not be read is there the next time", async () => {
  const path = `${await directoryForTest()}/records.db`;
  const records = sqliteRecords({ path });
  await records.receipts.add(receipt(1));
  await records.close();
  const database = new DatabaseSync(path);
  onTestFinished(() => database.close());
  let isFailing = true;
  database.function("octet_length", (text) => {
    if (isFailing) throw new Error("the disk failed");
    return Buffer.byteLength(String(text));
  });
  const { page } = receiptPages(database);
  const query = { limit: 10, namespace: "diet", scan: 100 };
  expect(() => page(query)).toThrow("the disk failed");
  isFailing = false;
  expect(page(query)).toBeDefined();
});
