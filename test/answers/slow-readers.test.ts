// Clients that ask for answers and never read them. They may wait for their answers, and nobody else may.
import type { HttpBindings } from "@hono/node-server";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { MAX_BATCHES } from "#adapters/records/postgres/fence/fence-sessions.ts";
import { createAdmission } from "#http/admission/admission.ts";
import { createConcurrencyLimit } from "#http/admission/concurrency-limit.ts";
import { createSendBuffers } from "#http/limits/send-buffers.ts";
import { listen } from "#http/server.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { readExposition } from "#test/support/exposition.ts";
import { post } from "#test/support/send.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

/** In place of a second. Whatever waits for it makes a test time out. */
const DEADLINE_MS = 600_000;

vi.mock("#http/answer/send-answer.ts", async (original) => {
  const actual = await original<typeof import("#http/answer/send-answer.ts")>();
  return {
    ...actual,
    takenBehindFence: (...[response, lost, write]: Parameters<typeof actual.takenBehindFence>) =>
      actual.takenBehindFence(response, lost, write, DEADLINE_MS),
  };
});

const READERS = 50;
const READER = { agentId: "reader", query: "What about dinner?" };
const OTHER = { agentId: "other", query: "What about dinner?" };

/** Another port of the same service. Its connections take no byte, as when a client reads nothing and its window is full. */
async function portWithoutReaders({ app }: Service): Promise<string> {
  const fetch = (request: Request, node: HttpBindings) => {
    const { socket } = node.incoming;
    socket._write = () => undefined;
    socket._writev = () => undefined;
    return app.fetch(request, node);
  };
  // However busy the machine is, all of them are let in.
  const all = { least: READERS, targetMs: 0, turnMs: 50, sharedTurnMs: 50 };
  const limit = createConcurrencyLimit({ initial: READERS, calm: all, overloaded: all });
  const admission = createAdmission({ limit, longestWaitMs: DEADLINE_MS });
  const server = await listen({ fetch, host: "127.0.0.1", port: 0, admission });
  onTestFinished(() => server.stop(0));
  return server.url;
}

/** How many actions are behind the fence, and how many were told to leave it. */
async function fenceOf({ tenant }: Service) {
  const { total } = readExposition((await tenant.metrics.exposition()).text);
  return {
    actions: total("portcullis_fence_actions"),
    ended: total("portcullis_fence_passages_total", { outcome: "failed" }),
  };
}

describe.for(["sqlite", "postgres"] as const)("On %s,", (kind) => {
  test.for(["/api/recall", "/api/chat"])(
    "fifty clients of %s that read nothing hold up neither a revoke nor the answers of others",
    async (path) => {
      const database = kind === "postgres" ? (await databaseForTest()).url : ":memory:";
      const buffers = createSendBuffers({ noProgressMs: DEADLINE_MS });
      const service = await serviceForTest({ database, buffers });
      const { client } = service;
      for (const agentId of ["reader", "other"]) await client.setAccess({ agentId, namespace: "diet", allowed: true });
      const usedByOther = async () => (await client.chat(OTHER)).receipt.usedMemories.length;
      const used = await usedByOther();
      expect(used).toBeGreaterThan(0);

      const url = await portWithoutReaders(service);
      for (let count = 0; count < READERS; count++) void post(url + path, READER).catch(() => undefined);
      const stuck = async () => {
        const { actions, ended } = await fenceOf(service);
        return actions + ended;
      };
      await expect.poll(stuck).toBeGreaterThanOrEqual(kind === "sqlite" ? READERS : MAX_BATCHES);
      expect(await usedByOther()).toBe(used);
      await client.setAccess({ agentId: "reader", namespace: "diet", allowed: false });
      expect(await usedByOther()).toBe(used);
      expect((await fenceOf(service)).actions).toBe(0);
    },
  );
});
