// Fault injection: every call that an answer waits for fails once, before it has taken effect and after. Whatever
// happens, nothing blocked is in a prompt, and no answer is released without its receipt on record.

import { describe, expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { isIssuedHere } from "#service/receipts/receipts.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { interceptCalls } from "#test/support/intercept-calls.ts";
import { recordingModel } from "#test/support/models.ts";
import { post } from "#test/support/send.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const BLOCKED = "canary";
const ROUTES = {
  chat: { path: "/api/chat", accept: "application/json" },
  "streamed chat": { path: "/api/chat", accept: "text/event-stream" },
  companion: { path: "/api/companion", accept: "application/json" },
  "streamed companion": { path: "/api/companion", accept: "text/event-stream" },
} as const;
type Route = (typeof ROUTES)[keyof typeof ROUTES];
type When = "before" | "after";

/** An answer does not wait for these. */
const NOT_AWAITED = /\.(onChange|close)$/;

/** Counts the calls of the ports that it wraps, and makes one of them fail. */
function faultInjector() {
  let [calls, failingCall] = [0, Number.POSITIVE_INFINITY];
  let when: When = "before";
  let failed: string | undefined;

  async function callOrFail(name: string, call: () => unknown): Promise<unknown> {
    const fails = ++calls === failingCall;
    if (fails) failed = name;
    if (fails && when === "before") throw new Error("injected");
    const result = await call();
    if (fails) throw new Error("injected");
    return result;
  }

  return {
    wrap: <T extends object>(name: string, port: T): T =>
      interceptCalls(port, (path, call) => (NOT_AWAITED.test(path) ? call() : callOrFail(path, call)), `${name}.`),
    /** Counts anew, and fails the call of this number. */
    arm(call: number, then: When) {
      [calls, failingCall, when, failed] = [0, call, then, undefined];
    },
    disarm() {
      this.arm(Number.POSITIVE_INFINITY, "before");
    },
    get calls() {
      return calls;
    },
    /** The name of the call that failed. */
    get failed() {
      return failed;
    },
  };
}

const RECORDS = {
  SQLite: async () => sqliteRecords({ path: ":memory:" }),
  PostgreSQL: async () => postgresRecords({ url: (await databaseForTest()).url }),
};

describe.each(Object.entries(RECORDS))("on %s", (_, openRecords) => {
  test.each(Object.entries(ROUTES))(
    "%s releases nothing blocked, and no answer without its receipt, whichever call fails",
    async (__, route) => {
      const records = await openRecords();
      const model = recordingModel();
      const faults = faultInjector();
      const service = await serviceForTest({
        overrides: {
          records: faults.wrap("records", records),
          blobs: faults.wrap("blobs", memoryBlobs()),
          model: faults.wrap("model", model),
        },
      });
      for (const agentId of ["assistant", "companion"]) {
        await service.client.setAccess({ agentId, namespace: "secret", allowed: false });
      }
      await service.client.capture({ namespace: "secret", content: `dinner ${BLOCKED}`, sourceAgent: "s" });

      faults.disarm();
      expect((await ask(service, route)).answer).toBeDefined();
      const { calls } = faults;
      expect(calls).toBeGreaterThan(8);

      const failed = new Set<string>();
      for (const when of ["before", "after"] as const) {
        for (let position = 1; position <= calls; position++) {
          faults.arm(position, when);
          const { status, answer, problem } = await ask(service, route);
          failed.add(`${faults.failed}`);
          const where = `${when} call ${position}: ${faults.failed}`;
          if (answer === undefined) expect(problem ?? status, where).toBeGreaterThanOrEqual(500);
          else {
            const { receipt } = answer;
            expect(await isIssuedHere({ records }, receipt as ForeignReceipt), where).toBe(true);
          }
        }
      }
      expect([...failed]).toEqual(
        expect.arrayContaining(["records.changeFeed.since", "records.policy.passFence", "records.receipts.add"]),
      );
      expect([...failed]).toEqual(expect.arrayContaining(["records.memories.at", "blobs.get", "model.complete"]));
      expect(JSON.stringify(model.prompts)).not.toContain(BLOCKED);
      expect(model.prompts.length).toBeGreaterThan(calls);

      faults.disarm();
      expect((await ask(service, route)).answer).toBeDefined();
    },
  );
});

interface Outcome {
  readonly status: number;
  readonly answer?: { readonly receipt: { readonly answerId: string } };
  /** The status of the problem in a stream. */
  readonly problem?: number;
}

async function ask({ url }: Service, { path, accept }: Route): Promise<Outcome> {
  const { status, headers, text } = await post(
    `${url}${path}`,
    { query: "What about dinner?", ...(path === "/api/chat" && { agentId: "assistant" }) },
    { accept },
  );
  if (!headers["content-type"]?.startsWith("text/event-stream")) {
    return status === 200 ? { status, answer: JSON.parse(text) } : { status };
  }
  const dataOf = (name: string) => {
    const [, data] = new RegExp(`event: ${name}\\ndata: (.*)`).exec(text) ?? [];
    return data === undefined ? undefined : JSON.parse(data);
  };
  const [answer, problem] = [dataOf("answer"), dataOf("problem")?.status];
  return { status, ...(answer && { answer }), ...(problem !== undefined && { problem }) };
}
