import { expect, test } from "vitest";
import type { NameList } from "#core/encoding/digest.ts";
import type { Decision } from "#ports.ts";
import { AT, anchorOf, receipt } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const LATER = "2026-02-01T00:00:00.000Z";
const BETWEEN = "2026-01-15T00:00:00.000Z";
const HOUR_MS = 3_600_000;

const used = (verified: boolean, intact: boolean) => ({ memoryId: "m", storeRef: "ref", verified, intact });
const withMemories = (i: number) =>
  receipt(i, {
    used: 2,
    verified: 1,
    intact: 2,
    body: JSON.stringify({ answerId: receipt(i).answerId, usedMemories: [used(true, true), used(false, true)] }),
  });
const young = (i: number) => receipt(i, { createdAt: LATER });

const list = (...names: string[]): NameList => ({ digest: `digest of ${names.join()}`, names });
const decision = (at: string, fields: Partial<Decision> = {}): Decision => ({
  at,
  principalId: "key",
  principalName: "k",
  role: "admin",
  route: "chat",
  policyVersion: 1,
  outcome: "answered",
  ...fields,
});

export function retentionSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const oldIds = async (kind: "complete" | "incomplete" = "complete") => {
    const { receipts } = await store.records.retention.oldReceipts({ kind, before: BETWEEN, scan: 100 });
    return receipts.map(({ answerId }) => answerId);
  };
  const idOf = (i: number) => receipt(i).answerId;

  test("old receipts are found by their time, in pages, with all that is on record of them", async () => {
    const { receipts, retention } = store.records;
    const blockedList = { digest: "d", names: ["x", "y"] };
    await receipts.add({ ...withMemories(1), blockedList });
    for (const i of [2, 3, 4]) await receipts.add(withMemories(i));
    for (const i of [5, 6]) await receipts.add(young(i));
    await receipts.breakOff({ answerId: idOf(2), agentId: "a", at: AT, reason: "caller-gone" });

    const page = { kind: "complete" as const, before: BETWEEN, scan: 2 };
    const first = await retention.oldReceipts(page);
    expect(first).toEqual({
      receipts: [
        { answerId: idOf(1), createdAt: AT, reason: null, blockedDigest: "d", body: withMemories(1).body },
        { answerId: idOf(2), createdAt: AT, reason: "caller-gone", blockedDigest: null, body: withMemories(2).body },
      ],
      next: idOf(2),
    });
    const second = await retention.oldReceipts({ ...page, after: first.next ?? "" });
    expect(second.receipts.map(({ answerId }) => answerId)).toEqual([idOf(3), idOf(4)]);
    expect(await retention.oldReceipts({ ...page, after: second.next ?? "" })).toEqual({ receipts: [] });
  });

  test("removed receipts are gone from every list, and the counts of their hour stay", async () => {
    const { receipts, retention } = store.records;
    for (const i of [1, 2]) await receipts.add(withMemories(i));
    await receipts.add(young(3));
    const before = await receipts.byHour("2026");
    expect(await retention.remove({ answerIds: await oldIds() })).toBe(2);
    expect(await receipts.find(idOf(1))).toBeUndefined();
    expect(await receipts.isIssued(idOf(1), withMemories(1).body)).toBe(false);
    const { receipts: left } = await receipts.page({ limit: 10 });
    expect(left.map(({ body }) => body)).toEqual([young(3).body]);
    expect(await receipts.byHour("2026")).toEqual(before);
    const pruned = await store.records.audit(async ({ rows }) => Array.fromAsync(rows("prunedHour")));
    expect(pruned).toEqual([{ hour: "2026-01-02T03", answers: 2, used: 4, verified: 2, intact: 4, brokenOff: 0 }]);
    expect(await retention.remove({ answerIds: [idOf(1)] })).toBe(0);
  });

  test("an anchored receipt is never old, nor is one that is anchored before it is removed", async () => {
    const { receipts, retention, anchors } = store.records;
    for (const i of [1, 2]) await receipts.add(withMemories(i));
    await anchors.add(anchorOf(withMemories(1)));
    expect(await oldIds()).toEqual([idOf(2)]);
    expect(await retention.remove({ answerIds: [idOf(1), idOf(2)] })).toBe(1);
    expect(await receipts.find(idOf(1))).toMatchObject({ body: withMemories(1).body });
  });

  test("of receipts that are not complete, only those that were broken off are old", async () => {
    const { receipts, retention } = store.records;
    for (const i of [1, 2]) await receipts.begin(receipt(i));
    await receipts.breakOff({ answerId: idOf(1), agentId: "a", at: AT, reason: "caller-gone" });
    expect(await oldIds("incomplete")).toEqual([idOf(1)]);
    expect(await retention.remove({ answerIds: [idOf(1), idOf(2)] })).toBe(1);
    expect(await receipts.countBegun()).toBe(1);
    const pruned = await store.records.audit(async ({ rows }) => Array.fromAsync(rows("prunedHour")));
    expect(pruned).toMatchObject([{ answers: 0, brokenOff: 1 }]);
  });

  test("old decisions are removed by their time, and the newest of all stays, so that no sequence comes twice", async () => {
    const { decisions, retention } = store.records;
    for (const at of [AT, AT, LATER]) await decisions.add(decision(at));
    const old = await retention.oldDecisions({ before: BETWEEN, limit: 10 });
    expect(old.map(({ at }) => at)).toEqual([AT, AT]);
    expect(await retention.remove({ sequences: old.map(({ sequence }) => sequence) })).toBe(2);
    const { decisions: left } = await decisions.page({ limit: 10 });
    expect(left.map(({ at }) => at)).toEqual([LATER]);
    expect(await retention.oldDecisions({ before: "2027", limit: 10 })).toEqual([]);
    await decisions.add(decision(LATER));
    expect((await decisions.page({ limit: 1 })).decisions[0]?.sequence).toBeGreaterThan(left[0]?.sequence ?? 0);
  });

  test("lists that nothing refers to are removed, others stay, and a removed one can come again", async () => {
    const { decisions, receipts, retention } = store.records;
    const [gone, shared] = [list("a", "b"), list("c")];
    await decisions.add(decision(AT, { allowed: gone, blocked: shared }));
    await receipts.add({ ...young(1), blockedList: { digest: "of a receipt", names: ["d"] } });
    await decisions.add(decision(LATER, { allowed: shared }));
    const namesOf = (digest: string) => receipts.listedNames({ digest, limit: 10 });
    const removeLists = async () => {
      const now = Date.now();
      const first = await retention.removeUnusedLists(new Date(now));
      return first + (await retention.removeUnusedLists(new Date(now + 2 * HOUR_MS)));
    };
    expect(await removeLists()).toBe(0);
    const old = await retention.oldDecisions({ before: BETWEEN, limit: 10 });
    await retention.remove({ sequences: old.map(({ sequence }) => sequence) });
    expect(await removeLists()).toBe(1);
    expect(await namesOf(gone.digest)).toEqual([]);
    expect(await namesOf(shared.digest)).toEqual(["c"]);
    expect(await namesOf("of a receipt")).toEqual(["d"]);

    const { decisions: again, receipts: lists } = await store.restart();
    await again.add(decision(LATER, { allowed: gone }));
    expect(await lists.listedNames({ digest: gone.digest, limit: 10 })).toEqual(["a", "b"]);
  });
}
