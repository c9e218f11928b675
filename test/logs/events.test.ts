// Events over HTTP: who gets which, under the policy of the moment, and how a listener goes on after a break.
import { describe, expect, onTestFinished, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { parseEventStream } from "#contract/client/body-streams.ts";
import { createClient } from "#contract/client/client.ts";
import type { Principal } from "#core/identity/principal.ts";
import { createEventHub } from "#service/events/event-hub.ts";
import type { Authenticator } from "#service/identity/authenticator.ts";
import { serviceForTest } from "#test/support/service.ts";

const CALLERS = new Map<string | undefined, Principal>([
  ["admin", { role: "admin", id: "key:admin", name: "ada" }],
  ["diet", { role: "namespace-admin", id: "key:diet", name: "dina", namespaces: ["diet"] }],
  ["planner", { role: "agent", id: "key:planner", name: "plan", agentId: "planner", captures: [] }],
]);
const authenticator: Authenticator = { identify: async ({ bearer }) => CALLERS.get(bearer) as Principal };
const DAY_MS = 24 * 3_600_000;

async function start({ most = 200 } = {}) {
  const records = sqliteRecords({ path: ":memory:" });
  const events = createEventHub(records.events, { pollMs: 5, most });
  let clock = () => new Date();
  const service = await serviceForTest({ overrides: { authenticator, records, events, now: () => clock() } });
  const as = (who: string, fetchWith = fetch) =>
    createClient({
      baseUrl: service.url,
      fetch: (url, init) => fetchWith(url, { ...init, headers: { ...init?.headers, authorization: `Bearer ${who}` } }),
    });
  const admin = as("admin");

  /** Answers when the listener's position is fixed: what happens from now on is for it. */
  async function listen(who: string, lastEventId?: string) {
    const controller = new AbortController();
    onTestFinished(() => controller.abort());
    const response = await fetch(`${service.url}/api/events`, {
      headers: { authorization: `Bearer ${who}`, ...(lastEventId !== undefined && { "last-event-id": lastEventId }) },
      signal: controller.signal,
    });
    const ids: string[] = [];
    const events = response.body && parseEventStream(response.body, (id) => ids.push(id));
    return {
      status: response.status,
      lastId: () => ids.at(-1) ?? "",
      async next() {
        const { value, done } = (await events?.next()) ?? { done: true };
        return done === true || value === undefined ? "end" : { name: value.name, data: JSON.parse(value.data) };
      },
      stop: () => controller.abort(),
    };
  }

  const capture = (namespace: string) =>
    admin.capture({ namespace, content: `zanzibar ${Math.random()}`, sourceAgent: "app" });
  const open = (namespace: string, allowed: boolean, agentId = "planner") =>
    admin.setAccess({ agentId, namespace, allowed });
  return {
    ...service,
    as,
    admin,
    listen,
    capture,
    open,
    setClock(now: () => Date) {
      clock = now;
    },
  };
}

describe("An admin", () => {
  test("gets every event with ids and names, in the order of commits, and no text", async () => {
    const { admin, listen, capture, open } = await start();
    const listener = await listen("admin");
    const { memory } = await capture("health");
    await open("health", true);
    const { receipt } = await admin.chat({ agentId: "advisor", query: "zanzibar?" });
    const { blobId } = await admin.anchorReceipt({ answerId: receipt.answerId });
    await admin.resetDemo();
    const at = expect.any(String);
    const { memoryId } = memory;
    const { answerId } = receipt;
    const events = [];
    for (let i = 0; i < 8; i++) events.push(await listener.next());
    expect(events).toEqual([
      { name: "memory-captured", data: { at, memoryId, namespace: "health", sourceAgent: "app" } },
      { name: "policy-changed", data: { at, version: 2, agentId: "planner", namespace: "health", allowed: true } },
      { name: "receipt-begun", data: { at, answerId, agentId: "advisor" } },
      { name: "receipt-issued", data: { at, answerId, agentId: "advisor" } },
      { name: "receipt-anchored", data: { at, answerId, agentId: "advisor", blobId } },
      { name: "memory-forgotten", data: { at } },
      { name: "policy-changed", data: { at } },
      { name: "memory-captured", data: expect.objectContaining({ namespace: expect.any(String) }) },
    ]);
    expect(JSON.stringify(events)).not.toContain("zanzibar");
    expect(Number(listener.lastId())).toBeGreaterThan(0);
  });
});

describe("An agent", () => {
  test("gets its own row, its receipts and its namespaces, and nothing else", async () => {
    const { admin, listen, capture, open } = await start();
    const listener = await listen("planner");
    await capture("health");
    await open("health", true, "advisor");
    await admin.recall({ agentId: "advisor", query: "?" });
    const { memory } = await capture("diet");
    const own = await admin.chat({ agentId: "planner", query: "Dinner?" });
    await admin.anchorReceipt({ answerId: own.receipt.answerId });
    await open("finance", true);
    await open("finance", false);
    const names = [];
    for (let i = 0; i < 6; i++) names.push(await listener.next());
    expect(names).toMatchObject([
      { name: "memory-captured", data: { memoryId: memory.memoryId } },
      { name: "receipt-begun", data: { answerId: own.receipt.answerId } },
      { name: "receipt-issued", data: { answerId: own.receipt.answerId } },
      { name: "receipt-anchored", data: { answerId: own.receipt.answerId } },
      { name: "policy-changed", data: { namespace: "finance", allowed: true } },
      { name: "policy-changed", data: { namespace: "finance", allowed: false } },
    ]);
    // The version of the policy counts the changes of all agents.
    expect(JSON.stringify(names)).not.toContain("version");
  });

  test("gets a replayed capture under the policy of now, not under that of the capture", async () => {
    const { listen, capture, open } = await start();
    const listener = await listen("planner");
    await capture("diet");
    await listener.next();
    const id = listener.lastId();
    listener.stop();
    await capture("diet");
    const hidden = await capture("health");
    await open("diet", false);
    await open("health", true);
    const resumed = await listen("planner", id);
    expect(await resumed.next()).toMatchObject({ data: { memoryId: hidden.memory.memoryId } });
    expect(await resumed.next()).toMatchObject({ name: "policy-changed", data: { namespace: "diet" } });
  });

  test("gets ids that tell nothing of how much happens elsewhere, and goes on exactly after each", async () => {
    const { listen, capture } = await start();
    const listener = await listen("planner");
    const ids = [];
    for (let i = 0; i < 3; i++) {
      for (let j = 0; j < i * 5; j++) await capture("health");
      await capture("diet");
      await listener.next();
      ids.push(listener.lastId());
    }
    for (const id of ids) expect(id).toMatch(/^[\w-]{22}$/);
    // The same position never has the same id twice, so that equal ids do not tell that nothing happened.
    const again = await Promise.all([listen("planner"), listen("planner")]);
    await capture("diet");
    await Promise.all(again.map(({ next }) => next()));
    expect(new Set(again.map(({ lastId }) => lastId())).size).toBe(2);
    const resumed = await listen("planner", ids[1]);
    const left = [await resumed.next(), await resumed.next()];
    expect(left).toMatchObject([{ name: "memory-captured" }, { name: "memory-captured" }]);
    await capture("diet");
    expect(await resumed.next()).toMatchObject({ name: "memory-captured" });
  });

  test("is told to load anew after a day, by the age of its position alone", async () => {
    const { listen, capture, setClock } = await start();
    const listener = await listen("planner");
    await capture("diet");
    await listener.next();
    const id = listener.lastId();
    setClock(() => new Date(Date.now() + DAY_MS - 60_000));
    const inTime = await listen("planner", id);
    await capture("diet");
    expect(await inTime.next()).toMatchObject({ name: "memory-captured" });
    setClock(() => new Date(Date.now() + DAY_MS + 60_000));
    expect(await (await listen("planner", id)).next()).toMatchObject({ name: "reset", data: {} });
    // A sequence is no position of an agent's, so it cannot be guessed.
    for (const guess of ["1", "999999", "x", "A".repeat(22)])
      expect(await (await listen("planner", guess)).next()).toMatchObject({ name: "reset" });
  });
});

describe("A listener", () => {
  test("that administers namespaces gets what happens in these", async () => {
    const { listen, capture, open } = await start();
    const listener = await listen("diet");
    await capture("health");
    await open("health", true);
    await capture("diet");
    await open("diet", false);
    expect(await listener.next()).toMatchObject({ name: "memory-captured", data: { namespace: "diet" } });
    expect(await listener.next()).toMatchObject({
      name: "policy-changed",
      data: { namespace: "diet", allowed: false },
    });
  });

  test("whose position was forgotten, or never was, is told to load anew", async () => {
    const { listen, capture, tenant } = await start();
    await capture("diet");
    await tenant.records.events.prune("9999");
    expect(await (await listen("admin", "1")).next()).toMatchObject({ name: "reset" });
    expect(await (await listen("admin", "123456789")).next()).toMatchObject({ name: "reset" });
  });

  test("beyond the limit is refused with 503, until another one leaves", async () => {
    const { listen } = await start({ most: 1 });
    const first = await listen("admin");
    expect((await listen("admin")).status).toBe(503);
    first.stop();
    await expect.poll(async () => (await listen("admin")).status).toBe(200);
  });

  test("is ended when the service stops", async () => {
    const { listen, tenant } = await start();
    const listener = await listen("admin");
    tenant.events.close();
    expect(await listener.next()).toBe("end");
  });

  test("with the typed client goes on by itself after its connection broke, and misses nothing", async () => {
    const { as, capture } = await start();
    const controller = new AbortController();
    const connected: AbortController[] = [];
    let isUp = Promise.withResolvers<void>();
    const breakable: typeof fetch = async (url, init) => {
      const connection = new AbortController();
      const signal = AbortSignal.any([controller.signal, connection.signal]);
      const response = await fetch(url, { ...init, signal });
      connected.push(connection);
      isUp.resolve();
      return response;
    };
    const feed = as("planner", breakable).listenToEvents({ signal: controller.signal, retryMs: 5 });
    const seen: (string | undefined)[] = [];
    const captured: string[] = [];
    for (let i = 0; i < 3; i++) {
      const next = feed.next();
      await isUp.promise;
      captured.push((await capture("diet")).memory.memoryId);
      seen.push((await next).value?.data.memoryId);
      isUp = Promise.withResolvers<void>();
      connected.at(-1)?.abort();
      captured.push((await capture("diet")).memory.memoryId);
      seen.push((await feed.next()).value?.data.memoryId);
    }
    expect(seen).toEqual(captured);
    expect(connected.length).toBeGreaterThan(3);
    controller.abort();
    await feed.return(undefined);
  });

  test("is taken up by another feed behind the id that it told, also when no event came", async () => {
    const { as, capture } = await start();
    const told = Promise.withResolvers<string>();
    const first = new AbortController();
    const none = as("planner").listenToEvents({ signal: first.signal, onId: told.resolve }).next();
    const lastEventId = await told.promise;
    first.abort();
    expect((await none).done).toBe(true);
    const { memory } = await capture("diet");
    const second = new AbortController();
    const feed = as("planner").listenToEvents({ signal: second.signal, lastEventId });
    expect((await feed.next()).value?.data.memoryId).toBe(memory.memoryId);
    second.abort();
    await feed.return(undefined);
  });
});
