import { expect, test } from "vitest";
import type { CompleteOptions, Completion, LanguageModel } from "#ports.ts";
import { boundedModel } from "./bounded-model.ts";

const PROMPT = { system: "", user: "" };
const options = (signal?: AbortSignal) => ({ ...(signal && { signal }) }) as CompleteOptions;
const ANSWER: Completion = { text: "yes", model: "m" };

/** A model whose calls end when the test says so. */
function heldModel() {
  const calls: PromiseWithResolvers<Completion>[] = [];
  const model: LanguageModel = {
    name: "m",
    complete() {
      const call = Promise.withResolvers<Completion>();
      calls.push(call);
      return call.promise;
    },
  };
  return { model, calls };
}

test("so many calls run, so many wait, and the next is refused at once", async () => {
  const { model, calls } = heldModel();
  const bounded = boundedModel(model, { calls: 1, waiting: 1 });
  const first = bounded.complete(PROMPT, options());
  const second = bounded.complete(PROMPT, options());
  await expect(bounded.complete(PROMPT, options())).rejects.toMatchObject({ code: "overloaded" });
  expect(calls).toHaveLength(1);
  calls[0]?.resolve(ANSWER);
  await first;
  await expect.poll(() => calls.length).toBe(2);
  calls[1]?.resolve(ANSWER);
  expect(await second).toEqual(ANSWER);
});

test("the deadline covers the wait", async () => {
  const { model, calls } = heldModel();
  const bounded = boundedModel(model, { calls: 1, waiting: 1, deadlineMs: 10 });
  const first = bounded.complete(PROMPT, options());
  await expect(bounded.complete(PROMPT, options())).rejects.toMatchObject({ code: "model-timeout" });
  calls[0]?.resolve(ANSWER);
  await first;
  expect(calls).toHaveLength(1);
});

test("a caller who goes away leaves the line", async () => {
  const { model, calls } = heldModel();
  const bounded = boundedModel(model, { calls: 1, waiting: 1 });
  const first = bounded.complete(PROMPT, options());
  const controller = new AbortController();
  const second = bounded.complete(PROMPT, options(controller.signal));
  controller.abort(new Error("gone"));
  await expect(second).rejects.toThrow("gone");
  calls[0]?.resolve(ANSWER);
  await first;
  const third = bounded.complete(PROMPT, options());
  calls[1]?.resolve(ANSWER);
  expect(await third).toEqual(ANSWER);
});
