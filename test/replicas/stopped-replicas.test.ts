// A replica is stopped in the middle of an answer, as a debugger stops it, or a machine that is suspended. It holds the
// lock of the fence then, and cannot be asked. `npm run torture -- stopped` does it again and again under load.
import { readFileSync } from "node:fs";
import { describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { waitFor } from "#test/support/wait-for.ts";
import { startReplicas } from "#test/torture/start-replicas.ts";
import { ANSWER_BYTES, askUntil, FENCE_HOLDERS, unread, unsent } from "./unread-answer.ts";

/** The system call in which Node waits, whose timers are due first when it is continued. */
const EPOLL_PWAIT: Partial<Record<NodeJS.Architecture, string>> = { x64: "281", arm64: "22" };

/** Whether a process that is about to stop was waiting for events, and not doing anything. */
async function stopsWhereItWaits(pid: number): Promise<boolean> {
  await waitFor(() => expect(readFileSync(`/proc/${pid}/stat`, "utf8")).toMatch(/\) T /));
  return readFileSync(`/proc/${pid}/syscall`, "utf8").split(" ", 1)[0] === EPOLL_PWAIT[process.arch];
}

async function twoReplicas() {
  const database = await databaseForTest();
  const replicas = await startReplicas(2, { environment: { DATABASE_URL: database.url }, answerBytes: ANSWER_BYTES });
  onTestFinished(async () => void (await Promise.all(replicas.map((replica) => replica.stop()))));
  const [asked, other] = replicas;
  if (asked === undefined || other === undefined) throw new Error("There are two.");
  return { database, asked, other: createClient({ baseUrl: other.url }) };
}

describe.runIf(process.platform === "linux")("a replica that is stopped in the middle of an answer", () => {
  test.for(["application/json", "text/event-stream"])(
    "does not hold up a revoke, and sends nothing more of its %s when it wakes",
    { timeout: 120_000 },
    async (accept) => {
      const { database, asked, other } = await twoReplicas();
      const socket = await askUntil(asked.url, accept, async (connection) => {
        // Elsewhere it would still send the piece that it was about to write (docs/threats.md).
        for (asked.pause(); !(await stopsWhereItWaits(asked.pid)); asked.pause()) {
          asked.resume();
          // It goes on meanwhile.
          await database.run("SELECT 1");
        }
        const holders = await database.run(`SELECT ${FENCE_HOLDERS}`);
        const isMet = holders.length > 0 && unread(connection) !== undefined;
        if (!isMet) asked.resume();
        return isMet;
      });
      await other.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
      // What it had sent before arrives, and there is room for more.
      let received = 0;
      socket.on("data", ({ length }) => (received += length)).resume();
      // In the order in which bytes move, so that none is missed between the two looks.
      await waitFor(() => expect([unsent(socket), unread(socket)]).toEqual([0, 0]));
      const before = received;
      expect(before).toBeLessThan(ANSWER_BYTES);
      const closed = new Promise((resolve) => socket.once("close", resolve));
      asked.resume();
      await closed;
      expect(received).toBe(before);
    },
  );
});
