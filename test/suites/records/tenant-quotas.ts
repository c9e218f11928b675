// Quotas of a tenant, in place of the limits of the store. On one database with two stores, where it may have two.
import { describe, expect, onTestFinished, test } from "vitest";
import type { DeploymentRecords, RecordLimits, TenantRecord } from "#ports.ts";
import { AT, anchorOf, memory, newMemory, receipt, STAMP } from "./samples.ts";

type Opens = () => Promise<(limits?: RecordLimits) => Promise<DeploymentRecords>>;

const LIMITS = { namespaces: 100, policyRules: 100, namespaceRules: 100 };
const refusedWith = (limit: number) => ({
  code: "limit-reached",
  message: expect.stringMatching(new RegExp(`\\b${limit}\\b.*The operator can raise the quota of this tenant`)),
});
const begun = (i: number) => {
  const { used: _, verified: __, intact: ___, ...rest } = receipt(i);
  return rest;
};
const rule = (namespace: string, allowed: boolean | null = true) => ({ agentId: "a", namespace, allowed });

/** How many of these were done; the others were refused by a limit. */
async function done(attempts: readonly Promise<unknown>[]): Promise<number> {
  const results = await Promise.allSettled(attempts);
  for (const result of results)
    if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "limit-reached" });
  return results.filter(({ status }) => status === "fulfilled").length;
}

