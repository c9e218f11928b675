import { expect, test, vi } from "vitest";
import { completed } from "#core/gate/gate.ts";
import { readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { createIndexWriter, createUnreadMemories, type IndexGap } from "./memory-index.ts";

const createdAt = "2026-05-01T00:00:00.000Z";
const captured = (sequence: number, content: string, namespace = "n") => ({
  kind: "captured" as const,
  sequence,
  namespace,
  content,
  createdAt,
});
const forgotten = (sequence: number, of: number) => ({
  kind: "forgotten" as const,
  sequence,
  namespace: "n",
  captured: of,
});

function writerOf(options: Parameters<typeof createRecallIndex>[0]) {
  const index = createRecallIndex(options);
  const unread = createUnreadMemories();
  const gaps: IndexGap[] = [];
  const { apply } = createIndexWriter({ index, unread, onGap: (gap) => gaps.push(gap) });
  const search = (query: string) =>
    completed(index.search(readQuestion(query, new Date(createdAt)), ["n"], 12)).map(({ sequence }) => sequence);
  return { index, unread, gaps, apply, search };
}

test("a memory that cannot be indexed is among the newest, can be forgotten, and is reported once without its text", () => {
  const error = new RangeError("no room");
  const { index, gaps, apply, search } = writerOf({
    embed(text) {
      if (text.includes("poison")) throw error;
      return Int8Array.of(1);
    },
  });
  for (const change of [captured(1, "peanut tea"), captured(2, "poison"), captured(3, "poison again")]) apply(change);
  expect(gaps).toEqual([{ namespace: "n", leftOut: "memories", error }]);
  expect(search("what do you know")).toEqual([3, 2, 1]);
  expect(search("peanut")[0]).toBe(1);
  apply(forgotten(4, 2));
  expect(search("what do you know")).toEqual([3, 1]);
  expect(index.count("n")).toBe(2);
});

test("a memory that the index cannot take at all is counted until it is forgotten", () => {
  const { index, unread, apply, search } = writerOf({
    embed() {
      throw new RangeError("no room");
    },
  });
  apply(captured(1, "peanut"));
  expect([index.count("n"), unread.countIn("n"), search("peanut")]).toEqual([0, 1, []]);
  apply(forgotten(2, 1));
  expect(unread.countIn("n")).toBe(0);
});

test("a namespace with too many terms is reported once, and goes on with the terms that it has", () => {
  const { gaps, apply, search } = writerOf({ bounds: { ofMemory: 512, ofNamespace: 3 } });
  for (const change of [captured(1, "peanut tea"), captured(2, "milk and peanut"), captured(3, "milk")]) apply(change);
  expect(gaps).toEqual([{ namespace: "n", leftOut: "terms" }]);
  expect(search("peanut").slice(0, 2)).toEqual([2, 1]);
  apply(captured(4, "anything", "another namespace"));
  expect(gaps).toHaveLength(1);
});

test("gives back the room of forgotten memories when more than half are", async () => {
  const { index, apply, search } = writerOf({ compactsSmall: true });
  for (let i = 1; i <= 4; i++) apply(captured(i, `peanut ${i}`));
  for (const which of [1, 2, 3]) apply(forgotten(10 + which, which));
  await vi.waitFor(() => expect(index.isSparse()).toBe(false));
  expect(search("peanut")).toEqual([4]);
});
