// Pins over HTTP: who is given a pinned memory, and which requests are refused.
import { describe, expect, test } from "vitest";
import type { Client } from "#contract/client/client.ts";
import { routes } from "#contract/routes.ts";
import { recordingModel } from "#test/support/models.ts";
import { send } from "#test/support/send.ts";
import { changingNothing, serviceForTest } from "#test/support/service.ts";

const capture = async (client: Client, content: string, namespace = "notes") =>
  (await client.capture({ namespace, content, sourceAgent: "s" })).memory;

describe("PATCH /api/memories/<memoryId>", () => {
  test("pins and unpins a memory, which GET, the list and its pages show", async () => {
    const { client } = await serviceForTest();
    const memory = await capture(client, "Tea at five.");
    expect((await client.updateMemory(memory, { pinned: true })).memory).toEqual({ ...memory, pinned: true });
    expect((await client.updateMemory(memory, { pinned: true })).memory).toEqual({ ...memory, pinned: true });
    expect((await client.getMemory(memory)).memory.pinned).toBe(true);
    expect((await client.listMemories()).memories[0]).toEqual({ ...memory, pinned: true });
    expect((await client.listMemories({ namespace: "notes" })).memories).toEqual([{ ...memory, pinned: true }]);
    expect((await client.updateMemory(memory, { pinned: false })).memory).toEqual(memory);
    expect((await client.listMemories({ q: "Tea at" })).memories).toEqual([memory]);
  });

  test("is for admins and those of its namespace, because a pinned memory goes into every prompt", () => {
    expect(routes.updateMemory.access).toEqual(["namespace-admin"]);
  });

  test("answers 404 for a memory that is not there, or was forgotten", async () => {
    const { client } = await serviceForTest();
    const memory = await capture(client, "Tea at five.");
    await client.resetDemo();
    for (const memoryId of [memory.memoryId, "mem_none"])
      await expect(client.updateMemory({ memoryId }, { pinned: true })).rejects.toMatchObject({ status: 404 });
  });

  test("answers 409 when the namespace has half of RECALL_LIMIT pinned, and says what to do", async () => {
    const service = await serviceForTest({ environment: { RECALL_LIMIT: "5" } });
    const { client } = service;
    const memories = [await capture(client, "one"), await capture(client, "two"), await capture(client, "three")];
    const [one, two, three] = memories as [(typeof memories)[0], (typeof memories)[0], (typeof memories)[0]];
    for (const memory of [one, two]) await client.updateMemory(memory, { pinned: true });
    await changingNothing(service, () =>
      expect(client.updateMemory(three, { pinned: true })).rejects.toMatchObject({
        status: 409,
        code: "too-many-pinned",
        message: expect.stringMatching(/as it can have: 2, half of RECALL_LIMIT\. Unpin another one first/),
      }),
    );
    await client.updateMemory(one, { pinned: false });
    await client.updateMemory(three, { pinned: true });
  });

  test.for([
    [{}, "#/pinned"],
    [{ pinned: "yes" }, "#/pinned"],
    [{ pinned: null }, "#/pinned"],
    [[], "#"],
  ] as const)("refuses %j with a pointer to the field", async ([body, pointer]) => {
    const service = await serviceForTest();
    const { memoryId } = await capture(service.client, "Tea at five.");
    const { status, text } = await send(`${service.url}/api/memories/${memoryId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json" },
      body: JSON.stringify(body),
    });
    expect(status).toBe(400);
    expect(JSON.parse(text).errors).toMatchObject([{ pointer }]);
  });

  test("refuses a page of another site", async () => {
    const service = await serviceForTest();
    const { memoryId } = await capture(service.client, "Tea at five.");
    const { status } = await send(`${service.url}/api/memories/${memoryId}`, {
      method: "PATCH",
      headers: { "content-type": "application/json", origin: "https://elsewhere.example" },
      body: '{"pinned":true}',
    });
    expect(status).toBe(403);
  });
});

describe("a pinned memory", () => {
  test("is in the prompt of every agent that may use it, however many newer ones there are, and of no other", async () => {
    const model = recordingModel();
    const { client } = await serviceForTest({ overrides: { model } });
    for (let i = 0; i < 20; i++) await capture(client, `Note number ${i} about the garden.`, "diet");
    await client.chat({ agentId: "assistant", query: "garden" });
    await client.chat({ agentId: "planner", query: "garden" });
    const [allowed, blocked] = model.prompts.map(({ user }) => user);
    expect(allowed).toMatch(/Severe peanut allergy.*"pinned":true/);
    expect(blocked).not.toContain("peanut allergy");
  });

  test("is the seed's allergy, in a new database and after a reset", async () => {
    const { client } = await serviceForTest();
    const pinned = async () =>
      (await client.listMemories()).memories
        .filter((memory) => memory.pinned)
        .map(({ content }) => content.slice(0, 21));
    expect(await pinned()).toEqual(["Severe peanut allergy"]);
    const [allergy] = (await client.listMemories({ q: "peanut allergy" })).memories;
    await client.updateMemory({ memoryId: allergy?.memoryId ?? "" }, { pinned: false });
    expect(await pinned()).toEqual([]);
    await client.resetDemo();
    expect(await pinned()).toEqual(["Severe peanut allergy"]);
  });

  test("takes at most half of the places when several namespaces have pins, and the newest win", async () => {
    const { client } = await serviceForTest({ environment: { RECALL_LIMIT: "4" } });
    const memories = [];
    for (const namespace of ["diet", "fitness", "travel"])
      memories.push(await capture(client, `Pin of ${namespace}.`, namespace));
    // Pinned in another order than captured: the age of the memory counts.
    for (const memory of memories.toReversed()) await client.updateMemory(memory, { pinned: true });
    const { memories: given } = await client.recall({ agentId: "assistant", query: "roadmap to the board" });
    expect(given.map(({ content, why }) => [content, why.pinned])).toEqual([
      ["Pin of travel.", true],
      ["Pin of fitness.", true],
      [expect.stringContaining("roadmap"), undefined],
      [expect.any(String), undefined],
    ]);
  });
});
