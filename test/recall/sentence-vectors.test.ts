import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import type { Memory } from "#core/memory.ts";
import type { SentenceEmbedder } from "#ports.ts";
import { createSentenceVectors } from "#service/recall/sentence-vectors.ts";

const forever = new Promise<never>(() => undefined);
const memories = {
  at: async (sequences: readonly number[]) =>
    new Map(sequences.map((sequence) => [sequence, { content: `memory ${sequence}` } as Memory])),
};
const sequenceOf = (text: string) => Number(text.split(" ")[1]);

/** An embedder that gives the number in the text, and keeps the texts of memories in their order. */
function numbers(embed: (text: string) => Promise<Int8Array> = async (text) => Int8Array.of(sequenceOf(text))) {
  const texts: string[] = [];
  const embedder: SentenceEmbedder = {
    embed(text) {
      texts.push(text);
      return embed(text);
    },
    close: async () => undefined,
  };
  return { embedder, texts };
}

describe("memories", () => {
  test("are embedded in the background: namespaces in turn, the newest first", async () => {
    const { embedder, texts } = numbers();
    const vectors = createSentenceVectors({ embedder, memories });
    for (const sequence of [1, 2, 3, 4]) vectors.captured("flood", sequence);
    vectors.captured("diet", 5);
    expect(vectors.counts()).toMatchObject({ embedded: 0, waiting: 5 });
    expect(vectors.vectorOf(5)).toBeUndefined();
    await expect.poll(() => vectors.counts()).toEqual({ embedded: 5, waiting: 0, failed: 0, late: 0 });
    expect(texts.map(sequenceOf)).toEqual([4, 5, 3, 2, 1]);
    expect(vectors.vectorOf(5)).toEqual(Int8Array.of(5));
    vectors.captured("diet", 6);
    await expect.poll(() => vectors.vectorOf(6)).toEqual(Int8Array.of(6));
  });

  test("that are forgotten have no vector, before and while and after it is made", async () => {
    const first = Promise.withResolvers<Int8Array>();
    const { embedder, texts } = numbers((text) =>
      sequenceOf(text) === 3 ? first.promise : Promise.resolve(Int8Array.of(9)),
    );
    const vectors = createSentenceVectors({ embedder, memories });
    for (const sequence of [1, 2, 3]) vectors.captured("diet", sequence);
    await expect.poll(() => texts).toHaveLength(1);
    vectors.forgotten("diet", 3);
    vectors.forgotten("diet", 1);
    first.resolve(Int8Array.of(3));
    await expect.poll(() => vectors.vectorOf(2)).toBeDefined();
    expect(texts.map(sequenceOf)).toEqual([3, 2]);
    expect(vectors.vectorOf(3)).toBeUndefined();
    vectors.forgotten("diet", 2);
    expect(vectors.vectorOf(2)).toBeUndefined();
    expect(vectors.counts()).toMatchObject({ embedded: 0, waiting: 0 });
  });

  test("are tried a second time after a pause, and then given up, and the others follow", async () => {
    const pauses: number[] = [];
    const { embedder, texts } = numbers(async (text) => {
      if (sequenceOf(text) === 2) throw new Error("no");
      return Int8Array.of(1);
    });
    const failures: unknown[] = [];
    const pause = async (ms: number) => void pauses.push(ms);
    const vectors = createSentenceVectors({ embedder, memories, pause, onFailure: (error) => failures.push(error) });
    for (const sequence of [1, 2, 3]) vectors.captured("diet", sequence);
    await expect.poll(() => vectors.counts()).toMatchObject({ embedded: 2, waiting: 0, failed: 1 });
    expect(texts.map(sequenceOf)).toEqual([3, 2, 2, 1]);
    expect(pauses).toEqual([1_000, 2_000]);
    expect(failures).toHaveLength(2);
  });

  test("are not embedded after close", async () => {
    const { embedder, texts } = numbers();
    const vectors = createSentenceVectors({ embedder, memories });
    await vectors.close();
    vectors.captured("diet", 1);
    await turn();
    await turn();
    expect(texts).toEqual([]);
  });
});

describe("a question", () => {
  test("has its vector when the model gives it in time", async () => {
    const { embedder } = numbers(async () => Int8Array.of(7));
    const vectors = createSentenceVectors({ embedder, memories, deadlineMs: 60_000 });
    expect(await vectors.questionVector("safe?")).toEqual(Int8Array.of(7));
    expect(vectors.counts().late).toBe(0);
  });

  test("goes on without one when the model is slow, and is taken out of the queue", async () => {
    let seen: AbortSignal | undefined;
    const embedder: SentenceEmbedder = {
      embed(_text, { signal } = {}) {
        seen = signal;
        return forever;
      },
      close: async () => undefined,
    };
    const vectors = createSentenceVectors({ embedder, memories, deadlineMs: 1 });
    expect(await vectors.questionVector("safe?")).toBeUndefined();
    expect(seen?.aborted).toBe(true);
    expect(vectors.counts().late).toBe(1);
  });

  test("goes on without one when the model fails", async () => {
    const { embedder } = numbers(() => Promise.reject(new Error("busy")));
    const vectors = createSentenceVectors({ embedder, memories });
    expect(await vectors.questionVector("safe?")).toBeUndefined();
  });
});
