// Databases for tests, on the PostgreSQL of the test run.
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

export interface TestDatabase {
  readonly url: string;
  /** Runs one statement, on a connection of its own. */
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** A new and empty database, on the server of the test run or on that of the URL. */
export async function freshDatabase(server?: string): Promise<TestDatabase> {
  const admin = server ?? (await serverOfRun());
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
  // Its collation is that of English and not of bytes, so that tests find a column that lacks its own collation.
  const collation = "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'";
  await runOn(admin, `CREATE DATABASE ${name} TEMPLATE template0 ${collation}`);
  return {
    url,
    run: (text, values) => runOn(url, text, values),
    drop: async () => void (await runOn(admin, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

async function serverOfRun(): Promise<string> {
  const response = await fetch(inject("postgresStarter"));
  const text = await response.text();
  if (!response.ok) throw new Error(text);
  return text;
}

async function runOn(url: string, text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text, [...values])).rows;
  } finally {
    await client.end();
  }
}
