// Databases for tests, on the PostgreSQL of the test run.
import { randomBytes, randomUUID } from "node:crypto";
import { inject } from "vitest";
import { askLate } from "#test/support/late-answer.ts";
import { EMPTY, TEMPLATE, withClient } from "./template.ts";

export interface TestDatabase {
  readonly url: string;
  /** Runs one statement, on a connection of its own. */
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** A new and empty database, on the server of the test run or on that of the URL. */
export async function freshDatabase(server?: string): Promise<TestDatabase> {
  return createDatabase(server ?? (await serverOfRun()), EMPTY);
}

/** A new database without records, which has the current schema already. For tests that are not about migrations. */
export async function databaseWithSchema(): Promise<TestDatabase> {
  const database = await createDatabase(await serverOfRun(), `TEMPLATE ${TEMPLATE}`);
  // Each database begins its chain at random.
  await database.run("UPDATE portcullis.policy_links SET link = $1", [randomBytes(32).toString("hex")]);
  return database;
}

async function createDatabase(admin: string, origin: string): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
  await runOn(admin, `CREATE DATABASE ${name} ${origin}`);
  return {
    url,
    run: (text, values) => runOn(url, text, values),
    drop: async () => void (await runOn(admin, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

const serverOfRun = (): Promise<string> => askLate(inject("postgresStarter"));

function runOn(url: string, text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query(text, [...values])).rows);
}
