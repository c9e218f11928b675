// What every record store must do for those who look back: pages of memories, changes and receipts, and numbers. Pages
// are held to a naive reading of everything, on random records, filters and sizes.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { IssuedReceipt, MemoryFilter, PolicyChange, RecordStore } from "#ports.ts";
import { agentIds, namespaces } from "#test/support/arbitraries.ts";
import {
  AT,
  anchorOf,
  byVersionThenName,
  memory,
  memoryFilters,
  pageSizes,
  passes,
  random,
  randomReceipt,
  receipt,
  receiptFilters,
  receiptPasses,
  tally,
} from "./record-samples.ts";
import type { StoreUnderTest } from "./record-store.ts";

const STAMP = { by: "suite", at: AT };
const RUNS = { numRuns: 60 };

export function historySuite(name: string, prepare: () => Promise<StoreUnderTest>): void {
  describe(`looking back in ${name}`, () => {
    let store: StoreUnderTest;
    let records: RecordStore;

    beforeEach(async () => {
      store = await prepare();
      records = await store.open();
    });
    afterEach(async () => {
      await records.close();
      await store.destroy();
    });

    async function walkMemories(filter: MemoryFilter, page: { limit: number; scan?: number }): Promise<Memory[]> {
      const walked: Memory[] = [];
      for (let next: number | undefined = 2 ** 40; next !== undefined; ) {
        const found = await records.memories.page({ ...filter, ...page, before: next });
        expect(found.memories.length).toBeLessThanOrEqual(page.limit);
        expect(found.next ?? 0).toBeLessThan(next);
        walked.push(...found.memories);
        next = found.next;
      }
      return walked;
    }

    it("pages through memories by namespace, source agent and text, without loss or repeat", async () => {
      const told = Array.from({ length: 120 }, (_, i) => random(i));
      for (const memory of told) await records.memories.add(memory);
      await fc.assert(
        fc.asyncProperty(memoryFilters, pageSizes, async (filter, page) => {
          const expected = told.filter((memory) => passes(memory, filter)).reverse();
          expect(await walkMemories(filter, page)).toEqual(expected);
        }),
        RUNS,
      );
    });

    it("finds text as it is written, but for the case of ASCII letters", async () => {
      const contents = [
        "50% off",
        "50 off",
        "a_b",
        "aXb",
        "back\\slash",
        "Éclair",
        "éclair",
        "STRASSE",
        "straße",
        "'\"",
      ];
      for (const [i, content] of contents.entries()) await records.memories.add(memory(i, { content }));
      const found = async (contains: string) =>
        (await records.memories.page({ contains, limit: 100 })).memories.map(({ content }) => content);
      expect(await found("50%")).toEqual(["50% off"]);
      expect(await found("A_B")).toEqual(["a_b"]);
      expect(await found("K\\S")).toEqual(["back\\slash"]);
      expect(await found("écl")).toEqual(["éclair"]);
      expect(await found("ÉCL")).toEqual(["Éclair"]);
      expect(await found("CLAIR")).toEqual(["éclair", "Éclair"]);
      expect(await found("stra")).toEqual(["straße", "STRASSE"]);
      expect(await found("strasse")).toEqual(["STRASSE"]);
      expect(await found("'\"")).toEqual(["'\""]);
    });

    it("looks at no more memories than it may, and says where to go on", async () => {
      for (let i = 0; i < 50; i++) await records.memories.add(memory(i, { content: i === 3 ? "needle" : "hay" }));
      const first = await records.memories.page({ contains: "needle", limit: 10, scan: 20 });
      expect(first.memories).toEqual([]);
      expect(first.next).toBeDefined();
      expect(
        (await walkMemories({ contains: "needle" }, { limit: 10, scan: 20 })).map(({ memoryId }) => memoryId),
      ).toEqual([memory(3).memoryId]);
    });

    it("finds one memory by its id, until it is forgotten", async () => {
      await records.memories.add(memory(1));
      expect(await records.memories.find(memory(1).memoryId)).toEqual(memory(1));
      expect(await records.memories.find("mem_9")).toBeUndefined();
      await records.reset([], policyFrom([]), STAMP);
      expect(await records.memories.find(memory(1).memoryId)).toBeUndefined();
    });

    it("counts memories by namespace and by source agent", async () => {
      expect(await records.memories.counts()).toEqual({ byNamespace: new Map(), bySourceAgent: new Map() });
      const told = Array.from({ length: 40 }, (_, i) => random(i));
      for (const memory of told) await records.memories.add(memory);
      const { byNamespace, bySourceAgent } = await records.memories.counts();
      expect(byNamespace).toEqual(tally(told.map(({ namespace }) => namespace)));
      expect(bySourceAgent).toEqual(tally(told.map(({ sourceAgent }) => sourceAgent)));
    });

    it("pages through the change log, also inside a version of many leaves", async () => {
      const rule = fc.record({ agentId: agentIds, namespace: namespaces, allowed: fc.boolean() });
      const step = fc.oneof(rule, fc.array(rule, { maxLength: 20 }));
      await fc.assert(
        fc.asyncProperty(fc.array(step, { maxLength: 8 }), fc.integer({ min: 1, max: 7 }), async (steps, limit) => {
          for (const made of steps) {
            if (Array.isArray(made)) await records.reset([], policyFrom(made), STAMP);
            else await records.policy.set(made, STAMP);
          }
          const { changes: all, next: none } = await records.policy.changes({ limit: 1_000_000 });
          expect(none).toBeUndefined();
          expect(all).toEqual(all.toSorted(byVersionThenName));
          const walked: PolicyChange[] = [];
          for (let page = await records.policy.changes({ limit }); ; ) {
            walked.push(...page.changes);
            if (page.next === undefined) break;
            expect(page.changes).toHaveLength(limit);
            page = await records.policy.changes({ limit, from: page.next });
          }
          expect(walked).toEqual(all);
        }),
        { numRuns: 25 },
      );
    });

    it("pages through receipts by agent, namespace, anchor and verification, without loss or repeat", async () => {
      const issued = Array.from({ length: 90 }, (_, i) => randomReceipt(i));
      // Not in the order of their ids, as when replicas with different clocks issue them.
      for (const receipt of issued.toSorted((a, b) => (a.body < b.body ? -1 : 1))) await records.receipts.add(receipt);
      const anchored = issued.filter((_, i) => i % 4 === 0);
      for (const receipt of anchored) await records.anchors.add(anchorOf(receipt));
      await fc.assert(
        fc.asyncProperty(receiptFilters, pageSizes, async (filter, page) => {
          const expected = issued
            .filter((receipt) => receiptPasses(receipt, anchored.includes(receipt), filter))
            .map(({ body }) => body)
            .reverse();
          const walked: string[] = [];
          for (let next: string | undefined = "b"; next !== undefined; ) {
            const found = await records.receipts.page({ ...filter, ...page, before: next });
            expect(found.receipts.length).toBeLessThanOrEqual(page.limit);
            expect((found.next ?? "") < next).toBe(true);
            walked.push(...found.receipts.map(({ body }) => body));
            next = found.next;
          }
          expect(walked).toEqual(expected);
        }),
        RUNS,
      );
    });

    it("takes no namespace for another that ends like it", async () => {
      await records.receipts.add(receipt(1, { namespaces: ['x"diet', "diet\\", "a,b"] }));
      const found = async (namespace: string) => (await records.receipts.page({ namespace, limit: 9 })).receipts.length;
      expect(await found("diet")).toBe(0);
      expect(await found("a")).toBe(0);
      expect(await found('x"diet')).toBe(1);
      expect(await found("diet\\")).toBe(1);
      expect(await found("a,b")).toBe(1);
    });

    it("tells with a receipt where it is anchored, what the ledger says, and what is pending", async () => {
      const [plain, stored] = [receipt(1), receipt(2)];
      await records.receipts.add(plain);
      await records.receipts.add(stored);
      const nothing = { anchor: null, chain: [], pending: 0 };
      expect(await records.receipts.find(plain.answerId)).toEqual({ body: plain.body, ...nothing });
      expect(await records.receipts.find("ans_none")).toBeUndefined();

      const { blobId, digest, anchoredAt } = anchorOf(stored);
      await records.anchors.add(anchorOf(stored));
      // A copy that was changed is not this receipt, whatever id it gives itself.
      await records.anchors.add({ ...anchorOf(stored), blobId: "forged", digest: "other", issued: false, body: "{}" });
      const request = { agentId: stored.agentId, blobId, digest, issued: true };
      const first = await records.chainAnchors.request({ ...request, claimed: ["a", "b"] }, AT);
      const ended = { receiptId: "0x2", txDigest: "t1", allAuthorized: false, ledgerVersion: "1", anchoredAt: AT };
      await records.chainAnchors.complete({ id: first.id, ...ended });
      const second = await records.chainAnchors.request({ ...request, claimed: [] }, AT);
      const later = { ...ended, receiptId: "0x1", allAuthorized: true, anchoredAt: "2026-01-02T04:00:00.000Z" };
      await records.chainAnchors.complete({ id: second.id, ...later });
      await records.chainAnchors.request({ ...request, claimed: ["c"] }, AT);

      const { ledgerVersion: _, ...mark } = ended;
      const { ledgerVersion: __, ...laterMark } = later;
      const expected = {
        body: stored.body,
        anchor: { blobId, anchoredAt },
        chain: [
          { ...mark, claimed: ["a", "b"] },
          { ...laterMark, claimed: [] },
        ],
        pending: 1,
      };
      expect(await records.receipts.find(stored.answerId)).toEqual(expected);
      expect((await records.receipts.page({ limit: 10 })).receipts).toEqual([
        expected,
        { body: plain.body, ...nothing },
      ]);
      expect(await records.anchors.counts()).toEqual({ blobs: 2, onLedger: 2, pending: 1 });
    });

    it("counts answers by the hour, and what was seen of the memories that they used", async () => {
      const at = (hour: string, i: number, fields: Partial<IssuedReceipt>) =>
        records.receipts.add(receipt(i, { createdAt: `2026-01-02T${hour}:59:59.999Z`, ...fields }));
      await at("03", 1, { used: 3, verified: 2, intact: 1 });
      await at("05", 2, { used: 0, verified: 0, intact: 0 });
      await at("05", 3, { used: 4, verified: 4, intact: 4 });
      const five = { hour: "2026-01-02T05", answers: 2, used: 4, verified: 4, intact: 4 };
      expect(await records.receipts.byHour("2026-01-02T04")).toEqual([five]);
      expect(await records.receipts.byHour("2026-01-02T03")).toEqual([
        { hour: "2026-01-02T03", answers: 1, used: 3, verified: 2, intact: 1 },
        five,
      ]);
      expect(await records.receipts.byHour("2026-01-03T00")).toEqual([]);
    });

    it("does not count a receipt that it refused", async () => {
      await records.receipts.add(receipt(1));
      await expect(records.receipts.add(receipt(1))).rejects.toMatchObject({ code: "records-unavailable" });
      expect((await records.receipts.byHour("2026")).map(({ answers }) => answers)).toEqual([1]);
      expect((await records.receipts.page({ limit: 10 })).receipts).toHaveLength(1);
    });
  });
}
