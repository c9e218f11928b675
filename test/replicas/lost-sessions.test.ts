// The session that holds the fence's lock is lost while an answer is being sent. PostgreSQL frees the lock then, so a
// revoke could be acknowledged by another replica while the answer goes on.
import { readFileSync } from "node:fs";
import type { Socket } from "node:net";
import { describe, expect, onTestFinished, test } from "vitest";
import type { LanguageModel } from "#ports.ts";
import { freshDatabase, type TestDatabase } from "#test/support/postgres/databases.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres/server.ts";
import { connectTo } from "#test/support/send.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

/** More than the buffers of a connection hold. */
const ANSWER_BYTES = 16_000_000;
/** More than comes before the answer: the head, and what the gate decided. */
const BYTES_OF_THE_ANSWER = 40_000;
const FENCE_HOLDERS = `
  FROM pg_locks JOIN pg_database ON pg_database.oid = database
  WHERE locktype = 'advisory' AND granted AND mode = 'ShareLock' AND classid = 1349481076 AND objid = 2
    AND datname = current_database()`;

/** Says one piece that no client takes at once. */
const longModel: LanguageModel = {
  name: "long",
  async complete(_, { fence, onText }) {
    await fence(() => undefined);
    const text = "word ".repeat(ANSWER_BYTES / 5);
    onText?.(text);
    return { text, model: "long" };
  },
};

interface Trial {
  readonly server: PostgresServer;
  readonly database: TestDatabase;
  readonly asked: Service;
  readonly other: Service;
}

async function twoReplicas(): Promise<Trial> {
  const server = await startPostgres();
  onTestFinished(() => server.stop());
  const database = await freshDatabase(server.url);
  const asked = await serviceForTest({ database: database.url, overrides: { model: longModel } });
  const other = await serviceForTest({ database: database.url });
  return { server, database, asked, other };
}

/** A client that asks and reads nothing yet. Resolves when an answer is being sent to it, behind the fence. */
async function askAndWait({ database, asked }: Trial, accept: string): Promise<Socket> {
  const { socket, write } = await connectTo(asked.url);
  socket.pause();
  const body = JSON.stringify({ agentId: "assistant", query: "What about the allergy?" });
  write(
    `POST /api/chat HTTP/1.1\r\nhost: 127.0.0.1\r\ncontent-type: application/json\r\naccept: ${accept}\r\ncontent-length: ${body.length}\r\n\r\n${body}`,
  );
  await expect
    .poll(
      // The database is asked when bytes of the answer wait, and not before: each question opens a connection, and
      // many of them would keep the answer waiting.
      async () =>
        (unread(socket) ?? 0) > BYTES_OF_THE_ANSWER && (await database.run(`SELECT ${FENCE_HOLDERS}`)).length > 0,
      { interval: 5 },
    )
    .toBe(true);
  return socket;
}

/** The bytes that wait in the kernel for this socket. Undefined when its connection is gone, and nothing can come. */
function unread({ localPort = 0, remotePort = 0 }: Socket): number | undefined {
  const hex = (port: number) => port.toString(16).toUpperCase().padStart(4, "0");
  const row = readFileSync("/proc/net/tcp", "utf8")
    .split("\n")
    .map((line) => line.trim().split(/\s+/))
    .find(([, local, remote]) => local?.endsWith(`:${hex(localPort)}`) && remote?.endsWith(`:${hex(remotePort)}`));
  const queues = row?.[4]?.split(":")[1];
  return queues === undefined ? undefined : Number.parseInt(queues, 16);
}

async function revokeUntilAcknowledged({ other }: Trial): Promise<void> {
  const rule = { agentId: "assistant", namespace: "health", allowed: false };
  await expect
    .poll(
      () =>
        other.client.setAccess(rule).then(
          () => true,
          () => false,
        ),
      { interval: 5 },
    )
    .toBe(true);
}

const losses: [string, (trial: Trial) => Promise<unknown>][] = [
  ["the session is terminated", ({ database }) => database.run(`SELECT pg_terminate_backend(pid) ${FENCE_HOLDERS}`)],
  ["the server is killed and restarted", ({ server }) => server.kill().then(server.start)],
];

describe.runIf(process.platform === "linux")("when the lock of the fence is lost in the middle of an answer", () => {
  for (const accept of ["application/json", "text/event-stream"]) {
    test.for(losses)(
      `the client of ${accept} receives nothing after a revoke was acknowledged: %s`,
      async ([, lose]) => {
        const trial = await twoReplicas();
        const socket = await askAndWait(trial, accept);
        await lose(trial);
        await revokeUntilAcknowledged(trial);
        expect(unread(socket)).toBeUndefined();
      },
    );
  }
});
