// The comparison after a kill is held to account: what is lost, doubled or wrong is found.
import { beforeEach, describe, expect, test } from "vitest";
import { anchor } from "#service/anchoring/anchor-as-blob.ts";
import { chat } from "#service/answers/chat.ts";
import type { Deps } from "#service/deps.ts";
import { capture } from "#service/memories/capture.ts";
import { reset } from "#service/operations/reset.ts";
import { asked } from "#test/support/asked.ts";
import { testDeps } from "#test/support/deps.ts";
import { compare, nothingSeen, type Seen } from "./compare-records.ts";
import { createJournal, type Journal, type Receipt } from "./journal.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00.000Z" };
const fact = (content: string) => ({ namespace: "n", content, sourceAgent: "s" });
const RULE = { agentId: "a", namespace: "n", allowed: true };

describe("what a kill left behind", () => {
  let deps: Deps;
  let journal: Journal;
  let seen: Seen;
  beforeEach(async () => {
    deps = testDeps();
    journal = createJournal();
    seen = nothingSeen();
    await reset(deps, "test");
  });

  const compared = () => deps.records.audit((audit) => compare(audit, journal, seen));
  const noted = (content: string) => ({ ...fact(content), asked: journal.tick() });

  async function captured(content: string): Promise<void> {
    const entry: Journal["captures"][number] = noted(content);
    journal.captures.push(entry);
    const { memoryId, storeRef } = await capture(deps, fact(content));
    Object.assign(entry, { memoryId, storeRef, acknowledged: journal.tick() });
  }

  async function answered(): Promise<Receipt> {
    const entry: Journal["questions"][number] = { asked: journal.tick() };
    journal.questions.push(entry);
    const { receipt } = await asked((caller) => chat(deps, { agentId: "a", query: "?" }, caller));
    entry.receipt = JSON.parse(JSON.stringify(receipt));
    return entry.receipt as Receipt;
  }

  test("is right when all is there, and when what nobody acknowledged is not, or is", async () => {
    await captured("one");
    await capture(deps, fact("two"));
    journal.captures.push(noted("two"), noted("three"));
    const got = await deps.records.policy.set(RULE, STAMP);
    journal.sets.push({ asked: journal.tick(), rule: RULE, got });
    const receipt = await answered();
    const { blobId } = await anchor(deps, receipt);
    journal.anchors.push({ asked: journal.tick(), receipt, issued: true, blobId });
    expect(await compared()).toEqual([]);
    expect([...seen.memories.keys()]).toEqual(["one", "two"]);
    journal.captures.length = 0;
    journal.sets.length = 0;
    expect(await compared()).toEqual([]);
  });

  test("is wrong when a memory is lost, doubled, another's or back again", async () => {
    journal.captures.push({ ...noted("lost"), memoryId: "mem_x", acknowledged: journal.tick() });
    journal.captures.push(noted("twice"));
    for (const content of ["twice", "twice", "never asked for"]) await capture(deps, fact(content));
    seen.gone.add("back");
    await capture(deps, fact("back"));
    expect(await compared()).toEqual([
      expect.stringMatching(/^memory mem_\w+ is there twice$/),
      expect.stringMatching(/^memory mem_\w+ was never asked for$/),
      expect.stringMatching(/^memory mem_\w+ is there again, and was forgotten$/),
      "memory mem_x was acknowledged, and is lost",
    ]);
  });

  test("is wrong when a reset that was acknowledged left a memory, or another took only some", async () => {
    await captured("one");
    await captured("two");
    journal.resets.push({ asked: journal.tick(), acknowledged: journal.tick() });
    expect(await compared()).toEqual([
      expect.stringMatching(/^memory mem_\w+ was acknowledged as forgotten, and is there$/),
      expect.stringMatching(/^memory mem_\w+ was acknowledged as forgotten, and is there$/),
    ]);

    journal.captures.push({ ...noted("three"), memoryId: "mem_y", acknowledged: journal.tick() });
    journal.resets.splice(0, 1, { asked: journal.tick() });
    expect(await compared()).toEqual(["a reset took 1 memories, and left 2"]);
  });

  test("is wrong when a change of the policy is lost, or its past is another", async () => {
    const got = await deps.records.policy.set(RULE, STAMP);
    journal.sets.push({ asked: journal.tick(), rule: RULE, got: { ...got, version: got.version + 1 } });
    expect(await compared()).toEqual([
      "policy version 3 was acknowledged, and is another",
      "the policy's version is 2, not 3 to 4",
    ]);
    journal.sets.length = 0;
    seen.policies = ["x"];
    expect(await compared()).toContain("the policy's past is another");
  });

  test("is wrong when a receipt or an anchor is lost, and when one is there that nobody asked for", async () => {
    const receipt = await answered();
    await anchor(deps, { ...receipt, answerId: "another's" });
    const other = { ...receipt, answerId: "ans_lost" };
    journal.questions.push({ asked: journal.tick(), receipt: other });
    journal.anchors.push({ asked: journal.tick(), receipt: other, issued: true, blobId: "b" });
    const got = { receiptId: "0x1", txDigest: "t", allAuthorized: true };
    journal.onLedger.push({ asked: journal.tick(), receipt: other, got });
    expect(await compared()).toEqual([
      "receipt ans_lost was acknowledged, and is lost, or another",
      expect.stringMatching(/^anchor \S+ was never asked for like this$/),
      "anchor b was acknowledged, and is lost, or another",
      "receipt 0x1 was acknowledged as being on the ledger, and is not on record, or another",
    ]);
  });

  test("is wrong when a request for the ledger is doubled, or has not come to its end", async () => {
    const request = { agentId: "a", blobId: "b", digest: "d", claimed: [], issued: false };
    const { id } = await deps.records.chainAnchors.request(request, STAMP.at);
    expect(await compared()).toEqual([
      "there are 1 requests of d, and 0 were asked for",
      `request ${id} has not come to its end`,
    ]);
  });
});
