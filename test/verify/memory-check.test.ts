import { describe, expect, it } from "vitest";
import { type Seen, verifyReceipt } from "#core/verify/verify-receipt.ts";
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

function expectMemories(seen: Seen, verdict: string, expected: string): string[] {
  const verified = verifyReceipt(seen);
  expect(statuses(verified.checks).memory).toBe(expected);
  expect(verified.verdict).toBe(verdict);
  return verified.checks.filter(({ name }) => name === "memory").map(({ sentence }) => sentence);
}

describe("a used memory", () => {
  const withFirst = (good: AnchoredCase, bytes: Seen["blob"]): Seen => {
    const [ref = ""] = good.memories.keys();
    return withMemory(good, ref, bytes);
  };

  it("fails when its blob is gone, and is unknown when the store does not answer or was not asked", () => {
    const good = anchored();
    expectMemories(withFirst(good, "missing"), "failed", "fail pass");
    expectMemories(withFirst(good, "unreachable"), "unknown", "unknown pass");
    expectMemories({ ...good, memories: new Map() }, "unknown", "unknown unknown");
  });

  const [fact = { namespace: "", content: "", sourceAgent: "" }] = FACTS;
  const text = sortedJson(fact);
  it.each([
    ["another namespace", sortedJson({ ...fact, namespace: "health" })],
    ["another text", sortedJson({ ...fact, content: "Fish on Mondays, never peanuts." })],
    ["other layout", JSON.stringify(fact, null, 1)],
    ["a line end after it", `${text}\n`],
    ["a byte order mark", `\ufeff${text}`],
    ["a key that comes twice", text.replace("{", '{"content":"Meat.",')],
    ["a further field", sortedJson({ ...fact, note: "" })],
    ["a field less", sortedJson({ content: fact.content, namespace: fact.namespace })],
    ["a field that is no text", sortedJson({ ...fact, sourceAgent: 1 })],
    ["a field of another name", sortedJson({ content: fact.content, namespace: fact.namespace, __proto__x: "a" })],
    ["a list in it", "[]"],
    ["text in it", '"Fish on Fridays, never peanuts."'],
    ["null in it", "null"],
    ["nothing in it", ""],
    ["too much in it", sortedJson({ ...fact, sourceAgent: "a".repeat(70_000) })],
  ])("fails with %s, whatever its id is made from", (_, bytes) => {
    expectMemories(withFirst(anchored(), utf8(bytes)), "failed", "fail pass");
    expectMemories(withFirst(anchored({ idOf: walrusLike }), utf8(bytes)), "failed", "fail pass");
  });

  it("fails where the snippet does not show it, when ids can be derived; else the sentence says who vouches", () => {
    const other = utf8(sortedJson({ ...fact, sourceAgent: "someone else" }));
    expectMemories(withFirst(anchored(), other), "failed", "fail pass");
    const [sentence] = expectMemories(withFirst(anchored({ idOf: walrusLike }), other), "verified", "pass pass");
    expect(sentence).toContain("is the store’s word");
  });

  it("says so when the receipt itself calls it not authorized", () => {
    const { blob, memories } = anchored();
    const text = new TextDecoder().decode(blob).replace('"authorized":true', '"authorized":false');
    const [sentence] = expectMemories(anchoredBytes(utf8(text), { memories }), "verified", "pass pass");
    expect(sentence).toContain("not authorized");
  });

  it("may be there twice", () => {
    const good = anchored({ facts: [fact, fact] });
    expectMemories(good, "verified", "pass pass");
    expectMemories(withFirst(good, "missing"), "failed", "fail fail");
  });
});
