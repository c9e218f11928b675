// Beside a tenant with the same names: an id of it is no id, its header no other header, and what happens in it is in no
// stream, metric, log or repeated reply of the first.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type RouteName, TENANT_HEADER } from "#contract/paths.ts";
import { routes } from "#contract/routes.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import type { SecondTenant } from "#test/support/second-tenant.ts";
import { type Answer, post, send } from "#test/support/send.ts";
import { createWorld, type World } from "./world.ts";

type IdName = keyof SecondTenant["ids"];

interface IdRequest {
  readonly id: IdName;
  readonly body?: (id: string) => unknown;
}

/** Every row of the table that takes an id of a record, in its path or in its body. */
const BY_ID: Partial<Record<RouteName, readonly IdRequest[]>> = {
  getMemory: [{ id: "memoryId" }],
  updateMemory: [{ id: "memoryId", body: () => ({ pinned: true }) }],
  forgetMemory: [{ id: "memoryId" }],
  listUses: [{ id: "memoryId" }],
  explain: [{ id: "memoryId", body: (memoryId) => ({ agentId: "assistant", query: "tea", memoryId }) }],
  getTombstone: [{ id: "memoryId" }],
  capture: [{ id: "memoryId", body: (supersedes) => ({ ...FACT, supersedes }) }],
  getReceipt: [{ id: "answerId" }],
  listBlocked: [{ id: "answerId" }],
  getReceiptProof: [{ id: "answerId" }],
  getReceiptProofFile: [{ id: "answerId" }],
  anchorReceipt: [{ id: "answerId", body: (answerId) => ({ answerId }) }],
  anchorOnChain: [{ id: "answerId", body: (answerId) => ({ answerId }) }],
  findAnchors: [{ id: "answerId" }, { id: "storeRef" }],
  rotateKey: [{ id: "keyId" }],
  revokeKey: [{ id: "keyId" }],
  acceptProposal: [{ id: "proposalId" }],
  declineProposal: [{ id: "proposalId" }],
  removeWebhook: [{ id: "webhookId" }],
  listDeliveries: [{ id: "webhookId" }],
};
const FACT = { namespace: "diet", content: "Tea at five.", sourceAgent: "seed" };

/** They take no id of a record: those of tenants and templates are for operators, and what is on the ledger is public. */
const WITHOUT_RECORDS: readonly RouteName[] = [
  ...(["getNamespace", "putNamespace", "getByKey", "forgetByKey"] as const),
  ...(["verify", "verifyWithOpening", "ledgerObject", "ledgerTransaction"] as const),
  ...(["getTemplate", "putTemplate", "deleteTemplate"] as const),
];

const bearer = (key: string) => ({ authorization: `Bearer ${key}` });

/** Of the same form, and of nothing. */
const unknownLike = (id: string) => id.slice(0, -6) + [...id.slice(-6)].map((c) => (c === "2" ? "3" : "2")).join("");

