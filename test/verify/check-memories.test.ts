import { describe, expect, test } from "vitest";
import type { Observation } from "#core/verify/observation.ts";
import { verifyReceipt } from "#core/verify/verify-receipt.ts";
import {
  type AnchoredCase,
  anchored,
  anchoredBytes,
  FACTS,
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

describe("a used memory", () => {
  const withFirst = (good: AnchoredCase, bytes: Observation["blob"]): Observation => {
    const [ref = ""] = good.memories.keys();
    return withMemory(good, ref, bytes);
  };

  test("fails when its blob is gone, and is unknown when the store did not answer or was not asked", () => {
    const good = anchored();
    expectMemories(withFirst(good, "missing"), "failed", "fail pass");
    expectMemories(withFirst(good, "unreachable"), "unknown", "unknown pass");
    expectMemories({ ...good, memories: new Map() }, "unknown", "unknown unknown");
  });

  const [fact = { namespace: "", content: "", sourceAgent: "" }] = FACTS;
  const text = sortedJson(fact);
  test.each([
    ["another namespace", sortedJson({ ...fact, namespace: "health" })],
    ["another text", sortedJson({ ...fact, content: "Fish on Mondays, never peanuts." })],
    ["another layout", JSON.stringify(fact, null, 1)],
    ["a line end after it", `${text}\n`],
    ["a byte order mark", `\ufeff${text}`],
    ["a key that comes twice", text.replace("{", '{"content":"Meat.",')],
    ["an additional field", sortedJson({ ...fact, note: "" })],
    ["a missing field", sortedJson({ content: fact.content, namespace: fact.namespace })],
    ["a field that is not a string", sortedJson({ ...fact, sourceAgent: 1 })],
    ["a field of another name", sortedJson({ content: fact.content, namespace: fact.namespace, __proto__x: "a" })],
    ["a list instead of an object", "[]"],
    ["a string instead of an object", '"Fish on Fridays, never peanuts."'],
    ["null instead of an object", "null"],
    ["no bytes", ""],
    ["more bytes than a fact can have", sortedJson({ ...fact, sourceAgent: "a".repeat(70_000) })],
  ])("fails if its blob has %s, whether or not ids can be derived", (_, bytes) => {
    expectMemories(withFirst(anchored(), utf8(bytes)), "failed", "fail pass");
    expectMemories(withFirst(anchored({ idOf: walrusLike }), utf8(bytes)), "failed", "fail pass");
  });

  test("fails after a change beyond the snippet if ids can be derived; otherwise the sentence names the store as the one to trust", () => {
    const other = utf8(sortedJson({ ...fact, sourceAgent: "someone else" }));
    expectMemories(withFirst(anchored(), other), "failed", "fail pass");
    const [sentence] = expectMemories(withFirst(anchored({ idOf: walrusLike }), other), "verified", "pass pass");
    expect(sentence).toContain("is the store’s word");
  });

  test("passes with a warning if the receipt itself says that it was not authorized", () => {
    const { blob, memories } = anchored();
    const text = new TextDecoder().decode(blob).replace('"authorized":true', '"authorized":false');
    const [sentence] = expectMemories(anchoredBytes(utf8(text), { memories }), "verified", "pass pass");
    expect(sentence).toContain("not authorized");
  });

  test("may be used twice in one receipt", () => {
    const good = anchored({ facts: [fact, fact] });
    expectMemories(good, "verified", "pass pass");
    expectMemories(withFirst(good, "missing"), "failed", "fail fail");
  });
});
