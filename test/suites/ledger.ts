// The tests that the ledger adapter passes over every transport to the chain.
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { ChainAnchorRequest, Ledger, RecordStore } from "#ports.ts";
import { type ChainUnderTest, ledgerOver, request } from "./ledger-fixture.ts";
import { versionTests } from "./ledger-versions.ts";

const STAMP = { by: "suite", at: "2026-01-02T03:04:05.678Z" };

export function ledgerSuite(name: string, start: () => Promise<ChainUnderTest>): void {
  describe(`the ledger on ${name}`, () => {
    let chain: ChainUnderTest;
    let records: RecordStore;
    let ledger: Ledger;

    beforeEach(async () => {
      chain = await start();
      records = sqliteRecords({ path: ":memory:" });
      ledger = ledgerOver(chain, records);
      await allow("a", "diet", "health");
    });
    afterEach(async () => {
      await ledger.close();
      await records.close();
      await chain.stop();
    });

    async function allow(agentId: string, ...namespaces: string[]): Promise<void> {
      for (const namespace of namespaces) await records.policy.set({ agentId, namespace, allowed: true }, STAMP);
    }

    const anchor = async (fields: Partial<ChainAnchorRequest> = {}, over = { ledger, records }) =>
      over.ledger.anchor(await over.records.chainAnchors.request(request(fields), STAMP.at));

    test("mints a frozen receipt with the fields of the request and the verdict of the gate", async () => {
      const anchored = await anchor({ claimed: ["diet", "health"] });
      expect(anchored).toMatchObject({ allAuthorized: true, ledgerVersion: "2" });
      const found = await ledger.find(anchored.receiptId);
      expect(found).toMatchObject({
        objectId: anchored.receiptId,
        type: `${chain.packageId}::gate::Receipt`,
        owner: "immutable",
        previousTransaction: anchored.txDigest,
        receipt: {
          gate: chain.gateId,
          agent: "a",
          blobId: "blob",
          digest: request().digest,
          claimed: ["diet", "health"],
          allAuthorized: true,
          policyVersion: "2",
          closedAtMs: expect.any(Number),
        },
      });
    });

    test("answers the same request under the same policy with the same receipt, and mints no second one", async () => {
      const first = await anchor();
      const executed = await chain.executed();
      expect(await anchor()).toEqual(first);
      expect(await chain.executed()).toBe(executed);
    });

    test("mints one receipt for many equal requests at the same time", async () => {
      const all = await Promise.all(Array.from({ length: 20 }, () => anchor()));
      expect(new Set(all.map(({ receiptId }) => receiptId)).size).toBe(1);
    });

    test("judges claims by the current policy, and a later change leaves old receipts as they are", async () => {
      expect((await anchor({ claimed: [] })).allAuthorized).toBe(true);
      expect((await anchor({ claimed: ["diet", "work"] })).allAuthorized).toBe(false);
      const before = await anchor({ claimed: ["health"] });
      await records.policy.set({ agentId: "a", namespace: "health", allowed: false }, STAMP);
      const after = await anchor({ claimed: ["health"] });
      expect([before.allAuthorized, after.allAuthorized]).toEqual([true, false]);
      expect(after.receiptId).not.toBe(before.receiptId);
      expect((await ledger.find(before.receiptId))?.receipt?.allAuthorized).toBe(true);
    });

    test("keeps agent and namespace apart, whatever characters they have", async () => {
      await allow("a.b", "c");
      await allow("__proto__", "constructor");
      expect((await anchor({ agentId: "a", claimed: ["b.c"] })).allAuthorized).toBe(false);
      const odd = { digest: "1".repeat(64), agentId: "__proto__", claimed: ["constructor"] };
      expect((await anchor(odd)).allAuthorized).toBe(true);
    });

    test("sends waiting requests in one transaction, and each policy change once", async () => {
      const digests = Array.from({ length: 300 }, (_, i) => i.toString(16).padStart(64, "0"));
      const all = await Promise.all(digests.map((digest) => anchor({ digest })));
      expect(new Set(all.map(({ receiptId }) => receiptId)).size).toBe(300);
      expect(all.every(({ ledgerVersion }) => ledgerVersion === "2")).toBe(true);
      expect(await chain.executed()).toBeLessThanOrEqual(3);
    });

    test("sends a policy that is too large for one transaction completely before it anchors", async () => {
      const rules = Array.from({ length: 1_100 }, (_, i) => ({ agentId: `agent ${i}`, namespace: "n", allowed: true }));
      await records.reset([], policyFrom(rules), STAMP);
      const anchored = await anchor({ agentId: "agent 1099", claimed: ["n"] });
      expect(anchored).toMatchObject({ allAuthorized: true, ledgerVersion: "3" });
      expect(await ledger.drift()).toEqual({ rules: 0, isOursToMend: true });
    });

    test("counts the recorded changes of the policy that the chain was not told yet", async () => {
      expect(await ledger.drift()).toEqual({ rules: 2, isOursToMend: true });
      await anchor();
      await records.policy.set({ agentId: "a", namespace: "diet", allowed: false }, STAMP);
      expect(await ledger.drift()).toEqual({ rules: 1, isOursToMend: true });
      await ledger.sync();
      expect(await ledger.drift()).toEqual({ rules: 0, isOursToMend: true });
    });

    test("rejects a request that the gate aborts with the name of the abort, and anchors the others", async () => {
      const good = Array.from({ length: 5 }, (_, i) => anchor({ digest: String(i).repeat(64) }));
      const bad = anchor({ digest: "f".repeat(64), blobId: "x".repeat(129) });
      await expect(bad).rejects.toMatchObject({
        code: "ledger-refused",
        message: expect.stringContaining("EInvalidBlobId"),
      });
      expect((await Promise.all(good)).length).toBe(5);
      expect(await records.chainAnchors.pending()).toEqual([]);
    });

    test("adopts a receipt that is on the chain but not in its records", async () => {
      const first = await anchor();
      let isForgotten = true;
      const forgetful: RecordStore = {
        ...records,
        chainAnchors: {
          ...records.chainAnchors,
          async find(receiptId) {
            const found = isForgotten ? undefined : await records.chainAnchors.find(receiptId);
            isForgotten = false;
            return found;
          },
        },
      };
      const other = ledgerOver(chain, forgetful);
      expect(await anchor({}, { records: forgetful, ledger: other })).toEqual(first);
      expect(isForgotten).toBe(false);
      await other.close();
    });

    versionTests(() => ({ chain, records, ledger }));

    test("anchors all requests when another process uses the same key", async () => {
      const theirs = sqliteRecords({ path: ":memory:" });
      for (const namespace of ["diet", "health"])
        await theirs.policy.set({ agentId: "a", namespace, allowed: true }, STAMP);
      const other = { records: theirs, ledger: ledgerOver(chain, theirs) };
      const ours = Array.from({ length: 6 }, (_, i) => anchor({ digest: `${i}`.padStart(64, "a") }));
      const others = Array.from({ length: 6 }, (_, i) => anchor({ digest: `${i}`.padStart(64, "b") }, other));
      const all = await Promise.all([...ours, ...others]);
      expect(new Set(all.map(({ receiptId }) => receiptId)).size).toBe(12);
      await other.ledger.close();
      await theirs.close();
    });

    const tree = (size: number, byte = size) => ({
      origin: "log.test/answers",
      size,
      root: new Uint8Array(32).fill(byte),
    });

    test("keeps a frozen checkpoint of the log, and finds the last one again", async () => {
      expect(await ledger.lastCheckpoint("log.test/answers")).toBeUndefined();
      const anchored = await ledger.anchorCheckpoint(tree(5));
      expect(anchored).toMatchObject({ ...tree(5), anchoredAtMs: expect.any(Number) });
      const found = await ledger.find(anchored?.objectId ?? "");
      expect(found).toMatchObject({ type: `${chain.packageId}::gate::Checkpoint`, owner: "immutable" });
      const next = await ledger.anchorCheckpoint(tree(6));
      expect(await ledger.lastCheckpoint("log.test/answers")).toEqual(next);
      expect(await ledger.find(anchored?.objectId ?? "")).toEqual(found);
      expect(await ledger.lastCheckpoint("log.test/others")).toBeUndefined();
    });

    test("keeps the end of a tenant's chain beside, and no other before its time", async () => {
      const end = (size: number) => ({ ...tree(size), origin: "log.test/answers#chain" });
      await ledger.anchorCheckpoint(tree(5));
      await ledger.anchorChain(end(3), Date.now());
      await ledger.anchorChain(end(4), Date.now() - 3_600_000);
      expect(await ledger.lastCheckpoint("log.test/answers#chain")).toMatchObject(end(3));
      const executed = await chain.executed();
      await ledger.anchorChain(end(3), Date.now() + 3_600_000);
      expect(await chain.executed()).toBe(executed);
      await ledger.anchorChain(end(4), Date.now() + 3_600_000);
      expect(await ledger.lastCheckpoint("log.test/answers#chain")).toMatchObject(end(4));
      expect(await ledger.lastCheckpoint("log.test/answers")).toMatchObject(tree(5));
    });

    test("never anchors a checkpoint twice, another one of its size, or a smaller one", async () => {
      const last = await ledger.anchorCheckpoint(tree(5));
      const executed = await chain.executed();
      for (const checkpoint of [tree(5), tree(5, 9), tree(4)])
        expect(await ledger.anchorCheckpoint(checkpoint)).toEqual(last);
      expect(await chain.executed()).toBe(executed);
    });

    test("anchors one checkpoint of a size, whichever replica does it, and anchors of receipts go on", async () => {
      const replicas = [ledger, ledgerOver(chain, records), ledgerOver(chain, records)];
      const [receipt, ...all] = await Promise.all([
        anchor(),
        ...replicas.map((each) => each.anchorCheckpoint(tree(8))),
      ]);
      expect(new Set(all.map((each) => each?.objectId)).size).toBe(1);
      expect(receipt).toMatchObject({ allAuthorized: true });
      await Promise.all(replicas.slice(1).map((each) => each.close()));
    });

    test("finishes a checkpoint that a process left behind, before a larger one", async () => {
      const { client } = chain;
      const lost = new Proxy(client, {
        get: (of, name) =>
          name === "executeTransaction"
            ? () => Promise.reject(new Error("the process has died"))
            : (Reflect.get(of, name).bind?.(of) ?? Reflect.get(of, name)),
      });
      const dying = ledgerOver({ ...chain, client: lost }, records, { timeouts: { pauseMs: 5, sendMs: 20 } });
      await expect(dying.anchorCheckpoint(tree(5))).rejects.toMatchObject({ code: "ledger-timeout" });
      await dying.close();
      const executed = await chain.executed();
      expect(await ledger.anchorCheckpoint(tree(6))).toMatchObject({ size: 6 });
      expect(await chain.executed()).toBe(executed + 2);
    });

    test("finds no object under an unknown id", async () => {
      expect(await ledger.find(`0x${"12".repeat(32)}`)).toBeUndefined();
    });

    test("finds objects that are not receipts, without a decoded receipt", async () => {
      const gate = await ledger.find(chain.gateId);
      expect(gate).toMatchObject({ type: `${chain.packageId}::gate::Gate`, owner: "shared" });
      expect(gate?.receipt).toBeUndefined();
    });
  });
}
