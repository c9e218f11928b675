// A receipt that we did not issue opens nothing: neither at /v1/blobs nor in our verifier. Else anchoring a guess would
// confirm it.
import { expect, test } from "vitest";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { send } from "#test/support/send.ts";

const naming = (storeRef: string) => ({
  answerId: `foreign-${storeRef}`,
  agentId: "planner",
  usedMemories: [{ namespace: "diet", snippet: "a guess", storeRef, authorized: true, verified: true }],
  blockedNamespaces: [],
  createdAt: "2026-01-02T03:04:05.678Z",
});

test("a foreign receipt does not tell whether the memory that it names exists", async () => {
  const { admin, as, url } = await keyedServiceForTest();
  const content = "The safe opens with 4711.";
  const { memory } = await admin.capture({ namespace: "diet", content, sourceAgent: "planner" });
  const checks = await Promise.all(
    [memory.storeRef, "A".repeat(43)].map(async (storeRef) => {
      const { receiptId } = await admin.anchorOnChain({ receipt: naming(storeRef) });
      const { verdict, checks } = await as().verify({ receiptId });
      return { verdict, memories: checks.filter(({ name }) => name === "memory").map(({ status }) => status) };
    }),
  );
  expect(checks[0]).toEqual(checks[1]);
  expect(checks[0]?.memories).toEqual(["unknown"]);
  expect((await send(`${url}/v1/blobs/${memory.storeRef}`)).status).toBe(404);
});

test("an agent cannot publish a receipt of namespaces that it may not use any more", async () => {
  const { admin, keyFor, url } = await keyedServiceForTest();
  const { memory } = await admin.capture({
    namespace: "supper",
    content: "Dinner is at eight.",
    sourceAgent: "planner",
  });
  const rule = { agentId: "planner", namespace: "supper" };
  await admin.setAccess({ ...rule, allowed: true });
  const { client: planner } = await keyFor("agent:planner");
  const { receipt } = await planner.chat({ agentId: "planner", query: "When is dinner?" });
  await admin.setAccess({ ...rule, allowed: false });
  for (const given of [{ receipt }, { answerId: receipt.answerId }]) {
    await expect(planner.anchorReceipt(given)).rejects.toMatchObject({ status: 403 });
    await expect(planner.anchorOnChain(given)).rejects.toMatchObject({ status: 403 });
  }
  expect((await send(`${url}/v1/blobs/${memory.storeRef}`)).status).toBe(404);
  expect((await admin.anchorReceipt({ receipt })).verified).toBe(true);
});

test("a receipt that we issued and anchored opens what it names, to anybody", async () => {
  const { admin, as, url } = await keyedServiceForTest();
  const content = "Dinner is at eight.";
  const { memory } = await admin.capture({ namespace: "supper", content, sourceAgent: "planner" });
  await admin.setAccess({ agentId: "planner", namespace: "supper", allowed: true });
  expect((await send(`${url}/v1/blobs/${memory.storeRef}`)).status).toBe(404);
  const { receipt } = await admin.chat({ agentId: "planner", query: "When is dinner?" });
  const { receiptId } = await admin.anchorOnChain({ answerId: receipt.answerId });
  expect(await as().verify({ receiptId })).toMatchObject({ verdict: "verified" });
  const blob = await send(`${url}/v1/blobs/${memory.storeRef}`);
  expect([blob.status, blob.headers["access-control-allow-origin"]]).toEqual([200, "*"]);
  expect(blob.text).toContain(content);
});
