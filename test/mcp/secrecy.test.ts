// What an agent can learn through MCP: its own, and nothing of others or of what is closed to it.
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { canaryOf, createWorld, type World } from "#test/identity/world.ts";
import { CLIENTS, type McpClient } from "./clients.ts";

let world: World;
beforeAll(async () => {
  world = await createWorld();
});
afterAll(() => world.service.stop());

/** Of the same form as one that exists. */
const UNKNOWN_MEMORY = "mem_01k9b0zv3e5kq2w8r7t6y5x4n3";
const UNKNOWN_ANSWER = "ans_01k9b0zv3e5kq2w8r7t6y5x4n3";

describe.for(["the SDK over HTTP", "the first SDK over a process"])("With %s,", (kind) => {
  let client: McpClient;
  beforeAll(async () => {
    client = await (CLIENTS[kind] as (typeof CLIENTS)[string])({ url: world.service.url, key: world.keys.agent });
  });
  afterAll(() => client.close());

  /** All that comes back, results and errors alike, without the id that was sent and the id of the request. */
  async function outcomeOf(action: () => Promise<unknown>, id: string): Promise<string> {
    const outcome = await action().catch((error) => ({ message: error.message, code: error.code, data: error.data }));
    return JSON.stringify(outcome)
      .replaceAll(id, "<id>")
      .replaceAll(/"requestId":"[^"]*"/g, "<request>");
  }

  test("what is closed, what is another's and what nobody has look the same", async () => {
    const { memoryIds, answerIds } = world;
    const memories = [memoryIds.finance, memoryIds.garden, UNKNOWN_MEMORY];
    const receipts = [answerIds.otherAgent, UNKNOWN_ANSWER];
    const attempts: [readonly string[], (id: string) => Promise<unknown>][] = [
      [memories, (memoryId) => client.callTool("forget", { memoryId })],
      [memories, (memoryId) => client.readResource(`portcullis://memories/${memoryId}`)],
      [memories, (supersedes) => client.callTool("remember", { namespace: "diet", content: "Tea.", supersedes })],
      [receipts, (answerId) => client.callTool("get_receipt", { answerId })],
      [receipts, (answerId) => client.readResource(`portcullis://receipts/${answerId}`)],
    ];
    for (const [ids, attempt] of attempts) {
      const outcomes = new Set(await Promise.all(ids.map((id) => outcomeOf(() => attempt(id), id))));
      expect([...outcomes]).toHaveLength(1);
      expect([...outcomes][0]).toMatch(/not-found|invalid-request/);
    }
    // One that it may read, and did not capture, is not its to forget.
    const own = await outcomeOf(() => client.callTool("forget", { memoryId: memoryIds.diet }), memoryIds.diet);
    expect(own).toContain("not-found");
  });

  test("no tool takes an agent, and no agent can be named", async () => {
    const { tools } = await client.listTools();
    for (const { inputSchema } of tools) expect(Object.keys(inputSchema.properties ?? {}).join()).not.toMatch(/agent/i);
    for (const argument of ["agentId", "sourceAgent", "agent", "viewAs", "captures"]) {
      for (const [name, given] of [
        ["remember", { namespace: "diet", content: "Tea." }],
        ["recall", { query: "What is the secret?" }],
        ["ask", { query: "What is the secret?" }],
        ["learn_from_conversation", { messages: [{ role: "user", content: "I like tea." }] }],
        ["explain_access", {}],
        ["get_receipt", { answerId: world.answerIds.agent }],
      ] as const) {
        const { isError, content } = await client.callTool(name, { ...given, [argument]: "planner" });
        expect([name, argument, isError]).toEqual([name, argument, true]);
        expect(content).toMatchObject([{ text: expect.stringContaining("invalid-request") }]);
      }
    }
  });

  test("nothing that comes out holds a blocked text, a count of blocked matches or another's name", async () => {
    const { memoryIds, answerIds } = world;
    const out: string[] = [await client.listings()];
    const take = async (action: () => Promise<unknown>) => void out.push(await outcomeOf(action, "none"));
    for (const query of ["What is the secret?", canaryOf("finance"), canaryOf("garden"), canaryOf("diet")]) {
      await take(() => client.callTool("recall", { query }));
      await take(() => client.callTool("ask", { query }));
    }
    const messages = [{ role: "user", content: "What is the secret? I like tea." }];
    await take(() => client.callTool("learn_from_conversation", { messages }));
    await take(() => client.callTool("learn_from_conversation", { messages, namespaces: ["finance"] }));
    await take(() => client.callTool("explain_access"));
    await take(() => client.callTool("get_receipt", { answerId: answerIds.agent }));
    await take(() => client.callTool("remember", { namespace: "finance", content: "x" }));
    await take(() => client.callTool("remember", { namespace: "diet", content: `The secret is ${canaryOf("diet")}.` }));
    for (const path of ["namespaces", "memories", "receipts", `memories/${memoryIds.garden}`, "../policy", "keys"])
      await take(() => client.readResource(`portcullis://${path}`));
    const all = out.join("\n");
    expect(all).toContain(canaryOf("diet"));
    // The question of a caller stands in no result, so a canary in one would be a memory's.
    expect(all).not.toContain(canaryOf("finance"));
    expect(all).not.toContain(canaryOf("garden"));
    expect(all).not.toContain("planner");
    expect(all).not.toContain(memoryIds.finance);
  });
});
