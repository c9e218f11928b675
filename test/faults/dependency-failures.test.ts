// A dependency of the service fails. The service answers with a problem that discloses nothing, and recovers by itself.
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test, vi } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { PortcullisError } from "#core/errors.ts";
import { expectProblem, GOOD_BODIES } from "#test/support/bodies.ts";
import { type Answer, post, problemIn, send } from "#test/support/send.ts";
import { changingNothing, directoryForTest, serviceForTest } from "#test/support/service.ts";
import { expectUnavailable } from "./expect-unavailable.ts";

const TABLES = ["counters", "memories", "forgotten", "access", "access_changes", "receipts", "anchors"];

const REQUESTS: Readonly<Record<string, (url: string) => Promise<Answer>>> = {
  ...Object.fromEntries(
    Object.entries(GOOD_BODIES).map(([path, body]) => [`POST ${path}`, (url: string) => post(`${url}${path}`, body)]),
  ),
  "POST /api/reset": (url) => send(`${url}/api/reset`, { method: "POST" }),
  "GET /api/memories": (url) => send(`${url}/api/memories`),
  "GET /api/memories?limit=5": (url) => send(`${url}/api/memories?limit=5`),
  "GET /api/policy": (url) => send(`${url}/api/policy`),
  "GET /readyz": (url) => send(`${url}/readyz`),
};

describe("a database that has lost its tables", () => {
  test.for(Object.entries(REQUESTS))("makes %s answer 503, and 200 as soon as they are back", async ([, ask]) => {
    const database = join(await directoryForTest(), "memories.db");
    const service = await serviceForTest({ database });
    const other = new DatabaseSync(database);
    await changingNothing(service, async () => {
      for (const table of TABLES) other.exec(`ALTER TABLE ${table} RENAME TO lost_${table}`);
      expectUnavailable(await ask(service.url));
      expect((await send(`${service.url}/livez`)).status).toBe(200);
      for (const table of TABLES) other.exec(`ALTER TABLE lost_${table} RENAME TO ${table}`);
    });
    other.close();
    expect((await ask(service.url)).status).toBe(200);
  });
});

test("a write answers 503 while another program locks the database, and 200 when it is free again", async () => {
  const database = join(await directoryForTest(), "memories.db");
  const service = await serviceForTest({ database });
  const other = new DatabaseSync(database);
  other.exec("BEGIN IMMEDIATE");
  const capture = () => post(`${service.url}/api/memories`, GOOD_BODIES["/api/memories"]);
  expectUnavailable(await changingNothing(service, capture));
  other.exec("COMMIT");
  other.close();
  expect((await capture()).status).toBe(200);
});

test("readiness is 503 while the database does not answer, and 200 when it does again", async () => {
  const records = sqliteRecords({ path: ":memory:" });
  let reachable = true;
  const ping = async () => {
    if (!reachable) throw new PortcullisError("records-unavailable", "The database does not answer.");
    await records.ping();
  };
  const { url } = await serviceForTest({ overrides: { records: { ...records, ping } } });
  expect((await send(`${url}/readyz`)).status).toBe(200);
  reachable = false;
  expectUnavailable(await send(`${url}/readyz`));
  reachable = true;
  expect((await send(`${url}/readyz`)).status).toBe(200);
});

describe("an unexpected error", () => {
  const SECRET = "the-secret-of-the-error";
  const THROWN: Readonly<Record<string, () => unknown>> = {
    "an error": () => new Error(`${SECRET} /home/somebody/file.ts`),
    "an error with a code of ours": () => Object.assign(new Error(SECRET), { code: "body-too-large" }),
    "an error with a status of its own": () => Object.assign(new Error(SECRET), { status: 404, expose: true }),
    "a text": () => SECRET,
    null: () => null,
    "an object whose every property throws": () => new Proxy({}, { get: () => expect.fail(SECRET) }),
  };

  test.for(Object.entries(THROWN))(
    "that is %s gives 500, and its message and stack stay out of the answer",
    async ([, thrown]) => {
      let failing = true;
      const model = {
        name: "failing",
        complete: () =>
          failing ? Promise.reject(thrown()) : Promise.resolve({ text: "All is well.", model: "failing" }),
      };
      const { client, url, logLines } = await serviceForTest({ overrides: { model } });
      for (const path of ["/api/chat", "/api/companion"] as const) {
        const answer = await post(`${url}${path}`, GOOD_BODIES[path]);
        expectProblem(answer, 500, "internal");
        expect(answer.text).not.toContain(SECRET);
        expect(answer.text).not.toMatch(/\bat |\.ts|node:|stack/);
        const { requestId } = problemIn(answer);
        expect(logLines.some((line) => line.includes(`"${requestId}"`) && line.includes('"level":50'))).toBe(true);
      }
      failing = false;
      expect((await client.chat(GOOD_BODIES["/api/chat"])).answer).toBe("All is well.");
    },
  );
});

test("a model that fails gives 502, and no receipt is issued", async () => {
  const records = sqliteRecords({ path: ":memory:" });
  const addReceipt = vi.fn(records.receipts.add);
  const model = {
    name: "failing",
    complete: () => Promise.reject(new PortcullisError("model-failed", "The model does not answer.")),
  };
  const { url } = await serviceForTest({
    overrides: { model, records: { ...records, receipts: { ...records.receipts, add: addReceipt } } },
  });
  expectProblem(await post(`${url}/api/chat`, GOOD_BODIES["/api/chat"]), 502, "model-failed");
  expect(addReceipt).not.toHaveBeenCalled();
});

test("a blob store that takes nothing makes a capture, an anchor and a reset fail, and nothing is recorded", async () => {
  const store = memoryBlobs();
  let full = false;
  const put = (bytes: Uint8Array) =>
    full ? Promise.reject(new PortcullisError("blob-store-failed", "The store is full.")) : store.put(bytes);
  const service = await serviceForTest({ overrides: { blobs: { ...store, put } } });
  full = true;
  await changingNothing(service, async () => {
    for (const path of ["/api/memories", "/api/anchor"] as const) {
      expectProblem(await post(`${service.url}${path}`, GOOD_BODIES[path]), 502, "blob-store-failed");
    }
    expectProblem(await send(`${service.url}/api/reset`, { method: "POST" }), 502, "blob-store-failed");
  });
});

test("an answer whose receipt cannot be recorded is not released", async () => {
  const records = sqliteRecords({ path: ":memory:" });
  const addReceipt = () => Promise.reject(new PortcullisError("records-unavailable", "The disk is full."));
  const { url } = await serviceForTest({
    overrides: { records: { ...records, receipts: { ...records.receipts, add: addReceipt } } },
  });
  const answer = await post(`${url}/api/chat`, GOOD_BODIES["/api/chat"]);
  expectUnavailable(answer);
  expect(answer.text).not.toContain("satay");
});
