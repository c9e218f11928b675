// A memory that was forgotten after its receipt was anchored: the tombstone speaks for it, and the other checks decide.
import { expect, test } from "vitest";
import { OPEN } from "#core/identity/principal.ts";
import { checkTombstone } from "#core/verify/checks/memories.ts";
import { headlineOf, notShown, summaryOf } from "#core/verify/labels.ts";
import { anchorOnChain } from "#service/anchoring/anchor.ts";
import { forgetMemory, getTombstone } from "#service/memories/forget.ts";
import { serviceForTest } from "#test/support/service.ts";

async function anchoredAnswer() {
  const service = await serviceForTest();
  const { receipt } = await service.client.chat({ agentId: "assistant", query: "What about dinner on Friday?" });
  const { receiptId } = await anchorOnChain(service.tenant, { answerId: receipt.answerId }, { principal: OPEN });
  return { ...service, receipt, receiptId };
}

test("with the tombstone a forgotten memory is the service's word, which shows nothing of it", async () => {
  const { tenant, receipt, receiptId } = await anchoredAnswer();
  const before = await tenant.verifier.verify(receiptId);
  const [used] = receipt.usedMemories;
  const { anchoredReceipts } = await forgetMemory(tenant, { memoryId: used?.memoryId ?? "" }, { principal: OPEN });
  expect(anchoredReceipts).toBe(1);
  const after = await tenant.verifier.verify(receiptId);
  expect([before.verdict, after.verdict]).toEqual(["verified", "unknown"]);
  expect(headlineOf(after.verdict, after.checks, undefined, "own-node")).toBe("Unknown: memories were forgotten");
  expect(summaryOf({ ...after, ledger: "local" })).toContain("by the service’s word");
  expect(notShown({ ...after, ledger: "local", store: "mock" }).join()).toContain("what the forgotten memories said");
  const memory = after.checks.find(({ name, index }) => name === "memory" && index === 0);
  expect(memory).toMatchObject({ status: "unknown", code: "memory-forgotten" });
});

test("after a reset, which stores the same texts again, the verdict stays what it was", async () => {
  const { client, tenant, receiptId } = await anchoredAnswer();
  const { verdict } = await tenant.verifier.verify(receiptId);
  await client.resetDemo();
  expect((await tenant.verifier.verify(receiptId)).verdict).toBe(verdict);
});

test("a tombstone counts only for its memory, signed by a key of the gate, and not before the answer", async () => {
  const { tenant, receipt, receiptId } = await anchoredAnswer();
  const { memoryId = "", namespace = "" } = receipt.usedMemories[0] ?? {};
  await forgetMemory(tenant, { memoryId, reason: "asked for" }, { principal: OPEN });
  const { chain } = await tenant.verifier.verify(receiptId);
  const keys = (await tenant.ledger.keys()).map(({ publicKey, ...key }) => ({
    ...key,
    keyId: receipt.signature.keyId,
    publicKey: Uint8Array.from(Buffer.from(publicKey, "hex")),
  }));
  const { tombstone } = await getTombstone(tenant, OPEN, memoryId);
  const nowMs = tenant.now().getTime();
  const context = { memoryId, namespace, createdAt: receipt.createdAt, keys, isSealed: false, nowMs };
  const status = (given: unknown, other: object = {}) => {
    const { status, code } = checkTombstone(given, { ...context, ...other });
    return code ?? status;
  };
  expect(chain).not.toBeNull();
  expect(status(tombstone)).toBe("memory-forgotten");
  expect(status(undefined)).toBe("memory-missing");
  expect(status({ ...tombstone, memoryId: "mem_other" })).toBe("memory-missing");
  expect(status(tombstone, { memoryId: "mem_other" })).toBe("memory-missing");
  expect(status(tombstone, { namespace: "other" })).toBe("memory-missing");
  for (const field of ["reason", "forgottenBy"] as const)
    expect(status({ ...tombstone, [field]: "x" }), field).toBe("tombstone-not-signed");
  expect(status({ ...tombstone, cause: "expired" })).toBe("tombstone-not-signed");
  expect(status({ ...tombstone, signature: 1 })).toBe("tombstone-malformed");
  expect(status(tombstone, { nowMs: nowMs - 600_000 })).toBe("tombstone-later");
  expect(status(tombstone, { keys: [] })).toBe("tombstone-not-signed");
  expect(status(tombstone, { keys: keys.map((key) => ({ ...key, endedAtMs: 1 })) })).toBe("tombstone-key-ended");
  expect(status(tombstone, { createdAt: "2999-01-01T00:00:00.000Z" })).toBe("memory-forgotten-before");
});
