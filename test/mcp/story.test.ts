// The whole story, told by every kind of client: remember, recall, ask, read the receipt, verify it, forget.
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import type { Reply } from "#contract/routes.ts";
import { createWorld, type World } from "#test/identity/world.ts";
import { CLIENTS, type McpClient } from "./clients.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.service.stop());

async function connected(kind: string): Promise<McpClient> {
  const connect = CLIENTS[kind];
  if (connect === undefined) throw new Error(kind);
  return connect({ url: world.service.url, key: world.keys.agent });
}

/** The structured result of a tool that succeeds. */
async function called<T>(client: McpClient, name: string, given?: Record<string, unknown>): Promise<T> {
  const { isError, structuredContent, content } = await client.callTool(name, given);
  expect(isError, JSON.stringify(content)).not.toBe(true);
  return structuredContent as T;
}

describe.for(Object.keys(CLIENTS))("With %s,", (kind) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await connected(kind);
  });
  afterAll(() => client.close());

  test("an agent remembers, recalls, asks, reads and verifies its receipt, and forgets", async () => {
    const content = `Eats kedgeree on Sundays, says ${kind}.`;
    const { memory } = await called<Reply<"capture">>(client, "remember", { namespace: "diet", content });
    expect(memory).toMatchObject({ content, sourceAgent: "assistant" });

    const recalled = await called<Reply<"recall">>(client, "recall", { query: "kedgeree on Sundays", limit: 5 });
    expect(recalled.memories.map(({ memoryId }) => memoryId)).toContain(memory.memoryId);
    expect(recalled.blockedNamespaces).toEqual(["finance", "garden"]);
    expect(recalled.receipt?.evidence.kind).toBe("recalled");

    const { answer, receipt } = await called<Reply<"chat">>(client, "ask", { query: "What about kedgeree?" });
    expect(answer).toContain("kedgeree");
    const narrow = await called<Reply<"chat">>(client, "ask", { query: "kedgeree?", occurredFrom: "2026-01-01" });
    expect(narrow.receipt.usedMemories).toEqual([]);
    const http = createClient({ baseUrl: world.service.url, bearer: world.keys.agent });
    const { receiptId } = await http.anchorOnChain({ receipt });
    const entry = await called<Reply<"getReceipt">>(client, "get_receipt", { answerId: receipt.answerId });
    expect(entry).toMatchObject({ status: "issued", receipt: { agentId: "assistant" }, chain: [{ receiptId }] });
    expect(await called(client, "verify_receipt", { receiptId })).toMatchObject({ receiptId, verdict: "verified" });

    const { tombstone } = await called<Reply<"forgetMemory">>(client, "forget", {
      memoryId: memory.memoryId,
      reason: "told twice",
    });
    expect(tombstone).toMatchObject({ memoryId: memory.memoryId, reason: "told twice" });
    const { memories } = await called<Reply<"recall">>(client, "recall", { query: "kedgeree on Sundays" });
    expect(memories.map(({ memoryId }) => memoryId)).not.toContain(memory.memoryId);
  });

  test("it learns what it may use, and reads it as resources", async () => {
    expect(await called(client, "explain_access")).toEqual({
      agentId: "assistant",
      allowedNamespaces: ["diet"],
      revokedNamespaces: ["finance"],
      captures: ["diet"],
    });
    const { memoryIds, answerIds } = world;
    for (const [uri, expected] of [
      ["portcullis://namespaces", '"name":"diet"'],
      ["portcullis://memories", memoryIds.diet],
      [`portcullis://memories/${memoryIds.diet}`, memoryIds.diet],
      ["portcullis://receipts", '"assistant"'],
      [`portcullis://receipts/${answerIds.agent}`, answerIds.agent],
    ] as const) {
      expect(JSON.stringify(await client.readResource(uri)).replaceAll("\\", "")).toContain(expected);
    }
    const prompt = await client.getPrompt("answer_from_memory", { question: "What is for tea?" });
    expect(JSON.stringify(prompt)).toContain("What is for tea?");
  });
});

test("Every tool says whether it reads or destroys, and takes nothing that it does not name", async () => {
  const client = await connected("the SDK over HTTP");
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  expect(tools.map(({ name, annotations }) => ({ name, ...annotations }))).toMatchObject([
    { name: "remember", readOnlyHint: false, destructiveHint: false, idempotentHint: true },
    { name: "learn_from_conversation", readOnlyHint: false, destructiveHint: false, openWorldHint: true },
    { name: "recall", readOnlyHint: true, destructiveHint: false },
    { name: "ask", readOnlyHint: true, destructiveHint: false },
    { name: "forget", readOnlyHint: false, destructiveHint: true, idempotentHint: true },
    { name: "explain_access", readOnlyHint: true, openWorldHint: false },
    { name: "get_receipt", readOnlyHint: true, openWorldHint: false },
    { name: "verify_receipt", readOnlyHint: true, openWorldHint: true },
  ]);
  for (const { inputSchema } of tools) expect(inputSchema).toMatchObject({ additionalProperties: false });
});

test("Every tool says when to call it, and recall how many it gives at most", async () => {
  const client = await connected("the SDK over HTTP");
  onTestFinished(() => client.close());
  const { tools } = await client.listTools();
  for (const { description } of tools) expect(description).toMatch(/Call it (?:when|before)/);
  const { recallLimit } = await world.service.client.getService();
  const recall = tools.find(({ name }) => name === "recall");
  expect(recall?.inputSchema.properties).toMatchObject({ limit: { minimum: 1, maximum: recallLimit } });
  expect((await client.callTool("recall", { query: "tea", limit: recallLimit + 1 })).isError).toBe(true);
  expect((await client.callTool("recall", { query: "tea", limit: recallLimit })).isError).not.toBe(true);
});

test("A fact for a namespace that is not the agent's to write is refused with those that are", async () => {
  const client = await connected("the SDK over HTTP");
  onTestFinished(() => client.close());
  const { isError, content } = await client.callTool("remember", { namespace: "garden", content: "A rose." });
  expect(isError).toBe(true);
  expect(JSON.stringify(content)).toContain("It may capture into: diet.");
});
