// The session that holds the fence's lock is lost while an answer is being sent. PostgreSQL frees the lock then, so a
// revoke could be acknowledged by another replica while the answer goes on.
import { describe, expect, onTestFinished, test } from "vitest";
import { freshDatabase, type TestDatabase } from "#test/support/postgres/databases.ts";
import { type PostgresServer, startPostgres } from "#test/support/postgres/server.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";
import { longModel } from "#test/torture/long-model.ts";
import { ANSWER_BYTES, askUntil, FENCE_HOLDERS, unread } from "./unread-answer.ts";

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
  const asked = await serviceForTest({ database: database.url, overrides: { model: longModel(ANSWER_BYTES) } });
  const other = await serviceForTest({ database: database.url });
  return { server, database, asked, other };
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

/** Each answers whether it met an action behind the fence. */
const losses: [string, (trial: Trial) => Promise<boolean>][] = [
  [
    "the session is terminated",
    async ({ database }) => (await database.run(`SELECT pg_terminate_backend(pid) ${FENCE_HOLDERS}`)).length > 0,
  ],
  [
    "the server is killed and restarted",
    async ({ database, server }) => {
      if ((await database.run(`SELECT ${FENCE_HOLDERS}`)).length === 0) return false;
      await server.kill();
      await server.start();
      return true;
    },
  ],
];

describe.runIf(process.platform === "linux")("when the lock of the fence is lost in the middle of an answer", () => {
  for (const accept of ["application/json", "text/event-stream"]) {
    test.for(losses)(
      `the client of ${accept} receives nothing after a revoke was acknowledged: %s`,
      async ([, lose]) => {
        const trial = await twoReplicas();
        const socket = await askUntil(trial.asked.url, accept, () => lose(trial));
        await revokeUntilAcknowledged(trial);
        expect(unread(socket)).toBeUndefined();
      },
    );
  }
});
