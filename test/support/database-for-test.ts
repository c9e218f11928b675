import { onTestFinished } from "vitest";
import { databaseWithSchema, type TestDatabase } from "./postgres/databases.ts";

/** A new PostgreSQL database for one test, with the current schema, dropped when the test ends. */
export async function databaseForTest(): Promise<TestDatabase> {
  const database = await databaseWithSchema();
  onTestFinished(database.drop);
  return database;
}
