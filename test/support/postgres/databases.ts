// Databases for tests, on the run's PostgreSQL.
import { randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";

export interface TestDatabase {
  readonly url: string;
  /** Runs one statement, outside of whatever is tested. */
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** A new and empty database. On the run's server, or on that of the URL. */
export async function freshDatabase(server?: string): Promise<TestDatabase> {
  const admin = server ?? (await runServer());
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = Object.assign(new URL(admin), { pathname: `/${name}` }).href;
  // Its own order is that of English and not of bytes: what must be in the order of bytes has to say so.
  const order = "ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'en-US' LOCALE 'C'";
  await runOn(admin, `CREATE DATABASE ${name} TEMPLATE template0 ${order}`);
  return {
    url,
    run: (text, values) => runOn(url, text, values),
    drop: async () => void (await runOn(admin, `DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

async function runServer(): Promise<string> {
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
