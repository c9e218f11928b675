import { describe, expect, test } from "vitest";
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import { additionNotes, differenceOf, isEmpty, removalNotes, sentencesOnlyIn } from "./difference-summary.tsx";

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

describe("the sentences that only one of two answers has", () => {
  const onlyIn = (answer: string, other: string) =>
    sentencesOnlyIn(answer, other).flatMap(({ text, isOnlyHere }) => (isOnlyHere ? [text.trim()] : []));
  const before = "You fly at 07:40 on 12.5. (travel) No peanuts! (health) Fish on Fridays. (diet)";

  test("are found in the words of the model, whatever marks stand behind them, and nothing of the answer is lost", () => {
    const now = "You fly at 07:40 on 12.5. [1] Fish on Fridays. [2]";
    expect(onlyIn(before, now)).toEqual(["No peanuts! (health)"]);
    expect(onlyIn(now, before)).toEqual([]);
    expect(
      sentencesOnlyIn(before, now)
        .map(({ text }) => text)
        .join(""),
    ).toBe(before);
  });

  test("are not marked when the model said everything in other words", () => {
    expect(onlyIn(before, "Avoid nuts.")).toEqual([]);
  });
});
