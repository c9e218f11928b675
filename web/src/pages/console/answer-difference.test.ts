import { describe, expect, it } from "vitest";
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import { coming, differenceOf, isSame, leaving, quotedFrom } from "./answer-difference.ts";

const used = (memoryId: string, namespace: string, snippet = memoryId): UsedMemory => ({
  memoryId,
  namespace,
  snippet,
  storeRef: memoryId,
  authorized: true,
  verified: true,
  intact: true,
});

const receipt = (usedMemories: readonly UsedMemory[], blockedNamespaces: readonly string[]): AnswerReceipt => ({
  answerId: "ans_1",
  agentId: "assistant",
  usedMemories,
  blockedNamespaces,
  createdAt: "2026-01-01T00:00:00.000Z",
  evidence: { policyVersion: 1, policyDigest: "", promptDigest: null, answerDigest: "", model: null },
});

describe("the difference between two answers", () => {
  const before = receipt([used("a", "health"), used("b", "diet"), used("c", "work")], ["finance"]);
  const now = receipt([used("b", "diet"), used("d", "finance")], ["health"]);
  const difference = differenceOf(before, now);

  it("names the gates that closed and opened, and the memories that left, came and stayed", () => {
    expect(difference.closed).toEqual(["health"]);
    expect(difference.opened).toEqual(["finance"]);
    expect(difference.left.map(({ memoryId }) => memoryId)).toEqual(["a", "c"]);
    expect(difference.came.map(({ memoryId }) => memoryId)).toEqual(["d"]);
    expect(difference.stayed).toBe(1);
    expect(isSame(difference)).toBe(false);
  });

  it("tells a memory whose gate closed from one that was outranked", () => {
    expect([...leaving(difference, now)]).toEqual([
      ["a", "gone: gate closed"],
      ["c", "gone: outranked"],
    ]);
    expect([...coming(difference)]).toEqual([["d", "new: gate opened"]]);
  });

  it("is none between an answer and itself", () => {
    expect(isSame(differenceOf(before, before))).toBe(true);
  });
});

describe("what an answer quotes", () => {
  it("is found wherever it stands, and the pieces are the answer again", () => {
    const answer = "Here: Booked at Lotus. (diet) No peanuts. (health)";
    const pieces = quotedFrom(answer, [used("a", "health", "No peanuts."), used("b", "diet", "Booked at Lotus.")]);
    expect(pieces.filter(({ quoted }) => quoted).map(({ text }) => text)).toEqual(["Booked at Lotus.", "No peanuts."]);
    expect(pieces.map(({ text }) => text).join("")).toBe(answer);
  });

  it("is the beginning of a memory that the receipt has cut short", () => {
    expect(quotedFrom("A long story, told.", [used("a", "n", "A long…")])[0]).toEqual({ text: "A long", quoted: true });
  });

  it("is nothing when a model uses its own words", () => {
    expect(quotedFrom("Avoid nuts.", [used("a", "health", "No peanuts.")])).toEqual([
      { text: "Avoid nuts.", quoted: false },
    ]);
  });
});
