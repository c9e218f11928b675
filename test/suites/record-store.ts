// What every record store must do. Each adapter's test file runs this with its own way of making one, and after it the
// suites of the fence and of the history.
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { isAllowed, type Policy, policyFrom, rulesOf } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { RecordStore } from "#ports.ts";
import { agentIds, namespaces } from "#test/support/arbitraries.ts";

/** `open` opens the same store again each time, as after a restart; `destroy` removes it. */
export interface StoreUnderTest {
  open(): Promise<RecordStore>;
  /** Opens it beside one that is open, as another replica does, where several processes may serve a store. */
  openAgain?(): Promise<RecordStore>;
  destroy(): Promise<void>;
}

const STAMP = { by: "suite", at: "2026-01-02T03:04:05.678Z" };
const RECEIPT = {
  answerId: "ans_1",
  agentId: "a",
  createdAt: STAMP.at,
  namespaces: [],
  used: 0,
  verified: 0,
  intact: 0,
};

export function recordStoreSuite(name: string, prepare: () => Promise<StoreUnderTest>): void {
  describe(`records in ${name}`, () => {
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

    async function restart(): Promise<void> {
      await records.close();
      records = await store.open();
    }

    const captureAll = (...contents: string[]) =>
      Promise.all(contents.map((content) => records.memories.add(memory(content))));
    const listed = async () => (await records.memories.page({ limit: 100 })).memories.map(({ content }) => content);

    it("begins empty, at version 0, and answers a ping", async () => {
      await records.ping();
      expect(await records.policy.current()).toEqual({ policy: policyFrom([]), version: 0 });
      expect(await listed()).toEqual([]);
      const snapshot = await records.changeFeed.since({ position: 0, policyVersion: 0 });
      expect(snapshot).toEqual({ changes: [], position: 0, complete: true, policyVersion: 0 });
    });

    it("keeps every field of a memory, across a restart", async () => {
      const hostile = memory("line\nend \"quote\" 'quote' \\ 😀 <b>", {
        namespace: "__proto__",
        sourceAgent: "constructor",
      });
      await records.memories.add(hostile);
      await restart();
      expect(await records.memories.page({ limit: 10 })).toEqual({ memories: [hostile] });
    });

    it("lists newest first, page by page", async () => {
      await captureAll("1", "2", "3", "4", "5");
      const first = await records.memories.page({ limit: 2 });
      expect(first.memories.map(({ content }) => content)).toEqual(["5", "4"]);
      const second = await records.memories.page({ limit: 2, before: first.next ?? 0 });
      expect(second.memories.map(({ content }) => content)).toEqual(["3", "2"]);
      const third = await records.memories.page({ limit: 2, before: second.next ?? 0 });
      expect(third.memories.map(({ content }) => content)).toEqual(["1"]);
      expect(third.next).toBeUndefined();
    });

    it("refuses a second memory with the same id and keeps the writes that came with it", async () => {
      const twice = memory("once");
      const results = await Promise.allSettled([
        records.memories.add(twice),
        records.memories.add(twice),
        records.memories.add(memory("other")),
      ]);
      expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
      expect(await listed()).toEqual(["other", "once"]);
    });

    it("tells each change once, in the order of commits, in reads of any size", async () => {
      const contents = Array.from({ length: 12_000 }, (_, i) => String(i));
      await captureAll(...contents);
      const changes = await allChanges(records);
      expect(changes.map((change) => (change.kind === "captured" ? change.content : ""))).toEqual(contents);
      expect(isAscending(changes.map(({ sequence }) => sequence))).toBe(true);
    });

    it("finds memories by sequence in the order asked for, without those forgotten since", async () => {
      await captureAll("a", "b", "c");
      const sequences = (await allChanges(records)).map(({ sequence }) => sequence);
      const [a = 0, b = 0, c = 0] = sequences;
      expect((await records.memories.at([c, 999, a, b])).map(({ content }) => content)).toEqual(["c", "a", "b"]);
      await records.reset([memory("new")], policyFrom([]), STAMP);
      expect(await records.memories.at(sequences)).toEqual([]);
    });

    it("gives in one snapshot the changes and the policy of one moment", async () => {
      await captureAll("a");
      await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
      const first = await records.changeFeed.since({ position: 0, policyVersion: 0 });
      expect(first.policy).toEqual(policyFrom([{ agentId: "x", namespace: "n", allowed: true }]));
      expect(first.changes.length).toBe(1);
      const { position, policyVersion } = first;
      expect(await records.changeFeed.since(first)).toEqual({ changes: [], position, complete: true, policyVersion });

      await captureAll("b");
      const second = await records.changeFeed.since(first);
      expect(second.changes.map((change) => change.kind === "captured" && change.content)).toEqual(["b"]);
      expect(second.policy).toBeUndefined();
    });

    it("sets leaves one by one, as a map would, with a version that counts real changes", async () => {
      const rule = fc.record({ agentId: agentIds, namespace: namespaces, allowed: fc.boolean() });
      await fc.assert(
        fc.asyncProperty(fc.array(rule, { maxLength: 12 }), async (rules) => {
          for (const { agentId, namespace, allowed } of rules) {
            const before = await records.policy.current();
            const after = await records.policy.set({ agentId, namespace, allowed }, STAMP);
            const had = leafOf(before.policy, agentId, namespace);
            expect(after.version).toBe(had === allowed ? before.version : before.version + 1);
            const others = rulesOf(before.policy).filter((r) => r.agentId !== agentId || r.namespace !== namespace);
            expect(after.policy).toEqual(policyFrom([...others, { agentId, namespace, allowed }]));
            expect(await records.policy.current()).toEqual(after);
          }
        }),
        { numRuns: 20 },
      );
    });

    it("logs who changed what, when, from what, to what", async () => {
      const leaf = { agentId: "__proto__", namespace: "n" };
      await records.policy.set({ ...leaf, allowed: true }, STAMP);
      await records.policy.set({ ...leaf, allowed: true }, STAMP);
      await records.policy.set({ ...leaf, allowed: false }, { by: "other", at: "2026-01-03T00:00:00.000Z" });
      await records.reset([], policyFrom([]), STAMP);
      await restart();
      expect((await records.policy.changes({ limit: 10 })).changes).toEqual([
        { ...leaf, ...STAMP, version: 3, from: false, to: null },
        { ...leaf, by: "other", at: "2026-01-03T00:00:00.000Z", version: 2, from: true, to: false },
        { ...leaf, ...STAMP, version: 1, from: null, to: true },
      ]);
    });

    it("resets memories and policy in one step, and tells of every memory forgotten", async () => {
      await captureAll("a", "b");
      await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
      const known = await records.changeFeed.since({ position: 0, policyVersion: 0 });
      await records.reset(
        [memory("seed 1"), memory("seed 2")],
        policyFrom([{ agentId: "y", namespace: "m", allowed: true }]),
        STAMP,
      );

      expect(await listed()).toEqual(["seed 2", "seed 1"]);
      const { changes, policy, policyVersion } = await records.changeFeed.since(known);
      expect(changes.map(({ kind }) => kind)).toEqual(["forgotten", "forgotten", "captured", "captured"]);
      expect(policyVersion).toBe(2);
      expect(isAllowed(policy ?? {}, "x", "n")).toBe(false);
      expect(isAllowed(policy ?? {}, "y", "m")).toBe(true);
    });

    it("keeps the policy's version when a reset changes nothing in it", async () => {
      const policy = policyFrom([{ agentId: "y", namespace: "m", allowed: true }]);
      await records.reset([], policy, STAMP);
      await records.reset([], policy, STAMP);
      expect((await records.policy.current()).version).toBe(1);
    });

    it("knows the receipts it issued word for word, also after a reset and a restart", async () => {
      const receipt = { ...RECEIPT, body: "{}" };
      await records.receipts.add(receipt);
      await records.reset([], policyFrom([]), STAMP);
      await restart();
      expect(await records.receipts.isIssued("ans_1", "{}")).toBe(true);
      expect(await records.receipts.isIssued("ans_1", "{ }")).toBe(false);
      expect(await records.receipts.isIssued("ans_2", "{}")).toBe(false);
      await expect(records.receipts.add(receipt)).rejects.toMatchObject({ code: "records-unavailable" });
    });

    it("keeps anchors, the first of each blob, and pages through them", async () => {
      await records.receipts.add({ ...RECEIPT, body: "{}" });
      const issued = { blobId: "b1", digest: "d1", answerId: "ans_1", issued: true, anchoredAt: STAMP.at, body: "{}" };
      const foreign = { ...issued, blobId: "b2", answerId: "ans_9", issued: false };
      await records.anchors.add(issued);
      await records.anchors.add(foreign);
      await records.anchors.add({ ...issued, anchoredAt: "later" });
      await restart();
      expect(await records.anchors.page({ limit: 10 })).toEqual([issued, foreign]);
      expect(await records.anchors.page({ after: "b1", limit: 10 })).toEqual([foreign]);
    });

    it("notes how long blobs are kept, with the record or later", async () => {
      const lease = { blobId: "ref", endEpoch: 7, objectId: "0x1", storedAt: STAMP.at };
      await records.memories.add(memory("a"), lease);
      expect(await records.leases.find("ref")).toEqual(lease);
      expect(await records.blobTexts.count()).toBe(1);
      const renewed = { blobId: "ref", endEpoch: 12, storedAt: "2026-02-01T00:00:00Z" };
      await records.leases.put(renewed);
      await records.reset([], policyFrom([]), STAMP, [{ ...lease, blobId: "seed" }]);
      await restart();
      expect(await records.leases.find("ref")).toEqual(renewed);
      expect(await records.leases.find("seed")).toEqual({ ...lease, blobId: "seed" });
      expect(await records.leases.find("other")).toBeUndefined();
    });

    it("tells what a blob was made of, be it a memory or an anchored receipt", async () => {
      const fact = { content: 'b "quoted"\n😀', namespace: "__proto__", sourceAgent: "s" };
      const same = [
        memory(fact.content, { ...fact, storeRef: "m1" }),
        memory(fact.content, { ...fact, storeRef: "m1" }),
      ];
      for (const each of [...same, memory("other", { storeRef: "m2" })]) await records.memories.add(each);
      const anchor = { blobId: "b1", digest: "d1", answerId: "ans_9", issued: false, anchoredAt: STAMP.at, body: "{}" };
      await records.anchors.add(anchor);
      await restart();
      expect(await records.blobTexts.find("m1")).toBe(canonicalJson(fact));
      expect(await records.blobTexts.find("b1")).toBe("{}");
      expect(await records.blobTexts.find("m3")).toBeUndefined();
      await records.reset([], policyFrom([]), STAMP);
      expect(await records.blobTexts.find("m1")).toBeUndefined();
    });

    it("keeps the first value that is given under a name, for everybody and for good", async () => {
      const given = Array.from({ length: 8 }, (_, i) => Uint8Array.of(i, 255));
      const answers = await Promise.all(given.map((value) => records.writeOnce.putIfAbsent("local-ledger-key", value)));
      expect(new Set(answers.map((value) => value[0])).size).toBe(1);
      await restart();
      const kept = await records.writeOnce.putIfAbsent("local-ledger-key", Uint8Array.of(99));
      expect([...kept]).toEqual([...(answers[0] ?? [])]);
    });

    it("keeps a request for the ledger pending until its outcome is on record", async () => {
      const request = { agentId: "a", blobId: "b", digest: "d", claimed: ["x", "y"], issued: true };
      const pending = await records.chainAnchors.request(request, STAMP.at);
      expect(await records.chainAnchors.request(request, "later")).toEqual(pending);
      const other = await records.chainAnchors.request({ ...request, claimed: ["x"] }, STAMP.at);
      const doomed = await records.chainAnchors.request({ ...request, claimed: [] }, STAMP.at);
      await records.chainAnchors.drop(doomed.id);
      await restart();
      expect(await records.chainAnchors.pending()).toEqual([pending, other]);

      const transaction = {
        txDigest: "t1",
        bytes: Uint8Array.of(1, 2),
        signature: "s",
        requests: [pending.id, other.id],
      };
      await records.chainAnchors.addTransaction(transaction);
      await expect(records.chainAnchors.addTransaction({ ...transaction, txDigest: "t2" })).rejects.toMatchObject({
        code: "records-unavailable",
      });
      await records.chainAnchors.addTransaction(transaction);
      await restart();
      const [open] = await records.chainAnchors.openTransactions();
      expect({ ...open, bytes: Buffer.from(open?.bytes ?? []) }).toEqual({ ...transaction, bytes: Buffer.of(1, 2) });

      const ended = {
        receiptId: "0x1",
        txDigest: "t1",
        allAuthorized: false,
        ledgerVersion: "7",
        anchoredAt: STAMP.at,
      };
      await records.chainAnchors.closeTransaction("t1", [{ id: pending.id, ...ended }]);
      await restart();
      expect(await records.chainAnchors.openTransactions()).toEqual([]);
      expect(await records.chainAnchors.pending()).toEqual([other]);
      expect(await records.chainAnchors.find("0x1")).toEqual({ ...request, ...ended });
      expect(await records.chainAnchors.find("0x2")).toBeUndefined();
      expect(await records.chainAnchors.outcomeOf(pending.id)).toEqual({ ...request, ...ended });
      expect(await records.chainAnchors.outcomeOf(other.id)).toBeUndefined();
    });

    it("ends a second request for what is on the ledger already with the receipt that is there", async () => {
      const request = { agentId: "a", blobId: "b", digest: "d", claimed: [], issued: false };
      const ended = { receiptId: "0x1", txDigest: "t1", allAuthorized: true, ledgerVersion: "7", anchoredAt: STAMP.at };
      const first = await records.chainAnchors.request(request, STAMP.at);
      await records.chainAnchors.complete({ id: first.id, ...ended });
      const second = await records.chainAnchors.request(request, STAMP.at);
      expect(second.id).not.toBe(first.id);
      await records.chainAnchors.complete({ id: second.id, ...ended, txDigest: "other" });
      expect((await records.chainAnchors.find("0x1"))?.txDigest).toBe("t1");
      expect(await records.chainAnchors.pending()).toEqual([]);
    });

    it("keeps the local ledger's transactions in their order", async () => {
      const logged = (n: number) => ({
        sequence: n,
        txDigest: `t${n}`,
        bytes: Buffer.of(n),
        signatures: ["s"],
        timestampMs: n,
      });
      for (const n of [1, 2, 3]) await records.ledgerLog.append(logged(n));
      for (const taken of [logged(2), { ...logged(4), sequence: 3 }, { ...logged(2), sequence: 4 }]) {
        await expect(records.ledgerLog.append(taken)).rejects.toMatchObject({ code: "records-unavailable" });
      }
      await restart();
      const first = await records.ledgerLog.page({ limit: 2 });
      expect(first.map(({ txDigest, timestampMs, signatures }) => [txDigest, timestampMs, signatures])).toEqual([
        ["t1", 1, ["s"]],
        ["t2", 2, ["s"]],
      ]);
      const rest = await records.ledgerLog.page({ after: first.at(-1)?.sequence ?? 0, limit: 2 });
      expect(rest.map(({ bytes }) => [...bytes])).toEqual([[3]]);
    });

    it("shows an audit all of one moment, whatever is written meanwhile", async () => {
      await captureAll("a", "b");
      await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
      await records.receipts.add({ ...RECEIPT, namespaces: ["n"], body: "{}" });
      const seen = await records.audit(async ({ rows, complaints }) => {
        const before = await Array.fromAsync(rows("counters"));
        await captureAll("c");
        await records.reset([], policyFrom([]), STAMP);
        const memories = (await Array.fromAsync(rows("memory"))).map(({ sequence, content }) => [sequence, content]);
        const leaves = await Array.fromAsync(rows("leaf"));
        const receipts = await Array.fromAsync(rows("receipt"));
        return { before, memories, leaves, receipts, complaints: await complaints() };
      });
      expect(seen).toEqual({
        before: [{ memory: 2, policy: 1, memories: 2, forgotten: 0, receipts: 1, anchors: 0, onLedger: 0 }],
        memories: [
          [1, "a"],
          [2, "b"],
        ],
        leaves: [{ agentId: "x", namespace: "n", allowed: 1 }],
        receipts: [
          {
            answerId: "ans_1",
            agentId: "a",
            createdAt: STAMP.at,
            body: "{}",
            foundAgentId: "a",
            isVerified: 1,
            namespaces: '["n"]',
          },
        ],
        complaints: [],
      });
      expect(await listed()).toEqual([]);
    });

    it("refuses an anchor that claims a receipt which was never issued", async () => {
      const claim = { blobId: "b1", digest: "d1", answerId: "ans_9", issued: true, anchoredAt: STAMP.at, body: "{}" };
      await expect(records.anchors.add(claim)).rejects.toMatchObject({ code: "records-unavailable" });
    });
  });
}

let count = 0;

function memory(content: string, fields: Partial<Memory> = {}): Memory {
  const memoryId = `mem_${++count}`;
  const rest = { storeRef: "ref", namespace: "n", sourceAgent: "s", createdAt: STAMP.at, contentDigest: "d" };
  return { memoryId, content, ...rest, ...fields };
}

async function allChanges(records: RecordStore): Promise<MemoryChange[]> {
  const changes: MemoryChange[] = [];
  for (let known = { position: 0, policyVersion: 0, complete: false }; !known.complete; ) {
    const snapshot = await records.changeFeed.since(known);
    changes.push(...snapshot.changes);
    known = snapshot;
  }
  return changes;
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, i) => i === 0 || number > (numbers[i - 1] as number));
}

function leafOf(policy: Policy, agentId: string, namespace: string) {
  return rulesOf(policy).find((rule) => rule.agentId === agentId && rule.namespace === namespace)?.allowed;
}
