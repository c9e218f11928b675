// Two tenants in one deployment, with the same names: nothing of one is in the records of the other.
import { describe, expect, onTestFinished, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { DeploymentRecords, RecordStore, TenantRecord } from "#ports.ts";
import { anchorOf, newMemory, OUTCOME, receipt } from "./samples.ts";
import { fill, rowsOf } from "./tenant-rows.ts";

const AT = "2026-01-02T03:04:05.678Z";
const STAMP = { by: "tester", at: AT };

/** The records of a tenant whose neighbour has the same names. For suites that know nothing of tenants. */
export async function besideAnother(deployment: DeploymentRecords): Promise<RecordStore> {
  const created = await deployment.tenants.create("under-test", AT);
  if (created !== undefined) await fill(deployment, "neighbour");
  return { ...(await recordsNamed(deployment, "under-test")), close: deployment.close };
}

/** Those of the tenant of this name, which is made if there is none. */
export async function recordsNamed(deployment: DeploymentRecords, id: string): Promise<RecordStore> {
  const tenant = (await deployment.tenants.create(id, AT)) ?? (await deployment.tenants.find(id));
  return deployment.recordsOf(tenant as TenantRecord);
}

/** What else callers can read of the records. */
async function readAll(records: RecordStore) {
  return {
    memories: (await records.memories.page({ limit: 100 })).memories.map(({ content }) => content),
    counts: await records.memories.counts(),
    policy: await records.policy.current(),
    changes: (await records.policy.changes({ limit: 100 })).changes,
    receipts: (await records.receipts.page({ limit: 100 })).receipts,
    decisions: await records.decisions.page({ limit: 100 }),
    events: await records.events.after({ after: 0, limit: 100 }),
    namespaces: await records.namespaces.page({ limit: 100 }),
    feed: await records.changeFeed.since({ position: 0, policyVersion: -1 }),
    keys: await records.keys.page({ limit: 100 }),
    hours: await records.receipts.byHour(""),
    gates: await records.reports.usedGates({ limit: 100 }),
    tombstones: await records.transfer.tombstones({ limit: 100 }),
  };
}

export function tenantSuite(name: string, open: () => Promise<DeploymentRecords>): void {
  describe(`tenants in ${name}`, () => {
    async function twoTenants() {
      const deployment = await open();
      onTestFinished(() => deployment.close());
      // One after the other, so that their numbers have this order.
      const created = [await deployment.tenants.create("a", AT), await deployment.tenants.create("b", AT)];
      const [a, b] = created.map((tenant) => deployment.recordsOf(tenant as TenantRecord)) as [
        RecordStore,
        RecordStore,
      ];
      return { deployment, a, b };
    }

    test("are made once, found and listed", async () => {
      const { deployment } = await twoTenants();
      const { tenants } = deployment;
      expect(await tenants.create("a", AT)).toBeUndefined();
      const { page } = { page: (await tenants.page({ limit: 10 })).tenants };
      expect(page.map(({ id }) => id)).toEqual(["default", "a", "b"]);
      expect(new Set(page.map(({ number }) => number)).size).toBe(3);
      expect(await tenants.find("b")).toEqual(page[2]);
      expect(await tenants.find("c")).toBeUndefined();
      const [first, second] = page.map(({ number }) => number);
      expect(await tenants.page({ after: first, limit: 1 })).toEqual({ tenants: [page[1]], next: second });
    });

    test("begin empty, and see nothing of each other", async () => {
      const { deployment, a, b } = await twoTenants();
      const empty = await readAll(a);
      expect(empty.memories).toEqual([]);
      await fill(deployment, "default");
      await fill(b, "other");
      expect(await readAll(a)).toEqual(empty);
      const [memory] = (await b.memories.page({ limit: 1 })).memories;
      const { memoryId = "", storeRef = "", namespace = "" } = memory ?? {};
      expect(await a.memories.find(memoryId)).toBeUndefined();
      expect(await a.memories.findRemovable({ memoryId })).toBeUndefined();
      expect(await a.memories.current([memoryId])).toEqual(new Set());
      expect(await a.blobTexts.find(storeRef)).toBeUndefined();
      expect(await a.receipts.find(receipt(5).answerId)).toBeUndefined();
      expect(await a.namespaces.find(namespace)).toBeUndefined();
      expect(await a.transfer.knownMemories([memoryId])).toEqual(new Set());
      // A name that looks like one of another tenant's is like none here.
      await a.memories.checkNames({ namespace: namespace.replace("n", "ո"), sourceAgent: "s" });
    });

    test("change nothing of each other", async () => {
      const { a, b } = await twoTenants();
      await fill(a, "a");
      await fill(b, "other");
      const [rows, reads] = [await rowsOf(b), await readAll(b)];
      const [memory] = (await a.memories.page({ limit: 1 })).memories;
      const { memoryId = "", namespace = "" } = memory ?? {};
      await a.memories.setPinned({ memoryId, pinned: true, limit: 10 }, STAMP);
      await a.namespaces.put({ name: namespace, description: "ours", encrypted: true }, STAMP);
      await a.memories.add(newMemory("a second", { key: "fact" }));
      await a.memories.forget({ memoryIds: [memoryId], cause: "forgotten" }, STAMP);
      await a.memories.forgetExpired(10);
      await a.policy.set({ agentId: "x", namespace, allowed: false }, STAMP);
      await a.receipts.abandon("~");
      await a.events.prune("~");
      await a.retention.remove({ answerIds: [receipt(5).answerId, receipt(1).answerId], sequences: [1, 2, 3] });
      await a.retention.removeUnusedLists(new Date("2030-01-01"));
      await a.reset([newMemory("new")], policyFrom([]), STAMP);
      expect(await rowsOf(b)).toEqual(rows);
      expect(await readAll(b)).toEqual(reads);
    });

    test("share one queue to the ledger: what each has to do is found without visiting the others", async () => {
      const { deployment, a, b } = await twoTenants();
      const { ledgerWork: work, tenants } = deployment;
      const numbers = (await tenants.page({ limit: 10 })).tenants.map(({ id, number }) => ({ id, number }));
      const [first, refOfA, refOfB] = numbers;
      expect(await work.requests(10)).toEqual([]);
      expect(await work.openTransactions()).toEqual([]);
      expect(await work.gates({ after: 0, limit: 10 })).toEqual({ behind: [], next: undefined });

      const asked = { agentId: "x", blobId: "b", digest: "d", claimed: [], policyVersion: "newest" as const };
      const inB = await b.chainAnchors.request(asked, AT);
      const inA = await a.chainAnchors.request(asked, AT);
      expect(await work.requests(10)).toEqual([
        { ...refOfB, request: inB.id },
        { ...refOfA, request: inA.id },
      ]);
      expect(await work.requests(1)).toEqual([{ ...refOfB, request: inB.id }]);

      const signed = { bytes: Uint8Array.of(1), signature: "s", requests: [] };
      await b.chainAnchors.addTransaction({ ...signed, txDigest: "t1", sends: { gateId: "0xb", version: 0 } });
      expect(await work.openTransactions()).toEqual([{ ...refOfB, txDigest: "t1" }]);
      expect(await a.chainAnchors.openTransactions()).toEqual([]);
      await expect(a.chainAnchors.addTransaction({ ...signed, txDigest: "t2" })).rejects.toThrow();
      await b.chainAnchors.closeTransaction("t1", []);
      await a.chainAnchors.addTransaction({ ...signed, txDigest: "t2", sends: { gateId: "0xa", version: 1 } });
      expect(await b.chainAnchors.hasTransaction("t2")).toBe(true);

      for (const each of [a, b, deployment])
        await each.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
      expect(await work.gates({ after: 0, limit: 10 })).toEqual({ behind: [refOfB], next: undefined });
      expect(await work.gates({ after: 0, limit: 1 })).toEqual({ behind: [], next: refOfA?.number });
      expect(await work.gates({ after: refOfB?.number ?? 0, limit: 1 })).toEqual({ behind: [], next: undefined });
      expect(first?.id).toBe("default");
    });

    test("own what they anchored on the ledger, and what they imported while nobody else anchored it", async () => {
      const { deployment, a, b } = await twoTenants();
      const ownerOf = async (id: string) => (await deployment.tenants.ownerOf(id))?.id;
      await a.receipts.add(receipt(1));
      await a.anchors.add(anchorOf(receipt(1), { blobId: "b1", digest: "d1" }));
      await b.receipts.add(receipt(2));
      await b.anchors.add(anchorOf(receipt(2), { blobId: "b2", digest: "d2" }));
      const ended = async (records: RecordStore, blob: number, ids: Pick<typeof OUTCOME, "receiptId" | "txDigest">) => {
        const asked = { agentId: "x", blobId: `b${blob}`, digest: `d${blob}`, claimed: [], policyVersion: 1 };
        const { id } = await records.chainAnchors.request(asked, AT);
        return { ...OUTCOME, ...ids, id };
      };
      // The id of a receipt on the ledger follows from what it will say, so that it can be known before.
      const copy = { receiptId: "0xb", txDigest: "tb" };
      await a.chainAnchors.complete({ ...(await ended(a, 1, copy)), imported: true });
      await a.chainAnchors.complete({ ...(await ended(a, 1, { receiptId: "0xa", txDigest: "tb" })) });
      expect([await ownerOf("0xb"), await ownerOf("d2")]).toEqual(["a", "b"]);
      await b.chainAnchors.complete(await ended(b, 2, copy));
      expect([await ownerOf("0xb"), await ownerOf("0xa")]).toEqual(["b", "a"]);
      const own = await deployment.tenants.find("a");
      expect((await deployment.tenants.ownerOf("0xb", own))?.id).toBe("a");
    });

    test("have a fence each: a change of one waits for no answer of another", async () => {
      const { a, b } = await twoTenants();
      await fill(a, "a");
      await fill(b, "other");
      const readSet = { agentId: "x", policyVersion: 1, namespaces: [], removals: 0, memoryIds: [] };
      const answered = Promise.withResolvers<void>();
      const entered = Promise.withResolvers<void>();
      const answer = b.policy.passFence(readSet, async () => {
        entered.resolve();
        await answered.promise;
      });
      await entered.promise;
      let isChanged = false;
      await a.policy.set({ agentId: "x", namespace: "other", allowed: true }, STAMP);
      const change = b.policy.set({ agentId: "x", namespace: "other", allowed: true }, STAMP).then(() => {
        isChanged = true;
      });
      // One more change of the other tenant has time to pass it.
      await a.policy.set({ agentId: "x", namespace: "other", allowed: false }, STAMP);
      expect(isChanged).toBe(false);
      answered.resolve();
      await Promise.all([answer, change]);
    });
  });
}