export function tenantQuotaSuite(name: string, opens: Opens): void {
  describe(`quotas of tenants in ${name}`, () => {
    /** The records of a tenant in two stores, and those of its neighbour. */
    async function tenant(limits: Partial<RecordLimits> = {}) {
      const open = await opens();
      const stores = [await open({ ...LIMITS, ...limits }), await open({ ...LIMITS, ...limits })] as const;
      onTestFinished(async () => {
        for (const store of new Set(stores)) await store.close();
      });
      const [first, second] = stores;
      const [own, other] = await Promise.all(["own", "other"].map((id) => first.tenants.create(id, AT)));
      const replicas = [first.recordsOf(own as TenantRecord), second.recordsOf(own as TenantRecord)] as const;
      const pick = (i: number) => replicas[i % 2 === 0 ? 0 : 1];
      return { tenants: second.tenants, records: replicas[0], pick, neighbour: first.recordsOf(other as TenantRecord) };
    }
    const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

    test("are set one by one, and go back to the default", async () => {
      const { tenants } = await tenant();
      expect((await tenants.find("own"))?.quotas).toEqual({});
      await tenants.setQuotas("own", { memories: 3, answersPerMinute: 0 });
      await tenants.setQuotas("own", { textBytes: 10, answersPerMinute: 7 });
      expect((await tenants.find("own"))?.quotas).toEqual({ memories: 3, textBytes: 10, answersPerMinute: 7 });
      expect((await tenants.setQuotas("own", { memories: null }))?.quotas).toEqual({
        textBytes: 10,
        answersPerMinute: 7,
      });
      expect((await tenants.find("other"))?.quotas).toEqual({});
      expect(await tenants.setQuotas("none", { memories: 1 })).toBeUndefined();
    });

    test("of memories hold among captures at once, and those of a neighbour are its own", async () => {
      const { tenants, records, pick, neighbour } = await tenant();
      await tenants.setQuotas("own", { memories: 5 });
      expect(await done(times(16, (i) => pick(i).memories.add(newMemory("c"))))).toBe(5);
      expect(await records.reports.usage()).toMatchObject({ memories: 5, textBytes: 5 });
      await expect(records.memories.add(newMemory("c"))).rejects.toMatchObject(refusedWith(5));
      expect(await done(times(6, () => neighbour.memories.add(newMemory("c"))))).toBe(6);
      // Raised on another replica: from the next capture on.
      await tenants.setQuotas("own", { memories: 6 });
      expect(await done(times(4, (i) => pick(i).memories.add(newMemory("c"))))).toBe(1);
    });

    test("of text count bytes, and history until it is forgotten", async () => {
      const { tenants, records, pick } = await tenant();
      await tenants.setQuotas("own", { textBytes: 20 });
      await records.memories.add(newMemory("ä".repeat(4), { key: "k" }));
      const next = await records.memories.add(newMemory("12345678", { key: "k" }));
      expect(await records.reports.usage()).toMatchObject({ memories: 1, textBytes: 16 });
      await expect(records.memories.add(newMemory("12345", { key: "k" }))).rejects.toMatchObject(refusedWith(20));
      expect(await done(times(8, (i) => pick(i).memories.add(newMemory("12"))))).toBe(2);
      await records.memories.forget({ memoryIds: [next.supersedes ?? ""], cause: "forgotten" }, STAMP);
      expect(await records.reports.usage()).toMatchObject({ memories: 3, textBytes: 12 });
    });

    test("of namespaces, rules and receipts hold among writers at once", async () => {
      const { tenants, records, pick } = await tenant();
      await tenants.setQuotas("own", { namespaces: 2, policyRules: 3, receipts: 4 });
      expect(await done(times(8, (i) => pick(i).memories.add(newMemory("c", { namespace: `n${i}` }))))).toBe(2);
      await expect(records.memories.checkNames({ namespace: "new", sourceAgent: "s" })).rejects.toMatchObject(
        refusedWith(2),
      );
      expect(await done(times(8, (i) => pick(i).policy.set(rule(`n${i}`), STAMP)))).toBe(3);
      await expect(records.policy.setAll([rule("more")], STAMP)).rejects.toMatchObject(refusedWith(3));
      expect(await done(times(4, (i) => pick(i).receipts.begin(begun(i))))).toBe(4);
      expect(await done(times(4, (i) => pick(i).receipts.begin(begun(10 + i))))).toBe(0);
      await expect(records.receipts.add(receipt(20))).rejects.toMatchObject(refusedWith(4));
      // The end of an answer that began is always recorded.
      expect(await done(times(4, (i) => pick(i).receipts.add(receipt(i))))).toBe(4);
      expect(await records.reports.usage()).toMatchObject({ namespaces: 2, policyRules: 3, receipts: 4 });
      await records.retention.remove({ answerIds: [receipt(1).answerId] });
      await records.receipts.add(receipt(20));
    });

    test("of receipts count anchors of receipts that were not issued here, and no other anchor", async () => {
      const { tenants, records, pick } = await tenant();
      await tenants.setQuotas("own", { receipts: 4 });
      await records.receipts.add(receipt(0));
      await records.anchors.add(anchorOf(receipt(0), { blobId: "open" }));
      await records.anchors.add(anchorOf(receipt(0), { blobId: "sealed" }));
      const foreign = times(8, (i) => anchorOf(receipt(10 + i), { blobId: `b${i}`, issued: false }));
      expect(await done(foreign.map((each, i) => pick(i).anchors.add(each)))).toBe(3);
      // What is on record already is passed over.
      const [known] = await records.anchors.page({ limit: 1 });
      await records.anchors.add(known as (typeof foreign)[number]);
      await expect(records.receipts.add(receipt(1))).rejects.toMatchObject(refusedWith(4));
      expect(await records.reports.usage()).toMatchObject({ receipts: 4 });
    });

    test("that are lowered below what is there refuse no revoke, no forgetting, no reset and no encryption", async () => {
      const { tenants, records } = await tenant({ memories: 9, textBytes: 99, receipts: 9 });
      const [first, second] = [
        await records.memories.add(newMemory("first")),
        await records.memories.add(newMemory("b")),
      ];
      await records.policy.setAll([rule("n"), rule("m")], STAMP);
      await records.receipts.add(receipt(1));
      await tenants.setQuotas("own", { memories: 0, textBytes: 0, namespaces: 0, policyRules: 0, receipts: 0 });
      await records.policy.set(rule("n", false), STAMP);
      await records.policy.setAll([rule("n", null), rule("m", false)], STAMP);
      const encrypted = memory(90_000, {
        content: "a longer ciphertext",
        encryption: { keyId: "k", wrappedKey: "w", factHash: "f" },
      });
      const replaced = { memoryId: first.memoryId, encrypted, lease: undefined };
      expect(await records.encryption.replace([replaced], STAMP)).toHaveLength(1);
      const { memoryId } = second;
      expect(await records.memories.forget({ memoryIds: [memoryId], cause: "forgotten" }, STAMP)).toHaveLength(1);
      expect((await records.memories.page({ limit: 9 })).memories).toHaveLength(1);
      await expect(records.memories.add(newMemory("c"))).rejects.toMatchObject({ code: "limit-reached" });
      await records.retention.remove({ answerIds: [receipt(1).answerId] });
      const textBytes = Buffer.byteLength(encrypted.content);
      expect(await records.reports.usage()).toEqual({
        memories: 1,
        textBytes,
        namespaces: 1,
        policyRules: 1,
        receipts: 0,
      });
    });

    test("of the store hold for each tenant that has none, and the refusal names the setting", async () => {
      const { records, neighbour } = await tenant({ memories: 1, textBytes: 99, receipts: 1 });
      for (const each of [records, neighbour]) {
        await each.memories.add(newMemory("c"));
        await expect(each.memories.add(newMemory("c"))).rejects.toMatchObject({
          code: "limit-reached",
          message: "At most 1 memories may be on record. The operator can raise LIMIT_MEMORIES.",
        });
        await each.receipts.begin(begun(1));
        await expect(each.receipts.begin(begun(2))).rejects.toMatchObject({
          message: expect.stringMatching("LIMIT_RECEIPTS"),
        });
      }
    });
  });
}
