import { EventEmitter } from "node:events";
import { expect, test } from "vitest";
import { createModelThread } from "#adapters/meaning/minilm/minilm-embedder.ts";

type Behaviour = "answers" | "crashes" | "ends" | "never starts";

/** Threads that behave one after the other as told, and a clock. */
function threads(...behaviours: Behaviour[]) {
  const clock = { ms: 0 };
  const started: Behaviour[] = [];
  const start = () => {
    const behaviour = behaviours[started.length] ?? "answers";
    started.push(behaviour);
    const thread = Object.assign(new EventEmitter(), {
      postMessage(text: string) {
        if (behaviour === "answers") setImmediate(() => thread.emit("message", Int8Array.of(text.length)));
        if (behaviour === "crashes") setImmediate(() => thread.emit("error", new Error(`secret ${text}`)));
        if (behaviour === "ends") setImmediate(() => thread.emit("exit", 1));
      },
      async terminate() {
        thread.emit("exit", 1);
      },
    });
    setImmediate(() =>
      behaviour === "never starts" ? thread.emit("error", new Error("no memory")) : thread.emit("message", "ready"),
    );
    return thread;
  };
  return { clock, started, thread: createModelThread({ start, now: () => clock.ms }) };
}

test.each<Behaviour>(["crashes", "ends", "never starts"])(
  "a thread that %s is replaced after a pause, and its error quotes no text",
  async (behaviour) => {
    const { clock, started, thread } = threads(behaviour, "answers");
    const failure = thread.run("my allergy");
    await expect(failure).rejects.toThrow("The sentence model failed, and starts again.");
    await expect(failure).rejects.not.toHaveProperty("cause.message");
    await expect(thread.run("too early")).rejects.toThrow("is not running");
    expect(started).toHaveLength(1);
    clock.ms += 1_000;
    expect(await thread.run("four")).toEqual(Int8Array.of(4));
    expect(started).toHaveLength(2);
  },
);

test("the pause doubles with each failure in a row, and a success resets it", async () => {
  const { clock, thread } = threads("crashes", "crashes", "answers");
  await expect(thread.run("a")).rejects.toThrow("failed");
  clock.ms += 1_000;
  await expect(thread.run("a")).rejects.toThrow("failed");
  clock.ms += 1_999;
  await expect(thread.run("a")).rejects.toThrow("is not running");
  clock.ms += 1;
  expect(await thread.run("a")).toEqual(Int8Array.of(1));
});

test("a thread is started once for many texts, before the first if it is warmed up", async () => {
  const { started, thread } = threads();
  thread.warmUp();
  expect(started).toHaveLength(1);
  for (const text of ["a", "bb", "ccc"]) expect(await thread.run(text)).toEqual(Int8Array.of(text.length));
  expect(started).toHaveLength(1);
  await thread.close();
  await expect(thread.run("late")).rejects.toThrow("is not running");
});
