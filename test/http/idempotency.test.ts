// Requests with an Idempotency-Key, over HTTP.
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type Route, routes } from "#contract/routes.ts";
import { OPEN, type Principal } from "#core/identity/principal.ts";
import { createIdempotency, KEPT_MS, outcomes, sweepIdempotencyKeys } from "#service/idempotency/idempotency.ts";
import { recordingModel } from "#test/support/models.ts";
import { post, problemIn, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";
import { testTenant } from "#test/support/tenant.ts";

const FACT = { namespace: "garden", content: "The hydrangea needs acid soil.", sourceAgent: "gardener" };
const CALL = { principal: OPEN };
const ASK = { agentId: "assistant", query: "Which mornings are for runs?" };

/** POST rows that make nothing that a repeat could make twice. */
const REPEATABLE = new Set([
  "setAccess",
  "setAccessBatch",
  "resetDemo",
  "signIn",
  "forgetMemories",
  "verifyWithOpening",
  "createTenant",
  "applyTemplate",
]);

test("every POST row that makes something takes an Idempotency-Key", () => {
  for (const [name, row] of Object.entries<Route>(routes)) {
    const isExpected = row.method === "POST" && !REPEATABLE.has(name);
    expect([name, row.idempotent !== undefined]).toEqual([name, isExpected]);
  }
});

describe("A repeated request", () => {
  test("for an answer is a 409 with the answer's id, and asks no model", async () => {
    const model = recordingModel();
    const { url, client, tenant } = await serviceForTest({ overrides: { model } });
    for (const [path, body] of [
      ["/api/chat", ASK],
      ["/api/companion", { query: ASK.query }],
      ["/api/recall", ASK],
      ["/api/recall", { ...ASK, receipt: false }],
    ] as const) {
      const key = { "idempotency-key": `key-${Object.keys(body).length}` };
      const first = await post(`${url}${path}`, body, key);
      expect(first.status).toBe(200);
      const asked = model.prompts.length;
      const again = await post(`${url}${path}`, body, key);
      expect([again.status, problemIn(again).code]).toEqual([409, "already-answered"]);
      const { answerId = "" } = problemIn(again);
      expect(await tenant.records.receipts.find(answerId)).toBeDefined();
      expect(JSON.parse(first.text).receipt?.answerId ?? answerId).toBe(answerId);
      expect(again.text).not.toContain("kilometres");
      expect(model.prompts).toHaveLength(asked);
    }
    expect((await client.listReceipts()).receipts).toHaveLength(4);
  });

  test("for a streamed answer is a 409, too", async () => {
    const { url } = await serviceForTest();
    const headers = { "idempotency-key": "k", accept: "text/event-stream" };
    expect((await post(`${url}/api/chat`, ASK, headers)).text).toContain("event: answer");
    const again = await post(`${url}/api/chat`, ASK, headers);
    expect([again.status, problemIn(again).code]).toEqual([409, "already-answered"]);
  });

  test("for a capture answers with the same memory, and with a 404 when it was forgotten since", async () => {
    const { client } = await serviceForTest();
    const { memory } = await client.capture(FACT, { idempotencyKey: "k" });
    expect(await client.capture(FACT, { idempotencyKey: "k" })).toEqual({ memory });
    await client.resetDemo();
    await expect(client.capture(FACT, { idempotencyKey: "k" })).rejects.toMatchObject({ status: 404 });
    const { memory: later } = await client.capture(FACT);
    expect(later.memoryId).not.toBe(memory.memoryId);
  });

  test("for an anchor gives the same reply", async () => {
    const { client } = await serviceForTest();
    const { receipt } = await client.chat(ASK);
    for (const anchor of [client.anchorReceipt, client.anchorOnChain]) {
      const body = { answerId: receipt.answerId };
      const first = await anchor(body, { idempotencyKey: "k" });
      expect(await anchor(body, { idempotencyKey: "k" })).toEqual(first);
    }
  });

  test("for a key is a 409 with the key's id, and does not show the key again", async () => {
    const tenant = testTenant();
    const { once } = createIdempotency(tenant);
    const request = { identity: "i", route: "POST /api/keys", key: "k", makes: "key", content: {} } as const;
    const issued = { key: "the key", record: { keyId: "key_1" } };
    expect(await once(request, CALL, async () => issued)).toBe(issued);
    await expect(once(request, CALL, async () => issued)).rejects.toMatchObject({
      code: "already-created",
      made: { keyId: "key_1" },
    });
  });

  test("with another body is a 422, and the same body may be written in another way", async () => {
    const { url } = await serviceForTest();
    const key = { "idempotency-key": "k" };
    expect((await post(`${url}/api/memories`, FACT, key)).status).toBe(200);
    const other = await post(`${url}/api/memories`, { ...FACT, content: "Other." }, key);
    expect([other.status, problemIn(other).code]).toEqual([422, "idempotency-key-reused"]);
    const { namespace, content, sourceAgent } = FACT;
    const same = JSON.stringify({ sourceAgent, content, namespace }, null, 2);
    expect((await post(`${url}/api/memories`, same, key)).status).toBe(200);
  });

  test("of another identity, and on another route, is another request", async () => {
    let principal: Principal = { role: "admin", id: "key:1", name: "a" };
    const authenticator = { ...testTenant().authenticator, identify: async () => principal };
    const { url } = await serviceForTest({ overrides: { authenticator } });
    const key = { "idempotency-key": "k" };
    const statuses = [(await post(`${url}/api/chat`, ASK, key)).status];
    statuses.push((await post(`${url}/api/recall`, ASK, key)).status);
    principal = { ...principal, id: "key:2" };
    statuses.push((await post(`${url}/api/chat`, ASK, key)).status, (await post(`${url}/api/chat`, ASK, key)).status);
    expect(statuses).toEqual([200, 200, 200, 409]);
  });

  test("of another role of the same identity is another request", async () => {
    const subject = { id: "token:1", name: "ada" };
    let principal: Principal = { ...subject, role: "agent", agentId: "gardener", captures: ["garden"] };
    const authenticator = { ...testTenant().authenticator, identify: async () => principal };
    const { url } = await serviceForTest({ overrides: { authenticator } });
    const { sourceAgent: _, ...fact } = FACT;
    const capture = async () => JSON.parse((await post(`${url}/api/memories`, fact, { "idempotency-key": "k" })).text);
    const { memory: first } = await capture();
    principal = { ...subject, role: "agent", agentId: "planner", captures: ["garden"] };
    const { memory: second } = await capture();
    expect([first.sourceAgent, second.sourceAgent]).toEqual(["gardener", "planner"]);
    expect(second.memoryId).not.toBe(first.memoryId);
  });

  test("is told of the last answer that its first request made", () => {
    const { noting, outcomeOf } = outcomes.answer(CALL);
    for (const answerId of ["ans_stale", "ans_released"]) noting.onAnswer?.(answerId);
    expect(outcomeOf(undefined)).toEqual({ answerId: "ans_released" });
  });
});

describe("While the first request is in progress", () => {
  test("a repeat is a 409 that says when to try again", async () => {
    const [asked, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const model = {
      name: "slow",
      async complete() {
        asked.resolve();
        await go.promise;
        return { text: "done", model: "slow" };
      },
    };
    const { url } = await serviceForTest({ overrides: { model } });
    const key = { "idempotency-key": "k" };
    const first = post(`${url}/api/chat`, ASK, key);
    await asked.promise;
    const again = await post(`${url}/api/chat`, ASK, key);
    expect([again.status, problemIn(again).code, again.headers["retry-after"]]).toEqual([409, "in-progress", "2"]);
    go.resolve();
    expect((await first).status).toBe(200);
    expect(problemIn(await post(`${url}/api/chat`, ASK, key)).code).toBe("already-answered");
  });

  test("its lease is renewed, and ends when its process does", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      const tenant = testTenant({ now: () => new Date() });
      const { once } = createIdempotency(tenant);
      const request = { identity: "i", route: "r", key: "k", makes: "anchor", content: {} } as const;
      const work = Promise.withResolvers<string>();
      const first = once(request, CALL, () => work.promise);
      await nextTurn();
      await nextTurn();
      await vi.advanceTimersByTimeAsync(300_000);
      await nextTurn();
      await expect(once(request, CALL, async () => "second")).rejects.toMatchObject({ code: "in-progress" });
      // Without its timer the process is as good as dead.
      const later = Date.now() + 60_000;
      vi.clearAllTimers();
      vi.setSystemTime(later);
      expect(await once(request, CALL, async () => "second")).toBe("second");
      work.resolve("first");
      expect(await first).toBe("first");
    } finally {
      vi.useRealTimers();
    }
  });
});

