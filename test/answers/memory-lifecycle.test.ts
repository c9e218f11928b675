// The life of a memory, end to end: it is captured, allowed, used, revoked and forgotten.
import { expect, test } from "vitest";
import { recordingModel } from "#test/support/models.ts";
import { blobIdOf, digest, isCommitted, sortedJson } from "#test/support/reference-encoding.ts";
import { serviceForTest } from "#test/support/service.ts";

const GARDEN = { namespace: "garden", content: "The blue hydrangea needs acid soil.", sourceAgent: "gardener" };
const ASK = { agentId: "gardener", query: "Which soil does the hydrangea need?" };
const ALLOW = { agentId: "gardener", namespace: "garden", allowed: true };
const REVOKE = { ...ALLOW, allowed: false };

test("a captured memory has an id, a time, a digest and a blob id, and comes first in the list", async () => {
  const now = new Date("2026-05-01T10:00:00.000Z");
  const { client } = await serviceForTest({ overrides: { now: () => now } });
  const { memory } = await client.capture(GARDEN);
  const bytes = sortedJson(GARDEN);
  expect(memory).toEqual({
    ...GARDEN,
    memoryId: expect.stringMatching(/^mem_[0-9a-z]{26}$/),
    storeRef: blobIdOf(bytes),
    createdAt: "2026-05-01T10:00:00.000Z",
    contentDigest: digest(bytes),
  });
  const { memories } = await client.listMemories();
  expect(memories[0]).toEqual(memory);
  expect(memories).toHaveLength(15);
});

test("the agent that captured a memory may not use it until it is allowed to", async () => {
  const model = recordingModel();
  const { client } = await serviceForTest({ overrides: { model } });
  await client.capture(GARDEN);
  const { answer, receipt } = await client.chat(ASK);
  expect(receipt.usedMemories).toEqual([]);
  expect(receipt.blockedNamespaces).toContain("garden");
  expect(answer).not.toContain("acid");
  expect(JSON.stringify(model.prompts)).not.toContain("acid");
});

test("an allowed memory is in the answer, and in the receipt as verified and intact", async () => {
  const { client } = await serviceForTest();
  const { memory } = await client.capture(GARDEN);
  const { policy } = await client.setAccess(ALLOW);
  expect(policy.gardener).toEqual({ garden: true });
  const { answer, receipt } = await client.chat(ASK);
  expect(answer).toContain(GARDEN.content);
  expect(receipt).toMatchObject({ agentId: "gardener", answerId: expect.stringMatching(/^ans_[0-9a-z]{26}$/) });
  expect(receipt.usedMemories).toEqual([
    {
      memoryId: memory.memoryId,
      namespace: "garden",
      snippet: GARDEN.content,
      storeRef: memory.storeRef,
      contentDigest: memory.contentDigest,
      given: GARDEN.content.length,
      authorized: true,
      verified: true,
      intact: true,
      cited: true,
    },
  ]);
  expect(receipt.blockedNamespaces).toEqual(["diet", "finance", "fitness", "health", "travel", "work"]);
});

test("a revoked namespace is in no prompt, answer or receipt any more, and is listed as blocked", async () => {
  const model = recordingModel();
  const { client } = await serviceForTest({ overrides: { model } });
  await client.capture(GARDEN);
  await client.setAccess(ALLOW);
  expect((await client.chat(ASK)).answer).toContain("acid");
  expect(JSON.stringify(model.prompts.at(-1))).toContain("acid");

  const { policy } = await client.setAccess(REVOKE);
  expect(policy.gardener).toEqual({ garden: false });
  const { answer, receipt } = await client.chat(ASK);
  expect(model.prompts).toHaveLength(2);
  expect(JSON.stringify(model.prompts.at(-1))).not.toContain("acid");
  expect(answer).not.toContain("acid");
  expect(JSON.stringify(receipt)).not.toContain("acid");
  expect(receipt.usedMemories).toEqual([]);
  expect(receipt.blockedNamespaces).toContain("garden");
});

test("the blocked namespaces do not depend on the question", async () => {
  const { client } = await serviceForTest();
  const answers = await Promise.all(
    ["peanut allergy", "euros", "nothing of the kind"].map((query) => client.chat({ agentId: "planner", query })),
  );
  for (const { receipt } of answers) expect(receipt.blockedNamespaces).toEqual(["finance", "fitness", "health"]);
});

