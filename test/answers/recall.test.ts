// POST /api/recall: the gate and the ranking without a model, behind the same fence as an answer, always on record.

import { describe, expect, onTestFinished, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import type { Overrides } from "#compose.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { RecalledMemories } from "#service/answers/answered.ts";
import { recallMemories } from "#service/answers/recall-memories.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked } from "#test/support/asked.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { isCommitted } from "#test/support/reference-encoding.ts";
import { post } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";
import { testTenant } from "#test/support/tenant.ts";

const DATABASES = {
  SQLite: async () => ":memory:",
  async PostgreSQL() {
    const { url, drop } = await freshDatabase();
    onTestFinished(drop);
    return url;
  },
};

type Issued = Parameters<typeof isCommitted>[0];

const EVERYTHING = { agentId: "assistant", query: "What do you know about me?" };
const QUESTION = { agentId: "assistant", query: "dinner on Friday" };

describe.each(Object.entries(DATABASES))("POST /api/recall on %s", (_, database) => {
  test("gives allowed memories with score and reason, and lists every other namespace as blocked", async () => {
    const { client } = await serviceForTest({ database: await database() });
    await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
    const { memories, blockedNamespaces, receipt } = await client.recall(QUESTION);
    expect(memories.length).toBeGreaterThan(0);
    expect(memories.every(({ score, why }) => typeof score === "number" && typeof why === "object")).toBe(true);
    expect(memories.map(({ namespace }) => namespace)).not.toContain("health");
    expect(JSON.stringify(memories)).not.toContain("peanut");
    expect(blockedNamespaces).toEqual(["finance", "health"]);
    expect(receipt).toMatchObject({ agentId: "assistant", blockedNamespaces });
  });

  test("reads a question together with the turns before it, and its receipt commits to both", async () => {
    const { client } = await serviceForTest({ database: await database(), environment: { SEED: "none" } });
    const facts = [
      "The flight to Lisbon goes at 7:40 on 14 May.",
      "The bus to the office goes at 8:15.",
      "Leaves fall.",
    ];
    for (const content of facts) await client.capture({ namespace: "travel", content, sourceAgent: "planner" });
    await client.setAccess({ agentId: "planner", namespace: "travel", allowed: true });
    const query = "When does it\ngo?";
    const messages = [
      { role: "user", content: "Tell me about my trip to Lisbon." },
      { role: "assistant", content: "Which part of it?" },
    ] as const;
    const asked = { agentId: "planner", query, messages: [...messages] };
    const { memories, receipt, opening } = await client.recall(asked);
    expect(memories[0]?.content).toBe(facts[0]);
    const text = "Me: Tell me about my trip to Lisbon.\nYou: Which part of it?\nMe: When does it go?";
    expect(isCommitted({ receipt, opening } as Issued, "/question", text)).toBe(true);
    const answered = await client.chat(asked);
    expect(answered.answer).toContain("7:40");
    expect(isCommitted(answered, "/question", text)).toBe(true);
    expect(isCommitted(await client.chat({ agentId: "planner", query }), "/question", query)).toBe(true);
  });

  test("puts what was named in the turns before a question above what only shares their other words", async () => {
    const { client } = await serviceForTest({ database: await database() });
    const found = async (query: string, ...said: readonly string[]) => {
      const messages = said.map((content, i) => ({
        role: i % 2 === 0 ? ("user" as const) : ("assistant" as const),
        content,
      }));
      const { memories } = await client.recall({ agentId: "assistant", query, messages });
      return memories.filter(({ why }) => why.pinned !== true)[0]?.content;
    };
    const trip = "Tell me about my trip to Lisbon";
    const flight = "Flies to Lisbon on 12 May at 07:40 and prefers an aisle seat.";
    expect(await found("When does it leave?", trip)).toBe(flight);
    expect(await found("When does it leave?", trip, "The passport must be renewed before the trip.")).toBe(flight);
    // What the question itself says counts more.
    expect(await found("When must the passport be renewed?", trip, flight)).toMatch(/^The passport/);
    expect(await found("When do I meet the team lead?", trip, flight)).toMatch(/^Meets the team lead/);
  });

  test("refuses more turns than ten, other roles, empty ones, and too long a conversation", async () => {
    const { url } = await serviceForTest({ database: await database() });
    const turn = { role: "user", content: "Hello." };
    for (const [messages, pointer] of [
      [Array(11).fill(turn), "#/messages"],
      [[{ ...turn, role: "system" }], "#/messages/0/role"],
      [[{ ...turn, content: " " }], "#/messages/0/content"],
      [[{ ...turn, name: "Ada" }], "#/messages/0/name"],
      [[turn, { ...turn, content: "x".repeat(3_990) }], "#/messages"],
    ] as const)
      for (const path of ["/api/recall", "/api/chat"])
        expectProblem(await post(`${url}${path}`, { ...QUESTION, messages }), 400, "invalid-request", pointer);
  });

  test("has a receipt of what was given, on record, without question, score or reason", async () => {
    const { client } = await serviceForTest({ database: await database() });
    const { memories, receipt, opening } = await client.recall(QUESTION);
    if (opening === undefined || receipt === undefined) throw new Error("the reply holds the receipt by default");
    expect(await client.getReceipt(receipt)).toMatchObject({ receipt });
    expect(receipt.usedMemories.map(({ memoryId }) => memoryId)).toEqual(memories.map(({ memoryId }) => memoryId));
    expect(receipt.usedMemories.every(({ verified, intact, authorized }) => verified && intact && authorized)).toBe(
      true,
    );
    const given = memories.map(({ memoryId, content }) => ({ memoryId, content }));
    expect(receipt.evidence).toMatchObject({ kind: "recalled", model: null, template: null });
    expect(isCommitted({ receipt, opening }, "/answer", given)).toBe(true);
    expect(isCommitted({ receipt, opening }, "/question", QUESTION.query)).toBe(true);
    expect(receipt.usedMemories.map((used) => used.given)).toEqual(memories.map(({ content }) => content.length));
    expect(JSON.stringify(receipt)).not.toMatch(/"why"|"score"/);
    // It can be anchored as any other.
    expect((await client.anchorReceipt({ receipt })).verified).toBe(true);
  });

  test("is on record also when the receipt is not wanted", async () => {
    const { client } = await serviceForTest({ database: await database() });
    const { memories, ...rest } = await client.recall({ ...QUESTION, receipt: false });
    expect(rest).toEqual({ blockedNamespaces: ["finance"] });
    const { receipts } = await client.listReceipts();
    expect(receipts).toHaveLength(1);
    expect(receipts[0]?.receipt.usedMemories).toHaveLength(memories.length);
  });

  test("gives an unknown agent nothing, and blocks every namespace", async () => {
    const { client } = await serviceForTest({ database: await database() });
    const { memories, blockedNamespaces, receipt, opening } = await client.recall({
      agentId: "stranger",
      query: "peanut",
    });
    expect(memories).toEqual([]);
    expect(blockedNamespaces).toEqual(["diet", "finance", "fitness", "health", "travel", "work"]);
    if (opening === undefined || receipt === undefined) throw new Error("the reply holds the receipt by default");
    expect(receipt.usedMemories).toEqual([]);
    expect(isCommitted({ receipt, opening }, "/answer", [])).toBe(true);
  });
});

test.for([
  ["limit", "3"],
  ["limit", null],
  ["receipt", "no"],
  ["receipt", null],
] as const)("refuses the %s %j", async ([field, value]) => {
  const { url } = await serviceForTest();
  const body = { ...QUESTION, [field]: value };
  expectProblem(await post(`${url}/api/recall`, body), 400, "invalid-request", `#/${field}`);
});

test("answers as JSON also to a client that wants events", async () => {
  const { url } = await serviceForTest();
  const { headers, text } = await post(`${url}/api/recall`, QUESTION, { accept: "text/event-stream" });
  expect(headers["content-type"]).toBe("application/json");
  expect(JSON.parse(text)).toHaveProperty("memories");
});

describe("the limit", () => {
  test("is RECALL_LIMIT by default and at most, and at least 1", async () => {
    const { client } = await serviceForTest({ environment: { RECALL_LIMIT: "5" } });
    const count = async (limit?: number) =>
      (await client.recall({ ...EVERYTHING, ...(limit && { limit }) })).memories.length;
    expect(await count()).toBe(5);
    expect(await count(5)).toBe(5);
    expect(await count(1)).toBe(1);
    for (const limit of [6, 65, 0.5, -1]) {
      await expect(client.recall({ ...QUESTION, limit })).rejects.toMatchObject({
        status: 400,
        problem: { errors: [{ pointer: "#/limit" }] },
      });
    }
    await expect(client.recall({ ...QUESTION, limit: 6 })).rejects.toMatchObject({
      problem: { errors: [{ detail: expect.stringContaining("at most 5, the RECALL_LIMIT") }] },
    });
    expect((await client.listReceipts()).receipts).toHaveLength(3);
  });

  test("leaves pinned memories at most half of the places", async () => {
    const { client } = await serviceForTest();
    const recalled = async (limit: number) => {
      const { memories } = await client.recall({ ...QUESTION, query: "roadmap to the board", limit });
      return memories.map(({ namespace, why }) => [namespace, why.pinned]);
    };
    expect(await recalled(1)).toEqual([["work", undefined]]);
    expect(await recalled(2)).toEqual([
      ["health", true],
      ["work", undefined],
    ]);
  });
});

describe("the fence", () => {
  test("a revoke in flight makes the recall run again, without what was taken away", async () => {
    const tenant = await twoNamespaces(revokingBlobs(1));
    const { memories, blockedNamespaces, receipt } = await asked<RecalledMemories>((caller) =>
      recallMemories(tenant, ASK, caller),
    );
    expect(memories.map(({ namespace }) => namespace)).toEqual(["y"]);
    expect(blockedNamespaces).toEqual(["x"]);
    expect(receipt?.usedMemories.map(({ namespace }) => namespace)).toEqual(["y"]);
  });

  test("nothing is released when every attempt goes stale", async () => {
    const tenant = await twoNamespaces(revokingBlobs(Number.POSITIVE_INFINITY));
    await setAccess(tenant, { agentId: "a", namespace: "y", allowed: false }, { principal: OPEN });
    const released: unknown[] = [];
    const run = recallMemories(tenant, ASK, { release: (reply) => void released.push(reply) });
    await expect(run).rejects.toMatchObject({ code: "policy-changed" });
    expect(released).toEqual([]);
  });

  test("no memory is released before its receipt is on record", async () => {
    const tenant = await twoNamespaces();
    const { receipts } = tenant.records;
    const order: string[] = [];
    const watched = {
      ...tenant,
      records: {
        ...tenant.records,
        receipts: {
          ...receipts,
          async add(receipt: Parameters<typeof receipts.add>[0]) {
            await receipts.add(receipt);
            order.push("on record");
          },
        },
      },
    };
    await recallMemories(watched, { ...ASK, receipt: false }, { release: () => void order.push("released") });
    expect(order).toEqual(["on record", "released"]);
  });
});

const ASK = { agentId: "a", query: "text" };

async function twoNamespaces(overrides: (tenant: () => Tenant) => Overrides = () => ({})): Promise<Tenant> {
  const tenant: Tenant = testTenant(overrides(() => tenant));
  for (const namespace of ["x", "y"]) {
    await capture(tenant, { namespace, content: `text of ${namespace}`, sourceAgent: "s" });
    await setAccess(tenant, { agentId: "a", namespace, allowed: true }, { principal: OPEN });
  }
  return tenant;
}

/** Blobs whose check takes so long that the policy changes meanwhile, so many times: what is open closes, and back. */
function revokingBlobs(times: number) {
  return (tenant: () => Tenant): Overrides => {
    const blobs = memoryBlobs();
    let [reads, changes] = [0, 0];
    return {
      blobs: {
        ...blobs,
        async get(blobId, options) {
          const isFirst = reads++ === 0 || times > 1;
          if (isFirst && changes < times) {
            changes += 1;
            const [close, open] = changes % 2 === 1 ? ["x", "y"] : ["y", "x"];
            await setAccess(tenant(), { agentId: "a", namespace: close, allowed: false }, { principal: OPEN });
            if (times > 1)
              await setAccess(tenant(), { agentId: "a", namespace: open, allowed: true }, { principal: OPEN });
          }
          return blobs.get(blobId, options);
        },
      },
    };
  };
}