describe("A request that made nothing", () => {
  test("because a dependency failed can be tried again with the same key", async () => {
    let isDown = true;
    const model = {
      name: "flaky",
      async complete() {
        if (isDown) throw new Error("down");
        return { text: "done", model: "flaky" };
      },
    };
    const { url } = await serviceForTest({ overrides: { model } });
    const key = { "idempotency-key": "k" };
    expect((await post(`${url}/api/chat`, ASK, key)).status).toBe(500);
    isDown = false;
    expect((await post(`${url}/api/chat`, ASK, key)).status).toBe(200);
  });

  test("because it was refused can be sent again with another body", async () => {
    const { url } = await serviceForTest();
    const key = { "idempotency-key": "k" };
    expect((await post(`${url}/api/recall`, { ...ASK, limit: 32 }, key)).status).toBe(400);
    expect((await post(`${url}/api/recall`, ASK, key)).status).toBe(200);
  });
});

test.for(["", " ", "a b", "é", "x".repeat(256)])("the Idempotency-Key %j is refused", async (key) => {
  const { url } = await serviceForTest();
  const headers = { "idempotency-key": Buffer.from(key).toString("latin1") };
  const answer = await post(`${url}/api/memories`, FACT, headers);
  expect([answer.status, problemIn(answer).code]).toEqual([400, "invalid-request"]);
});