/** All that a caller can see of it, but what differs from one request to the next. */
function seenOf({ status, headers, text }: Answer, id: string): unknown {
  const { date: _, "portcullis-request-id": __, "x-request-id": ___, ...others } = headers;
  return { status, headers: others, text: text.replace(/"(requestId|instance)":"[^"]*"/g, "").replaceAll(id, "<id>") };
}

test("every row with an id in its path is among those that are tried", () => {
  const names = (Object.keys(routes) as RouteName[]).filter((name) => /\{(?!tenantId)/.test(routes[name].path));
  const tried = new Set<string>([...Object.keys(BY_ID), ...WITHOUT_RECORDS]);
  expect(names.filter((name) => !tried.has(name))).toEqual([]);
});

describe.for(["sqlite", "postgres"] as const)("Beside a tenant with the same names, on %s,", (kind) => {
  let world: World;
  let drop: (() => Promise<void>) | undefined;
  beforeAll(async () => {
    const database = kind === "postgres" ? await freshDatabase() : undefined;
    drop = database?.drop;
    world = await createWorld(database && { database: database.url });
  });
  afterAll(async () => {
    await world.service.stop();
    await drop?.();
  });

  const call = (name: RouteName, id: string, body?: unknown) => {
    const { method, path } = routes[name];
    const sent = body === undefined ? {} : { body: JSON.stringify(body) };
    const headers = { ...bearer(world.keys.admin), ...(body !== undefined && { "content-type": "application/json" }) };
    return send(`${world.service.url}${path.replace(/\{\w+\}/, id)}`, { method, headers, ...sent });
  };

  test.for(
    Object.entries(BY_ID).flatMap(([name, requests]) =>
      requests.map((request) => [name as RouteName, request.id, request] as const),
    ),
  )("%s answers its %s as it answers one of nothing, to the byte", async ([name, idName, { body }]) => {
    const id = world.second.ids[idName];
    const none = unknownLike(id);
    const { memory } = await world.second.admin.getMemory(world.second.ids);
    const [found, unknown] = [await call(name, id, body?.(id)), await call(name, none, body?.(none))];
    expect(unknown.status, unknown.text).toBe(404);
    expect(seenOf(found, id)).toEqual(seenOf(unknown, none));
    // What it was sent to is as before.
    expect((await world.second.admin.getMemory(world.second.ids)).memory).toEqual(memory);
  });

  test("its id in the header is refused as one of nothing, to the byte", async () => {
    const { service, keys, second } = world;
    for (const key of [keys.admin, keys.agent, world.operator]) {
      const [found, unknown] = await Promise.all(
        [second.id, unknownLike(second.id)].map((id) =>
          send(`${service.url}/api/memories`, { headers: { ...bearer(key), [TENANT_HEADER]: id } }),
        ),
      );
      expect(found?.status).toBe(403);
      expect(seenOf(found as Answer, second.id)).toEqual(seenOf(unknown as Answer, unknownLike(second.id)));
    }
  });

  test("its blob is none", async () => {
    const { service, keys, second } = world;
    const blob = (id: string) => send(`${service.url}/v1/blobs/${id}`, { headers: bearer(keys.admin) });
    for (const id of [second.ids.storeRef, unknownLike(second.ids.storeRef)]) expect((await blob(id)).status).toBe(404);
  });

  test("what happens in it is in no event, metric, log or reply to the same Idempotency-Key", async () => {
    const { service, keys, second } = world;
    const aborts = new AbortController();
    const stream = await fetch(`${service.url}/api/events`, { headers: bearer(keys.admin), signal: aborts.signal });
    const events = readUntil(stream, "companion");

    const again = { "idempotency-key": "the-same" };
    const question = { agentId: "assistant", query: "What is the secret word?" };
    const chat = (key: string) => post(`${service.url}/api/chat`, question, { ...bearer(key), ...again });
    const own = await chat(second.adminKey);
    expect(own.text).toContain(second.textCanary);
    const { memory } = await second.admin.capture({ ...FACT, content: second.textCanary });
    await second.admin.setAccess({ agentId: "planner", namespace: "diet", allowed: false });
    await second.admin.forgetMemory({ memoryId: memory.memoryId });

    expect(second.tracesIn((await chat(keys.admin)).text)).toEqual([]);
    await post(
      `${service.url}/api/policy`,
      { agentId: "companion", namespace: "diet", allowed: true },
      bearer(keys.admin),
    );
    const seen = await events;
    aborts.abort();
    expect(seen).toContain("companion");
    expect(seen).not.toContain(memory.memoryId);
    expect(seen).not.toContain("planner");
    expect(second.tracesIn(seen)).toEqual([]);
    for (const key of [keys.admin, world.operator]) {
      const metrics = await send(`${service.url}/metrics`, { headers: bearer(key) });
      expect(metrics.status).toBe(200);
      expect(second.tracesIn(metrics.text)).toEqual([]);
    }
    expect(service.logLines.filter((line) => line.includes(second.textCanary))).toEqual([]);
  });

  test("exports, pages and reports of the first hold nothing of it", async () => {
    const { service, keys, second } = world;
    const lists = (Object.keys(routes) as RouteName[]).filter(
      (name) => routes[name].method === "GET" && !routes[name].path.includes("{") && name !== "listenToEvents",
    );
    expect(lists.length).toBeGreaterThan(15);
    const ids = Object.values(second.ids);
    for (const name of lists) {
      const { text } = await send(`${service.url}${routes[name].path}`, { headers: bearer(keys.admin) });
      expect(second.tracesIn(text), name).toEqual([]);
      expect(
        ids.filter((id) => text.includes(id)),
        name,
      ).toEqual([]);
    }
  });
});

async function readUntil({ body }: Response, end: string): Promise<string> {
  let read = "";
  for await (const piece of (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream())) {
    read += piece;
    if (read.includes(end)) return read;
  }
  throw new Error(`the stream ended before ${end}`);
}
