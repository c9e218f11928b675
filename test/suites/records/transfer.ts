import { expect, test } from "vitest";
import { nameListOf } from "#core/encoding/digest.ts";
import type { ExportedTombstone, RestoredDecision, RestoredReceipt } from "#ports.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { AT, newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const tombstone = (memoryId: string, fields: Partial<ExportedTombstone> = {}): ExportedTombstone => ({
  memoryId,
  namespace: "n",
  sourceAgent: "s",
  cause: "forgotten",
  forgottenBy: "somebody",
  forgottenAt: AT,
  ...fields,
});

const receipt = (answerId: string, fields: Partial<RestoredReceipt> = {}): RestoredReceipt => ({
  answerId,
  agentId: "assistant",
  createdAt: AT,
  namespaces: ["n"],
  memoryIds: ["mem_used"],
  model: null,
  body: `{"answerId":"${answerId}"}`,
  seed: "00",
  ...fields,
});

export function transferSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("restored memories keep ids, keys, pins and history, and the change feed has them in their order", async () => {
    const { transfer, memories } = store.records;
    const [first, second] = [newMemory("first", { key: "k", pinned: true }), newMemory("second", { namespace: "m" })];
    const old = newMemory("old", { key: "k", supersededBy: first.memoryId });
    const superseding = { by: "s", at: "2026-05-06T07:08:09.000Z" };
    const lease = { blobId: "ref", storedAt: AT, endEpoch: 7 };
    expect(await transfer.restoreMemories([{ memory: old, superseding, lease }], STAMP)).toBe(1);
    expect(await transfer.restoreMemories([{ memory: first, lease }, { memory: second }], STAMP)).toBe(2);
    expect(await memories.findByKey({ namespace: "n", sourceAgent: "s", key: "k" })).toEqual(first);
    expect((await memories.page({ limit: 9 })).memories).toEqual([second, first]);
    expect((await memories.page({ limit: 9, superseded: true })).memories).toEqual([old]);
    expect(await transfer.supersededAt([old.memoryId, first.memoryId])).toEqual(new Map([[old.memoryId, superseding]]));
    const { changes } = await readChanges(store.records.changeFeed);
    const captured = changes.flatMap((change) => (change.kind === "captured" ? change.content : []));
    expect(captured.toSorted()).toEqual(["first", "second"]);
    expect(await store.records.leases.find("ref")).toEqual(lease);
    expect((await memories.counts()).byNamespace).toEqual(
      new Map([
        ["n", 1],
        ["m", 1],
      ]),
    );
  });

  test("what is on record, forgotten, or under a key that is taken is passed over", async () => {
    const { transfer, memories } = store.records;
    const [here, gone] = [newMemory("here", { key: "k" }), newMemory("gone")];
    for (const each of [here, gone]) await memories.add(each);
    await memories.forget({ memoryIds: [gone.memoryId], cause: "forgotten" }, STAMP);
    const other = newMemory("other", { key: "k" });
    const fresh = newMemory("fresh");
    expect(await transfer.knownMemories([here, gone, other].map(({ memoryId }) => memoryId))).toEqual(
      new Set([here.memoryId, gone.memoryId]),
    );
    const given = [here, gone, other, fresh].map((memory) => ({ memory: { ...memory, content: "from elsewhere" } }));
    expect(await transfer.restoreMemories(given, STAMP)).toBe(1);
    expect(await transfer.restoreMemories(given, STAMP)).toBe(0);
    expect(await memories.find(gone.memoryId)).toBeUndefined();
    expect((await memories.find(here.memoryId))?.content).toBe("here");
  });

  test("restored tombstones are pages of tombstones, by namespace and source agent, and count once", async () => {
    const { transfer, memories } = store.records;
    const given = [
      tombstone("mem_x"),
      tombstone("mem_y", { namespace: "m", reason: "old" }),
      tombstone("mem_z", { sourceAgent: "t" }),
    ];
    expect(await transfer.restoreTombstones(given)).toBe(3);
    expect(await transfer.restoreTombstones(given)).toBe(0);
    const current = await memories.add(newMemory("current"));
    expect(await transfer.restoreTombstones([tombstone(current.memoryId)])).toBe(0);
    const first = await transfer.tombstones({ limit: 2 });
    expect(first.tombstones).toEqual(given.slice(0, 2));
    expect((await transfer.tombstones({ limit: 2, after: first.next ?? 0 })).tombstones).toEqual(given.slice(2));
    expect((await transfer.tombstones({ limit: 9, namespaces: ["m"] })).tombstones).toEqual([given[1]]);
    expect((await transfer.tombstones({ limit: 9, sourceAgent: "t" })).tombstones).toEqual([given[2]]);
    expect((await memories.tombstone("mem_y"))?.tombstone).toMatchObject({ reason: "old", namespace: "m" });
  });

  test("restored receipts are found with their end, and a complete one takes the place of a begun one", async () => {
    const { transfer, receipts, memories } = store.records;
    const list = nameListOf(["a", "b"]);
    await transfer.restoreList(list);
    const counts = { used: 2, verified: 2, intact: 1, signatureDigest: "51" };
    const given = [
      receipt("ans_1", { counts, blockedDigest: list.digest }),
      receipt("ans_2", { counts, reason: "caller-gone" }),
      receipt("ans_3", { reason: "model-failed" }),
      receipt("ans_4"),
    ];
    expect(await transfer.restoreReceipts(given)).toBe(4);
    expect(await transfer.restoreReceipts(given)).toBe(0);
    const { receipts: found } = await receipts.page({ limit: 9 });
    expect(found.map(({ status, reason }) => [status, reason])).toEqual([
      ["begun", undefined],
      ["broken-off", "model-failed"],
      ["broken-off", "caller-gone"],
      ["issued", undefined],
    ]);
    expect((await receipts.page({ limit: 9, namespace: "b" })).receipts).toHaveLength(1);
    const hour = { hour: AT.slice(0, 13), answers: 2, used: 4, verified: 4, intact: 2, brokenOff: 2 };
    expect(await receipts.byHour("")).toEqual([hour]);
    expect((await memories.uses("mem_used", { limit: 9 })).uses).toHaveLength(4);
    expect(await transfer.restoreReceipts([receipt("ans_4", { counts })])).toBe(1);
    expect((await receipts.find("ans_4"))?.status).toBe("issued");
    expect(await receipts.byHour("")).toEqual([{ ...hour, answers: 3, used: 6, verified: 6, intact: 3 }]);
  });

  test("of equal decisions as many are on record as were exported", async () => {
    const { transfer, decisions } = store.records;
    const allowed = nameListOf(["a"]);
    await transfer.restoreList(allowed);
    const decision: Omit<RestoredDecision, "copy"> = {
      at: AT,
      principalId: "key_1",
      principalName: "somebody",
      role: "agent",
      agentId: "assistant",
      route: "recall",
      policyVersion: 3,
      outcome: "given",
      allowed: { digest: allowed.digest, count: 1 },
      blocked: { digest: null, count: 0 },
    };
    const given = [0, 1].map((copy) => ({ ...decision, copy }));
    expect(await transfer.restoreDecisions(given)).toBe(2);
    expect(await transfer.restoreDecisions(given)).toBe(0);
    expect(
      await transfer.restoreDecisions([
        { ...decision, copy: 2 },
        { ...decision, memoryId: "mem_1", copy: 0 },
      ]),
    ).toBe(2);
    const { decisions: found } = await decisions.page({ limit: 9 });
    expect(found).toHaveLength(4);
    expect(found.at(-1)).toMatchObject(decision);
  });

  test("restored keys have ended and sign nothing, and the policy is replaced in one change", async () => {
    const { transfer, signingKeys, policy } = store.records;
    const key = { keyId: "k1", publicKey: new Uint8Array(32).fill(7), createdAt: AT, endedAt: AT };
    await transfer.restoreKeys([key], "deployment");
    await transfer.restoreKeys([{ ...key, endedAt: "2027-01-01T00:00:00.000Z" }], "deployment");
    expect(
      (await signingKeys.list()).map(({ publicKey, ...rest }) => ({ ...rest, publicKey: Uint8Array.from(publicKey) })),
    ).toEqual([key]);
    expect(await signingKeys.signing()).toBeUndefined();
    await policy.set({ agentId: "a", namespace: "n", allowed: true }, STAMP);
    const rules = [
      { agentId: "a", namespace: "m", allowed: true },
      { agentId: "b", namespace: "n", allowed: false },
    ];
    expect(await transfer.replacePolicy(rules, STAMP)).toBe(true);
    expect(await transfer.replacePolicy(rules, STAMP)).toBe(false);
    expect(await policy.current()).toEqual({ policy: { a: { m: true }, b: { n: false } }, version: 2 });
  });
}
