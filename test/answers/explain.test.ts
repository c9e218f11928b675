// Explaining a recall, over HTTP.
import { expect, test } from "vitest";
import { createWorld } from "#test/identity/world.ts";
import { recordingModel } from "#test/support/models.ts";
import { post } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const FLIGHT = "When does the flight to Lisbon leave?";

test("An explanation gives what a recall gives, asks no model, leaves no receipt, and is in the decision log", async () => {
  const model = recordingModel();
  const { client } = await serviceForTest({ overrides: { model } });
  for (const agentId of ["assistant", "planner", "advisor", "nobody", "__proto__"]) {
    const { memories } = await client.explain({ agentId, query: FLIGHT, limit: 3 });
    expect(memories.every(({ fate, gate }) => (fate === "held-back") === (gate !== undefined))).toBe(true);
    const given = memories.filter(({ fate }) => fate === "given").map(({ memoryId }) => memoryId);
    const recalled = await client.recall({ agentId, query: FLIGHT, limit: 3, receipt: false });
    expect(given).toEqual(recalled.memories.map(({ memoryId }) => memoryId));
  }
  expect((await client.listReceipts()).receipts).toHaveLength(5);
  expect(model.prompts).toEqual([]);
  const { decisions } = await client.listDecisions({ limit: 100 });
  const rows = decisions.filter(({ route }) => route === "explain");
  expect(rows).toHaveLength(5);
  expect(rows[4]).toMatchObject({ agentId: "assistant", outcome: "given", kind: "read" });
  expect(JSON.stringify(rows)).not.toContain("Lisbon");
});

test("A named memory is explained whatever became of it", async () => {
  const { client, url } = await serviceForTest({ environment: { SEED: "none" } });
  const fact = { namespace: "garden", sourceAgent: "gardener", content: "The hydrangea needs acid soil." };
  const explained = async (memoryId: string) => {
    const { memories } = await client.explain({ agentId: "gardener", query: "hydrangea soil", memoryId });
    return memories.find((each) => each.memoryId === memoryId);
  };
  const { memory: first } = await client.capture({ ...fact, key: "soil" });
  expect(await explained(first.memoryId)).toMatchObject({
    fate: "held-back",
    gate: "blocked",
    why: { terms: ["hydrangea", "soil"] },
  });
  await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  expect(await explained(first.memoryId)).toMatchObject({ fate: "given", rank: 1, snippet: fact.content });
  const { memory: second } = await client.capture({ ...fact, key: "soil", content: "The hydrangea needs lime." });
  expect(await explained(first.memoryId)).toMatchObject({ fate: "superseded", supersededBy: second.memoryId });
  await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: false });
  expect(await explained(second.memoryId)).toMatchObject({ fate: "held-back", gate: "revoked" });
  await client.forgetMemory({ memoryId: second.memoryId });
  expect(await explained(second.memoryId)).toEqual({
    memoryId: second.memoryId,
    namespace: "garden",
    fate: "forgotten",
  });
  // Long enough to be captured on a busy machine.
  const expiresAt = new Date(Date.now() + 2_000).toISOString();
  const { memory: brief } = await client.capture({ ...fact, content: "Water the hydrangea now.", expiresAt });
  await expect.poll(async () => (await explained(brief.memoryId))?.fate).toBe("expired");
  const unknown = await post(`${url}/api/explain`, { agentId: "gardener", query: "soil", memoryId: "mem_unknown" });
  expect(unknown.status).toBe(404);
  const above = await post(`${url}/api/explain`, { agentId: "gardener", query: "soil", limit: 64 });
  expect(above.status).toBe(400);
});

test("The admin of a namespace is told of it as if there were no other", async () => {
  const { keys, memoryIds, service } = await createWorld();
  try {
    const asked = async (key: string, more: object = {}) => {
      const body = { agentId: "assistant", query: "What is the secret?", ...more };
      const { status, text } = await post(`${service.url}/api/explain`, body, { authorization: `Bearer ${key}` });
      return { status, ...JSON.parse(text) };
    };
    const { memories, incomplete } = await asked(keys.namespaceAdmin);
    expect(incomplete).toBe(true);
    expect(new Set(memories.map(({ namespace }: { namespace: string }) => namespace))).toEqual(new Set(["garden"]));
    expect((await asked(keys.namespaceAdmin, { memoryId: memoryIds.diet })).status).toBe(404);
    expect((await asked(keys.admin, { memoryId: memoryIds.diet })).status).toBe(200);
    const asAgent = { authorization: `Bearer ${keys.admin}`, "portcullis-agent": "assistant" };
    const refused = await post(`${service.url}/api/explain`, { agentId: "assistant", query: "x" }, asAgent);
    expect(refused.status).toBe(403);
  } finally {
    await service.stop();
  }
});