test("an import takes the header", async () => {
  const { url } = await serviceForTest();
  const headers = { "content-type": "application/x-ndjson", "idempotency-key": "k" };
  const body = `${JSON.stringify(FACT)}\n`;
  const [first, again] = [
    await send(`${url}/api/memories/import`, { method: "POST", headers, body }),
    await send(`${url}/api/memories/import`, { method: "POST", headers, body }),
  ];
  expect(first.status).toBe(200);
  expect(again.text).toBe(first.text);
});

test("a key is forgotten after a day, by the sweep or by its next use", async () => {
  let time = 0;
  const tenant = testTenant({ now: () => new Date(time) });
  const { once } = createIdempotency(tenant);
  const request = { identity: "i", route: "r", key: "k", makes: "answer", content: {} } as const;
  for (const key of ["k", "l", "m"]) await once({ ...request, key }, CALL, async () => undefined);
  time = KEPT_MS;
  await expect(once(request, CALL, async () => "again")).rejects.toMatchObject({ code: "already-answered" });
  expect(await sweepIdempotencyKeys(tenant)).toBe(0);
  time = KEPT_MS + 1;
  expect(await once(request, CALL, async () => "again")).toBe("again");
  expect(await sweepIdempotencyKeys(tenant)).toBe(2);
});

test("the table holds neither keys nor texts, and the same body has another digest under another key", async () => {
  const tenant = testTenant();
  const rows: unknown[] = [];
  const { begin } = tenant.records.idempotency;
  const idempotency = {
    ...tenant.records.idempotency,
    begin(row: Parameters<typeof begin>[0]) {
      rows.push(row);
      return begin(row);
    },
  };
  const { once } = createIdempotency({ ...tenant, records: { ...tenant.records, idempotency } });
  const request = { identity: "canary-id", route: "canary-route", makes: "anchor", content: "canary-text" } as const;
  for (const key of ["canary-1", "canary-2"]) await once({ ...request, key }, CALL, async () => undefined);
  expect(JSON.stringify(rows)).not.toContain("canary");
  expect(new Set(rows.map((row) => (row as { digest: string }).digest)).size).toBe(2);
});
