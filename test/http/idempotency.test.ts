// Requests with an Idempotency-Key, over HTTP.
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test, vi } from "vitest";
import { type Route, routes } from "#contract/routes.ts";
import { OPEN, type Principal } from "#core/identity/principal.ts";
import { createIdempotency, KEPT_MS, sweepIdempotencyKeys } from "#service/idempotency/idempotency.ts";
import { recordingModel } from "#test/support/models.ts";
import { post, problemIn, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";
import { testTenant } from "#test/support/tenant.ts";

const FACT = { namespace: "garden", content: "The hydrangea needs acid soil.", sourceAgent: "gardener" };
const CALL = { principal: OPEN };
const ASK = { agentId: "assistant", query: "Which mornings are for runs?" };

/** POST rows that make nothing that a repeat could make twice. */
const REPEATABLE = new Set([
  "explain",
  "setAccess",
  "setAccessBatch",
  "resetDemo",
  "signIn",
  "forgetMemories",
  "verifyWithOpening",
  "acceptProposal",
  "declineProposal",
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
  test("for an answer gets it again, made anew with a receipt of its own", async () => {
    const { url, client } = await serviceForTest({ overrides: { model: recordingModel() } });
    for (const [path, body] of [
      ["/api/chat", ASK],
      ["/api/companion", { query: ASK.query }],
      ["/api/recall", ASK],
      ["/api/recall", { ...ASK, receipt: false }],
    ] as const) {
      const key = { "idempotency-key": `key-${Object.keys(body).length}` };
      const [first, again] = [await post(`${url}${path}`, body, key), await post(`${url}${path}`, body, key)];
      expect([first.status, again.status]).toEqual([200, 200]);
      const given = ({ text }: { readonly text: string }) => {
        const { answer, memories } = JSON.parse(text);
        return answer ?? memories;
      };
      expect(given(again)).toEqual(given(first));
    }
    const { receipts } = await client.listReceipts();
    expect(receipts.map(({ status }) => status)).toEqual(Array(8).fill("issued"));
  });

  test("for an answer gets nothing that was closed or forgotten since", async () => {
    const { url, client } = await serviceForTest({ environment: { SEED: "none" } });
    const { memory } = await client.capture(FACT);
    await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
    const [asked, key] = [{ agentId: "gardener", query: "hydrangea" }, { "idempotency-key": "k" }];
    const ask = async (path: string) => (await post(`${url}${path}`, asked, key)).text;
    for (const path of ["/api/recall", "/api/chat"]) expect(await ask(path)).toContain("acid soil");
    await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: false });
    for (const path of ["/api/recall", "/api/chat"]) expect(await ask(path)).not.toContain("acid soil");
    await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
    await client.forgetMemory(memory);
    for (const path of ["/api/recall", "/api/chat"]) expect(await ask(path)).not.toContain("acid soil");
  });

  test("for a streamed answer is streamed again", async () => {
    const { url } = await serviceForTest();
    const headers = { "idempotency-key": "k", accept: "text/event-stream" };
    for (let i = 0; i < 2; i++) expect((await post(`${url}/api/chat`, ASK, headers)).text).toContain("event: answer");
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
    statuses.push((await post(`${url}/api/chat`, { ...ASK, query: "Another?" }, key)).status);
    expect(statuses).toEqual([200, 200, 200, 200, 422]);
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
    expect((await post(`${url}/api/chat`, ASK, key)).status).toBe(200);
  });

  test("its lease is renewed, and ends when its process does", async () => {
    vi.useFakeTimers({ toFake: ["setInterval", "clearInterval", "Date"] });
    try {
      const tenant = testTenant({ now: () => new Date() });
      const { once } = createIdempotency(tenant);
      const request = { identity: "i", route: "r", key: "k", makes: "anchor", content: {} } as const;
      const work = Promise.withResolvers<string>();
      const first = once(request, CALL, () => work.promise);
      // It has begun once it has a timer.
      while (vi.getTimerCount() === 0) await nextTurn();
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
  const request = { identity: "i", route: "r", key: "k", makes: "key", content: {} } as const;
  const made = { record: { keyId: "key_1" } };
  for (const key of ["k", "l", "m"]) await once({ ...request, key }, CALL, async () => made);
  time = KEPT_MS;
  await expect(once(request, CALL, async () => made)).rejects.toMatchObject({ code: "already-created" });
  expect(await sweepIdempotencyKeys(tenant)).toBe(0);
  time = KEPT_MS + 1;
  expect(await once(request, CALL, async () => made)).toBe(made);
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
