// The rules for every language model.

import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { NEVER_ABORTS } from "#async/with-deadline.ts";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { type Prompt, renderPrompt } from "#core/prompt/prompt.ts";
import type { LanguageModel } from "#ports.ts";
import { facts, memoriesOf, texts } from "#test/support/arbitraries.ts";
import { fenceFrom, noFence } from "#test/support/models.ts";

export interface Traits {
  /** The same prompt always has the same answer. */
  readonly isDeterministic: boolean;
}

export function languageModelSuite(name: string, create: () => LanguageModel, { isDeterministic }: Traits): void {
  describe(`language model: ${name}`, () => {
    test("answers any prompt with text, and names the model that answered", async () => {
      const model = create();
      await forAnyPrompt(async (prompt) => {
        const answer = await model.complete(prompt, { fence: noFence });
        expect(answer.text.trim()).not.toBe("");
        expect(answer.text.isWellFormed()).toBe(true);
        expect(answer.model).not.toBe("");
      });
    });

    test("has a name before the first call", () => {
      expect(create().name).not.toBe("");
    });

    test("streams pieces that join to the text, and none after it has answered", async () => {
      const model = create();
      await forAnyPrompt(async (prompt) => {
        const pieces: string[] = [];
        const { text } = await model.complete(prompt, { fence: noFence, onText: (piece) => pieces.push(piece) });
        const count = pieces.length;
        await new Promise((resolve) => setImmediate(resolve));
        expect(pieces.join("")).toBe(text);
        expect(pieces.length).toBe(count);
        expect(pieces).not.toContain("");
      });
    });

    test.runIf(isDeterministic)("gives the same prompt the same answer, streamed or not", async () => {
      const model = create();
      await forAnyPrompt(async (prompt) => {
        const answer = await model.complete(prompt, { fence: noFence });
        expect(await model.complete(prompt, { fence: noFence, onText: () => undefined })).toEqual(answer);
        expect(await create().complete(prompt, { fence: noFence })).toEqual(answer);
      });
    });

    test("does nothing when the signal has aborted, and rejects with the signal's reason", async () => {
      const reason = new Error("gone");
      const calls: string[] = [];
      const complete = create().complete(PROMPT, {
        fence: fenceFrom(async () => void calls.push("fence")),
        signal: AbortSignal.abort(reason),
        onText: (piece) => calls.push(piece),
      });
      await expect(complete).rejects.toBe(reason);
      expect(calls).toEqual([]);
    });

    test("passes the fence once for each answer, streamed or not", async () => {
      const model = create();
      let passes = 0;
      const fence = fenceFrom(async (send) => {
        await send(NEVER_ABORTS);
        passes += 1;
      });
      await model.complete(PROMPT, { fence });
      expect(passes).toBe(1);
      await model.complete(PROMPT, { fence, onText: () => undefined });
      expect(passes).toBe(2);
    });

    test("does not answer when the fence refuses, and rejects with the fence's error", async () => {
      const refusal = new Error("refused");
      const pieces: string[] = [];
      const fence = fenceFrom(() => Promise.reject(refusal));
      await expect(create().complete(PROMPT, { fence })).rejects.toBe(refusal);
      await expect(create().complete(PROMPT, { fence, onText: (piece) => pieces.push(piece) })).rejects.toBe(refusal);
      expect(pieces).toEqual([]);
    });

    test("rejects with the listener's error when the listener throws", async () => {
      const error = new Error("the listener broke");
      const onText = () => {
        throw error;
      };
      await expect(create().complete(PROMPT, { fence: noFence, onText })).rejects.toBe(error);
    });

    test("answers several calls at once", async () => {
      const model = create();
      const calls = Array.from({ length: 8 }, () => model.complete(PROMPT, { fence: noFence }));
      for (const { text } of await Promise.all(calls)) expect(text).not.toBe("");
    });
  });
}

const ASKED = { template: "assistant/1", askedAt: "2026-05-01T10:00:00.000Z" } as const;
const PROMPT: Prompt = renderPrompt({ ...ASKED, memories: [], query: "Which allergies are there?" });

function forAnyPrompt(property: (prompt: Prompt) => Promise<void>): Promise<void> {
  const prompts = fc.tuple(texts, fc.array(facts, { maxLength: 6 })).map(([query, stored]) => {
    const policy = policyFrom(stored.map(({ namespace }) => ({ agentId: "a", namespace, allowed: true })));
    return renderPrompt({ ...ASKED, memories: admit("a", memoriesOf(stored), policy), query });
  });
  return fc.assert(fc.asyncProperty(prompts, property), { numRuns: 50 });
}
