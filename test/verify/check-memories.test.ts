import { describe, expect, test } from "vitest";
import type { Observation } from "#core/verify/observation.ts";
import { verifyReceipt } from "#core/verify/verify-receipt.ts";
import {
  type AnchoredCase,
  anchored,
  anchoredReceipt,
  FACTS,
  plainReceipt,
  statuses,
  utf8,
  walrusLike,
  withMemory,
} from "#test/support/anchored-receipt.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";

function expectMemories(observation: Observation, verdict: string, expected: string): string[] {
  const result = verifyReceipt(observation);
  expect(statuses(result.checks).memory).toBe(expected);
  expect(result.verdict).toBe(verdict);
  return result.checks.filter(({ name }) => name === "memory").map(({ sentence }) => sentence);
}

const [fact = { namespace: "", content: "", sourceAgent: "" }] = FACTS;

const withFirst = (good: AnchoredCase, bytes: Observation["blob"]): Observation => {
  const [ref = ""] = good.memories.keys();
  return withMemory(good, ref, bytes);
};

describe("a used memory", () => {
  test("is unknown when the store was not asked", () => {
    expectMemories({ ...anchored(), memories: new Map() }, "unknown", "unknown unknown");
  });

  test("fails if its blob is larger than a memory can be", () => {
    const large = utf8(sortedJson({ ...fact, sourceAgent: "a".repeat(70_000) }));
    expectMemories(withFirst(anchored(), large), "failed", "fail pass");
    expectMemories(withFirst(anchored({ idOf: walrusLike }), large), "failed", "fail pass");
  });

  test("is bound beyond its snippet by a receipt of format 2, whatever the store's ids are", () => {
    const other = utf8(sortedJson({ ...fact, sourceAgent: "someone else" }));
    expectMemories(withFirst(anchored({ idOf: walrusLike }), other), "failed", "fail pass");
  });

  test("is bound beyond its snippet by the store's word alone if the receipt is somebody else's", () => {
    const other = utf8(sortedJson({ ...fact, sourceAgent: "someone else" }));
    const foreign = (idOf?: typeof walrusLike) => {
      const options = idOf === undefined ? {} : { idOf };
      return withFirst(anchoredReceipt(plainReceipt(options), options), other);
    };
    expectMemories(foreign(), "failed", "fail pass");
    const [sentence] = expectMemories(foreign(walrusLike), "unknown", "pass pass");
    expect(sentence).toContain("is the store’s word");
  });

  test("may share its blob with another one that has the same text", () => {
    const good = anchored({ facts: [fact, fact] });
    expectMemories(good, "verified", "pass pass");
    expectMemories(withFirst(good, "missing"), "unknown", "unknown unknown");
  });
});
