import { onTestFinished } from "vitest";
import { freshDatabase, type TestDatabase } from "./postgres/databases.ts";

/** A new PostgreSQL database for one test, dropped when the test ends. */
export async function databaseForTest(): Promise<TestDatabase> {
  const database = await freshDatabase();
  onTestFinished(database.drop);
  return database;
}
