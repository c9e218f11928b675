// Databases for tests, on the PostgreSQL of the test run.
import { randomBytes, randomUUID } from "node:crypto";
import { Client } from "pg";
import { inject } from "vitest";
import { askLate } from "#test/support/late-answer.ts";
import { EMPTY, TEMPLATE, withClient } from "./template.ts";

/** File by file: page by page through the log, as is usual, takes twice the CPU time. */
const COPY = `TEMPLATE ${TEMPLATE} STRATEGY FILE_COPY`;

export interface TestDatabase {
  readonly url: string;
  /** Runs one statement, on a connection of its own. */
  run(text: string, values?: readonly unknown[]): Promise<Record<string, unknown>[]>;
  drop(): Promise<void>;
}

/** A new and empty database, on the server of the test run or on that of the URL. */
export async function freshDatabase(server?: string): Promise<TestDatabase> {
  if (server === undefined) return createOnServerOfRun(EMPTY);
  return createDatabase(server, EMPTY, (text) => runOn(server, text));
}

/** A new database without records, which has the current schema already. For tests that are not about migrations. */
export async function databaseWithSchema(): Promise<TestDatabase> {
  const database = await createOnServerOfRun(COPY);
  await database.run(newChain());
  return database;
}

/** In each database, the chains of tenants without changes begin at random. */
const newChain = () => `UPDATE portcullis.policy_chain AS one SET chain_hash = '${randomBytes(32).toString("hex")}'
  WHERE NOT EXISTS (SELECT FROM portcullis.policy_chain AS another WHERE another.tenant = one.tenant AND version > 0)`;

/** To connect takes a fifth of the time of a new database. So what is said to the server of the run has one connection. */
let lasting: Promise<Client> | undefined;

async function createOnServerOfRun(origin: string): Promise<TestDatabase> {
  const server = await serverOfRun();
  return createDatabase(server, origin, async (text) => {
    lasting ??= lastingClient(server);
    await (await lasting).query(text);
  });
}

type RunOnServer = (text: string) => Promise<unknown>;

async function createDatabase(server: string, origin: string, runOnServer: RunOnServer): Promise<TestDatabase> {
  const name = `test_${randomUUID().replaceAll("-", "")}`;
  const url = Object.assign(new URL(server), { pathname: `/${name}` }).href;
  await runOnServer(`CREATE DATABASE ${name} ${origin}`);
  return {
    url,
    run: (text, values) => runOn(url, text, values),
    drop: async () => void (await runOnServer(`DROP DATABASE ${name} WITH (FORCE)`)),
  };
}

const serverOfRun = (): Promise<string> => askLate(inject("postgresStarter"));

/** A connection that ends with this process, and does not keep it. */
async function lastingClient(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  // The server stops at the end of the run. A query that fails before says so itself.
  client.on("error", () => undefined);
  await client.connect();
  // Not in the types of pg.
  (client as Client & { unref(): void }).unref();
  return client;
}

function runOn(url: string, text: string, values: readonly unknown[] = []): Promise<Record<string, unknown>[]> {
  return withClient(url, async (client) => (await client.query(text, [...values])).rows);
}
