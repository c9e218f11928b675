// The decision log as a timeline: who asked, what passed, what was held back, changes, captures, forgettings, anchors.
import { expect, test } from "vitest";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { serviceForTest } from "#test/support/service.ts";

test("a row says what it is about: the gate and its direction, the memory, the cause, the ids of an anchor", async () => {
  const { client } = await serviceForTest();
  const { receipt } = await client.chat({ agentId: "assistant", query: "Dinner?" });
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  const fact = { namespace: "diet", sourceAgent: "s" };
  const { memory } = await client.capture({ ...fact, content: "No nuts." });
  await client.forgetMemory({ memoryId: memory.memoryId });
  await client.capture({ ...fact, content: "No nuts at all.", key: "nuts" });
  await client.forgetMemories({ namespace: "diet", sourceAgent: "s" });
  await client.putNamespace({ name: "diet" }, { description: "Meals." });
  const anchored = await client.anchorOnChain({ answerId: receipt.answerId });

  const { decisions } = await client.listDecisions();
  const brief = decisions.map(({ kind, namespace, details }) => [kind, namespace, details]).reverse();
  expect(brief).toEqual([
    ["answer", undefined, undefined],
    ["policy", "health", { allowed: false }],
    ["capture", "diet", undefined],
    ["forgetting", "diet", { cause: "forgotten", memories: 1 }],
    ["capture", "diet", undefined],
    ["forgetting", "diet", { cause: "forgotten", memories: 1 }],
    ["setting", "diet", undefined],
    ["anchor", undefined, { blobId: anchored.storeBlob }],
    ["anchor", undefined, { blobId: anchored.storeBlob, receiptId: anchored.receiptId, txDigest: anchored.txDigest }],
  ]);
});

test("an expired memory is a row that names the service", async () => {
  const { client } = await serviceForTest();
  await client.capture({ namespace: "diet", content: "Cake today.", sourceAgent: "s", ttl: 1 });
  const isOver = async () => {
    await client.recall({ agentId: "assistant", query: "Cake today" });
    const { decisions } = await client.listDecisions({ kind: "forgetting" });
    return decisions;
  };
  await expect
    .poll(isOver)
    .toMatchObject([
      { kind: "forgetting", role: "service", route: "expiry", details: { cause: "expired", memories: 1 } },
    ]);
});

test("the timeline is filtered by kind, agent, namespace and time, in pages and as NDJSON", async () => {
  const { client, url } = await serviceForTest();
  await client.chat({ agentId: "assistant", query: "Dinner?" });
  await client.chat({ agentId: "planner", query: "Dinner?" });
  await client.setAccess({ agentId: "planner", namespace: "finance", allowed: true });
  await client.setAccess({ agentId: "planner", namespace: "finance", allowed: false });
  const found = async (query: object) =>
    (await client.listDecisions(query)).decisions.map(({ kind, agentId }) => `${kind} ${agentId}`);
  expect(await found({ kind: "policy" })).toEqual(["policy planner", "policy planner"]);
  expect(await found({ kind: "answer", agentId: "planner" })).toEqual(["answer planner"]);
  // Of the answers, those that held it back.
  const { decisions } = await client.listDecisions({ namespace: "finance" });
  for (const { kind, namespace, blockedNamespaces } of decisions)
    expect(kind === "policy" ? namespace : blockedNamespaces?.find((name) => name === "finance")).toBe("finance");
  expect(decisions.map(({ kind }) => kind)).toEqual(["policy", "policy", "answer", "answer"]);
  expect(await found({ namespace: "nothing" })).toEqual([]);
  const [last] = (await client.listDecisions({ limit: 1 })).decisions;
  expect(await found({ to: last?.at, kind: "answer" })).toHaveLength(2);
  expect(await found({ from: new Date(Date.parse(last?.at ?? "") + 1).toISOString() })).toEqual([]);
  await expect(client.listDecisions({ kind: "gossip" as "answer" })).rejects.toMatchObject({ status: 400 });

  const headers = { accept: "application/x-ndjson" };
  const lines = await (await fetch(`${url}/api/decisions?kind=policy`, { headers })).text();
  expect(
    lines
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line).details),
  ).toEqual([{ allowed: false }, { allowed: true }]);
});

test("an agent's timeline has its own rows, and those of its gates", async () => {
  const { admin, keyFor } = await keyedServiceForTest();
  const { client } = await keyFor("agent:planner");
  await admin.setAccess({ agentId: "assistant", namespace: "finance", allowed: false });
  await admin.setAccess({ agentId: "planner", namespace: "diet", allowed: false });
  const { decisions } = await client.listDecisions({ kind: "policy" });
  expect(decisions.map(({ agentId, namespace }) => [agentId, namespace])).toEqual([["planner", "diet"]]);
  await expect(client.listDecisions({ agentId: "assistant" })).rejects.toMatchObject({ status: 403 });
});
