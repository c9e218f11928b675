import { expect, onTestFinished, test } from "vitest";
import { connectTo } from "#adapters/records/postgres/connection/database.ts";
import { QUESTIONS_AT_ONCE, questionStatements } from "#adapters/records/shared/receipts/questions.ts";
import { forTenant, type Statement } from "#adapters/records/shared/sql/database.ts";
import { DEFAULT_TENANT } from "#core/identity/tenant.ts";
import { newMemory, receipt } from "#test/suites/records/samples.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { storeForTest } from "./fixture.ts";

test("the questions of a memory are dropped in steps, before the memory is forgotten, and no others", async () => {
  const database = await databaseForTest();
  const { memories, receipts } = await storeForTest(database.url);
  const [popular, other] = [await memories.add(newMemory("popular")), await memories.add(newMemory("other"))];
  const ask = (i: number, memoryId: string) =>
    receipts.add(receipt(i, { memoryIds: [memoryId], question: { text: "What is for dinner?", encrypted: false } }));
  const steps = 3;
  await ask(0, other.memoryId);
  // All that the server knows of these tables is that they have a row.
  await database.run("VACUUM ANALYZE portcullis.kept_questions");
  await database.run("VACUUM ANALYZE portcullis.memory_uses");
  await Promise.all(Array.from({ length: steps * QUESTIONS_AT_ONCE }, (_, i) => ask(i + 1, popular.memoryId)));

  const opened = connectTo(database.url, 1);
  const connections = forTenant(opened, DEFAULT_TENANT.number);
  onTestFinished(() => opened.close());
  const dropped: number[] = [];
  const reserve = {
    ...connections.reserve,
    async change<Row>(statement: Statement<Row>) {
      const rows = await connections.change(statement);
      dropped.push(rows.length);
      return rows;
    },
  };
  await questionStatements.dropMost({ ...connections, reserve }, [popular.memoryId]);
  expect(dropped).toEqual([...Array(steps).fill(QUESTIONS_AT_ONCE), 0]);
  const left = await database.run("SELECT answer_id FROM portcullis.kept_questions");
  expect(left).toEqual([{ answer_id: receipt(0).answerId }]);
  expect(await memories.find(popular.memoryId)).toBeDefined();
});
