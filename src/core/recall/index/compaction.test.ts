import { expect, test } from "vitest";
import { completed } from "#core/gate/gate.ts";
import { compact } from "./compaction.ts";
import { createNamespaceIndex } from "./namespace-index.ts";

const embed = (text: string) => Int8Array.of(text.length % 100, 1);

/** Ten terms each, of which the last is in all. */
const content = (i: number) => [...Array.from({ length: 9 }, (_, word) => `w${i}x${word}`), "common"].join(" ");

function filled(memories: number) {
  const index = createNamespaceIndex({ embed });
  for (let i = 1; i <= memories; i++)
    index.add({ sequence: i, namespace: "", content: content(i), createdAt: "2026-05-01T00:00:00.000Z" });
  return index;
}

test("an index of which more than half is forgotten gives back memories, terms and vectors", () => {
  const index = filled(1_000);
  for (let i = 1; i <= 500; i++) index.forget(i);
  expect(index.isSparse()).toBe(false);
  for (let i = 501; i < 1_000; i++) index.forget(i);
  expect(index.isSparse()).toBe(true);
  const copy = completed(compact(index, createNamespaceIndex({ embed }), []));
  expect([copy.size(), copy.terms.length, copy.liveEntries(), copy.isSparse()]).toEqual([1, 10, 10, false]);
  expect(copy.vectorOf(0)).toEqual(embed(content(1_000)));
});

test("an index of which more than half of the terms are forgotten is compacted, although few memories are", () => {
  const index = filled(1_000);
  const add = (sequence: number, text: string) =>
    index.add({ sequence, namespace: "", content: text, createdAt: "2026-05-01T00:00:00.000Z" });
  for (let i = 0; i < 20; i++) add(3_000 + i, Array.from({ length: 500 }, (_, word) => `long${i}x${word}`).join(" "));
  for (let i = 0; i < 19; i++) index.forget(3_000 + i);
  expect(index.isSparse()).toBe(false);
  index.forget(3_019);
  expect(index.isSparse()).toBe(true);
});
