import { describe, expect, test } from "vitest";
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import { additionNotes, differenceOf, isEmpty, removalNotes, splitByQuotes } from "./answer-difference.ts";

const used = (memoryId: string, namespace: string, snippet = memoryId): UsedMemory => ({
  memoryId,
  namespace,
  snippet,
  storeRef: memoryId,
  contentDigest: "",
  given: 0,
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
  evidence: {
    v: 2,
    kind: "answered",
    model: null,
    template: null,
    policyVersion: 1,
    policyDigest: "",
    commitments: {},
    salts: {},
  },
  signature: { keyId: "", value: "" },
});

describe("the difference between two answers", () => {
  const before = receipt([used("a", "health"), used("b", "diet"), used("c", "work")], ["finance"]);
  const now = receipt([used("b", "diet"), used("d", "finance")], ["health"]);
  const difference = differenceOf(before, now);

  test("names the gates that closed or opened, and the memories that were removed, added or kept", () => {
    expect(difference.closed).toEqual(["health"]);
    expect(difference.opened).toEqual(["finance"]);
    expect(difference.removed.map(({ memoryId }) => memoryId)).toEqual(["a", "c"]);
    expect(difference.added.map(({ memoryId }) => memoryId)).toEqual(["d"]);
    expect(difference.shared).toBe(1);
    expect(isEmpty(difference)).toBe(false);
  });

  test("distinguishes a memory whose gate closed from one that was outranked", () => {
    expect([...removalNotes(difference, now)]).toEqual([
      ["a", "gone: gate closed"],
      ["c", "gone: outranked"],
    ]);
    expect([...additionNotes(difference)]).toEqual([["d", "new: gate opened"]]);
  });

  test("is empty between an answer and itself", () => {
    expect(isEmpty(differenceOf(before, before))).toBe(true);
  });
});

describe("splitting an answer by its quotes", () => {
  test("finds quotes anywhere, and loses nothing of the answer", () => {
    const answer = "Here: Booked at Lotus. (diet) No peanuts. (health)";
    const parts = splitByQuotes(answer, [used("a", "health", "No peanuts."), used("b", "diet", "Booked at Lotus.")]);
    expect(parts.filter(({ isQuote }) => isQuote).map(({ text }) => text)).toEqual(["Booked at Lotus.", "No peanuts."]);
    expect(parts.map(({ text }) => text).join("")).toBe(answer);
  });

  test("finds the beginning of a memory that the receipt shortened", () => {
    expect(splitByQuotes("A long story, told.", [used("a", "n", "A long…")])[0]).toEqual({
      text: "A long",
      isQuote: true,
    });
  });

  test("marks nothing when the model uses its own words", () => {
    expect(splitByQuotes("Avoid nuts.", [used("a", "health", "No peanuts.")])).toEqual([
      { text: "Avoid nuts.", isQuote: false },
    ]);
  });
});
