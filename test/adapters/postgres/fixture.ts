// Databases and stores for one test. They are removed when it ends.
import { once } from "node:events";
import { type AddressInfo, createServer, type Socket, connect as tcpConnect } from "node:net";
import { onTestFinished } from "vitest";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import type { Memory } from "#core/memory.ts";
import type { RecordStore } from "#ports.ts";
import { databaseWithSchema, freshDatabase, type TestDatabase } from "#test/support/postgres/databases.ts";

export const STAMP = { by: "tester", at: "2026-01-02T03:04:05.678Z" };

/** A new database, on the server of the test run with the current schema, or on that of the URL. */
export async function databaseForTest(server?: string): Promise<TestDatabase> {
  return droppedAfterTest(await (server === undefined ? databaseWithSchema() : freshDatabase(server)));
}

/** For tests of migrations. */
export const emptyDatabaseForTest = async (): Promise<TestDatabase> => droppedAfterTest(await freshDatabase());

function droppedAfterTest(database: TestDatabase): TestDatabase {
  onTestFinished(database.drop);
  return database;
}

export async function storeForTest(url: string): Promise<RecordStore> {
  const records = await postgresRecords({ url });
  onTestFinished(() => records.close());
  return records;
}

let count = 0;

export function memoryOf(content: string, fields: Partial<Memory> = {}): Memory {
  const memoryId = `mem_${++count}`;
  const rest = {
    storeRef: "ref",
    namespace: "n",
    sourceAgent: "s",
    createdAt: STAMP.at,
    contentDigest: `digest ${memoryId}`,
  };
  return { memoryId, content, ...rest, ...fields };
}

/** Ends every session in the database except the one that runs this statement. Answers with how many there were. */
export async function endSessions({ run }: TestDatabase): Promise<number> {
  const ended = await run(
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
     WHERE datname = current_database() AND pid <> pg_backend_pid() AND backend_type = 'client backend'`,
  );
  return ended.length;
}

const fromLocks = (condition: string) => `FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND ${condition} AND datname = current_database()`;

/** How many sessions wait for an advisory lock. */
export async function waitingForLocks({ run }: Pick<TestDatabase, "run">): Promise<number> {
  return (await run(`SELECT ${fromLocks("NOT granted")}`)).length;
}

export async function endSessionsWaitingForLocks({ run }: TestDatabase): Promise<number> {
  return (await run(`SELECT pg_terminate_backend(pid) ${fromLocks("NOT granted")}`)).length;
}

export async function endSessionsHoldingLocks({ run }: TestDatabase): Promise<void> {
  await run(`SELECT pg_terminate_backend(pid) ${fromLocks("granted")}`);
}

/** A proxy before the server. Once silenced, it passes nothing on and closes no connection. */
export async function startProxy({ hostname, port }: URL) {
  const sockets: Socket[] = [];
  let isSilent = false;
  const server = createServer((near) => {
    const far = tcpConnect(Number(port), hostname);
    sockets.push(near, far);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      from.on("error", () => undefined);
      from.on("close", () => to.destroy());
      from.on("data", (bytes) => {
        if (!isSilent) to.write(bytes);
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return {
    port: (server.address() as AddressInfo).port,
    silence() {
      isSilent = true;
    },
  };
}
