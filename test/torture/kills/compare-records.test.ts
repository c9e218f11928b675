// The comparison after a kill finds whatever is missing, doubled or different.

import { beforeEach, describe, expect, test } from "vitest";
import { OPEN } from "#core/identity/principal.ts";
import { anchor } from "#service/anchoring/anchor.ts";
import { chat } from "#service/answers/chat.ts";
import { capture } from "#service/memories/capture.ts";
import { reset } from "#service/operations/reset.ts";
import type { Tenant } from "#service/tenant.ts";
import { asked } from "#test/support/asked.ts";
import { testTenant } from "#test/support/tenant.ts";
import { compareRecords, nothingSeen, type Seen } from "./compare-records.ts";
import { createJournal, type Journal, type Receipt } from "./journal.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00.000Z" };
const fact = (content: string) => ({ namespace: "n", content, sourceAgent: "s" });
const RULE = { agentId: "a", namespace: "n", allowed: true };

describe("the comparison of the records with the journal", () => {
  let tenant: Tenant;
  let journal: Journal;
  let seen: Seen;
  beforeEach(async () => {
    tenant = testTenant();
    journal = createJournal();
    seen = nothingSeen();
    await reset(tenant, "test");
  });

  const violations = () => tenant.records.audit((audit) => compareRecords(audit, journal, seen));
  const entryOf = (content: string) => ({ ...fact(content), asked: journal.tick() });

  async function captureAndAcknowledge(content: string): Promise<void> {
    const entry: Journal["captures"][number] = entryOf(content);
    journal.captures.push(entry);
    const { memoryId, storeRef } = await capture(tenant, fact(content));
    Object.assign(entry, { memoryId, storeRef, acknowledged: journal.tick() });
  }

  async function setAccess() {
    await tenant.records.policy.set(RULE, STAMP);
    return tenant.records.policy.current();
  }

  async function ask(): Promise<Receipt> {
    const entry: Journal["questions"][number] = { asked: journal.tick() };
    journal.questions.push(entry);
    const { receipt } = await asked((caller) => chat(tenant, { agentId: "a", query: "?" }, caller));
    entry.receipt = JSON.parse(JSON.stringify(receipt));
    return entry.receipt as Receipt;
  }

  test("finds nothing when all is on record, whether or not the unacknowledged is", async () => {
    await captureAndAcknowledge("one");
    await capture(tenant, fact("two"));
    journal.captures.push(entryOf("two"), entryOf("three"));
    const reply = await setAccess();
    journal.sets.push({ asked: journal.tick(), rule: RULE, reply });
    const receipt = await ask();
    const { blobId } = await anchor(tenant, { receipt }, { principal: OPEN });
    journal.anchors.push({ asked: journal.tick(), receipt, issued: true, blobId });
    expect(await violations()).toEqual([]);
    expect([...seen.memories.keys()]).toEqual(["one", "two"]);
    journal.captures.length = 0;
    journal.sets.length = 0;
    expect(await violations()).toEqual([]);
  });

  test("finds a memory that is missing, doubled, never captured, or forgotten and back", async () => {
    journal.captures.push({ ...entryOf("lost"), memoryId: "mem_x", acknowledged: journal.tick() });
    journal.captures.push(entryOf("twice"));
    const twice = await capture(tenant, fact("twice"));
    await tenant.records.memories.add({ ...twice, memoryId: "mem_again", contentDigest: "another" });
    await capture(tenant, fact("never asked for"));
    seen.gone.add("back");
    await capture(tenant, fact("back"));
    expect(await violations()).toEqual([
      expect.stringMatching(/^memory mem_\w+ is on record twice$/),
      expect.stringMatching(/^memory mem_\w+ was never captured$/),
      expect.stringMatching(/^memory mem_\w+ was forgotten, and is on record again$/),
      "memory mem_x was acknowledged, and is missing",
    ]);
  });

  test("finds a fact that was acknowledged as two memories, unless a reset came in between", async () => {
    const entry = { ...entryOf("one"), acknowledged: journal.tick(), disagreed: true } as const;
    await capture(tenant, fact("one"));
    journal.captures.push(entry);
    expect(await violations()).toEqual([expect.stringContaining("the same fact was acknowledged as two memories")]);
    journal.resets.push({ asked: journal.tick() });
    expect(await violations()).toEqual([]);
  });

  test("finds a memory that an acknowledged reset left, and a reset that removed only some", async () => {
    await captureAndAcknowledge("one");
    await captureAndAcknowledge("two");
    journal.resets.push({ asked: journal.tick(), acknowledged: journal.tick() });
    expect(await violations()).toEqual([
      expect.stringMatching(/^memory mem_\w+ was forgotten by an acknowledged reset, and is on record$/),
      expect.stringMatching(/^memory mem_\w+ was forgotten by an acknowledged reset, and is on record$/),
    ]);

    journal.captures.push({ ...entryOf("three"), memoryId: "mem_y", acknowledged: journal.tick() });
    journal.resets.splice(0, 1, { asked: journal.tick() });
    expect(await violations()).toEqual(["a reset removed 1 memories, and left 2"]);
  });

  test("finds a forgotten memory that is on record, and one that was lost beside it", async () => {
    await captureAndAcknowledge("one");
    await captureAndAcknowledge("two");
    const [one, two] = journal.captures.map(({ memoryId = "" }) => memoryId);
    const forgetOf = (content: string, memoryId = "") => ({ asked: journal.tick(), content, memoryId });
    journal.forgets.push({ ...forgetOf("one", one), acknowledged: journal.tick() });
    expect(await violations()).toEqual([`memory ${one} was forgotten, and is on record`]);
    await tenant.records.memories.forget({ memoryIds: [one, two] as string[], cause: "forgotten" }, STAMP);
    expect(await violations()).toEqual([`memory ${two} was acknowledged, and is missing`]);
    journal.forgets.push(forgetOf("two", two));
    expect(await violations()).toEqual([]);
  });

  test("finds a memory that is history without its successor, or current beside it", async () => {
    await captureAndAcknowledge("old");
    const { memoryId: old = "" } = journal.captures[0] ?? {};
    const next: Journal["captures"][number] = { ...entryOf("new"), supersedes: "old" };
    journal.captures.push(next);
    expect(await violations()).toEqual([]);
    next.acknowledged = journal.tick();
    expect(await violations()).toEqual([
      `memory ${old} is current, and the one that takes its place is on record`,
      "memory without an id was acknowledged, and is missing",
    ]);
    delete next.acknowledged;
    seen.gone.clear();
    const { memoryId } = await capture(tenant, { ...fact("new"), supersedes: old });
    expect(await violations()).toEqual([]);
    await tenant.records.memories.forget({ memoryIds: [memoryId], cause: "forgotten" }, STAMP);
    expect(await violations()).toEqual([`memory ${old} is history, and the one that takes its place is not on record`]);
    // What became history stays it.
    journal.captures.length = 0;
    expect(await violations()).toEqual([]);
  });

  test("finds a policy change that is missing, and an earlier version that has changed", async () => {
    const reply = await setAccess();
    journal.sets.push({ asked: journal.tick(), rule: RULE, reply: { ...reply, version: reply.version + 1 } });
    expect(await violations()).toEqual([
      "policy version 3 was acknowledged, and differs on record",
      "the policy's version is 2, not 3 to 4",
    ]);
    journal.sets.length = 0;
    seen.policies = ["x"];
    expect(await violations()).toContain("an earlier version of the policy has changed");
  });

  test("finds a receipt or an anchor that is missing, and an anchor that nobody asked for", async () => {
    const receipt = await ask();
    await anchor(tenant, { receipt: { ...receipt, answerId: "another's" } }, { principal: OPEN });
    const other = { ...receipt, answerId: "ans_lost" };
    journal.questions.push({ asked: journal.tick(), receipt: other });
    journal.anchors.push({ asked: journal.tick(), receipt: other, issued: true, blobId: "b" });
    const reply = { receiptId: "0x1", txDigest: "t", allAuthorized: true };
    journal.onLedger.push({ asked: journal.tick(), receipt: other, reply });
    expect(await violations()).toEqual([
      "receipt ans_lost was acknowledged, and is missing or differs",
      expect.stringMatching(/^anchor \S+ was never asked for, or not with this `issued`$/),
      "anchor b was acknowledged, and is missing or differs",
      "receipt 0x1 on the ledger was acknowledged, and is missing or differs",
    ]);
  });

  test("finds a request for the ledger that nobody made, or that is still pending", async () => {
    const request = { agentId: "a", blobId: "b", digest: "d", claimed: [], policyVersion: "newest" as const };
    const { id } = await tenant.records.chainAnchors.request(request, STAMP.at);
    expect(await violations()).toEqual([
      "there are 1 requests of d, and 0 were asked for",
      `request ${id} is still pending`,
    ]);
  });
});