test("every change of the policy has a new version, and setting what is already set has none", async () => {
  const { client } = await serviceForTest();
  const { version } = await client.getPolicy();
  expect(await client.setAccess(ALLOW)).toMatchObject({ version: version + 1 });
  expect(await client.setAccess(ALLOW)).toMatchObject({ version: version + 1 });
  const revoked = await client.setAccess(REVOKE);
  expect(revoked).toMatchObject({ version: version + 2 });
  expect(await client.getPolicy()).toEqual(revoked);
});

test("the evidence in a receipt can be derived from the policy's hash chain, the prompt and the answer", async () => {
  const model = recordingModel();
  const { client, tenant } = await serviceForTest({ overrides: { model } });
  const { version } = await client.getPolicy();
  const hashes = await tenant.records.audit(({ rows }) => Array.fromAsync(rows("policyChain")));
  const query = "Which mornings are for runs?";
  const answered = await client.chat({ agentId: "assistant", query });
  expect(answered.receipt.evidence).toMatchObject({
    v: 2,
    kind: "answered",
    template: "assistant/1",
    policyVersion: version,
    policyDigest: digest(hashes[version]?.chainHash ?? ""),
    model: "portcullis-extractive-2",
  });
  expect(isCommitted(answered, "/question", query)).toBe(true);
  expect(isCommitted(answered, "/prompt", model.prompts[0])).toBe(true);
  expect(isCommitted(answered, "/answer", answered.answer)).toBe(true);
  expect(isCommitted(answered, "/answer", `${answered.answer} `)).toBe(false);
});

test("the demo's answer about Friday's dinner loses its warning when health is revoked", async () => {
  const { client } = await serviceForTest();
  const ask = { agentId: "assistant", query: "What is planned for dinner on Friday?" };
  const before = await client.chat(ask);
  expect(before.answer).toContain("satay");
  expect(before.answer).toContain("peanut allergy");

  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  const after = await client.chat(ask);
  expect(after.answer).toContain("Lotus");
  expect(after.answer).not.toContain("allergy");
  expect(after.receipt.blockedNamespaces).toEqual(["finance", "health"]);
  expect(after.receipt.usedMemories.map(({ namespace }) => namespace)).not.toContain("health");
});

test("a reset restores the seed memories and the default policy, and the version still grows", async () => {
  const { client } = await serviceForTest();
  const seed = await client.listMemories();
  const start = await client.getPolicy();
  await client.capture(GARDEN);
  await client.setAccess(ALLOW);
  const { version } = await client.setAccess({ agentId: "companion", namespace: "diet", allowed: false });

  expect(await client.resetDemo()).toEqual({ ok: true });
  const { memories } = await client.listMemories();
  const facts = (list: typeof memories) =>
    list.map(({ namespace, content, storeRef }) => [namespace, content, storeRef]);
  expect(facts(memories)).toEqual(facts(seed.memories));
  const { policy, version: grown } = await client.getPolicy();
  expect(policy).toEqual(start.policy);
  expect(grown).toBeGreaterThan(version);
  const { receipt } = await client.chat({ agentId: "assistant", query: "hydrangea soil" });
  expect(JSON.stringify(receipt)).not.toContain("hydrangea");
  expect(receipt.usedMemories.every(({ verified, intact }) => verified && intact)).toBe(true);
});

test("a new service starts with the memories and the policy of the demo", async () => {
  const { client } = await serviceForTest();
  const { memories } = await client.listMemories();
  const { policy } = await client.getPolicy();
  expect(memories).toHaveLength(14);
  expect(new Set(memories.map(({ namespace }) => namespace))).toEqual(
    new Set(["health", "diet", "fitness", "travel", "work", "finance"]),
  );
  expect(Object.keys(policy).sort()).toEqual(["advisor", "assistant", "companion", "planner"]);
  expect(policy.companion).toMatchObject({ health: true, diet: true, fitness: true });
  expect(Object.values(policy).flatMap((rules) => Object.values(rules))).toContain(false);
});
