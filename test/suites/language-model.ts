// What every language model must do.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { type Prompt, renderPrompt } from "#core/prompt/prompt.ts";
import type { LanguageModel } from "#ports.ts";
import { facts, memoriesOf, texts } from "#test/support/arbitraries.ts";

export interface Traits {
  /** The same prompt always has the same answer. */
  readonly isDeterministic: boolean;
}

export function languageModelSuite(
  name: string,
  create: () => LanguageModel | Promise<LanguageModel>,
  { isDeterministic }: Traits,
): void {
  describe(`language model: ${name}`, () => {
    it("answers with text, and says which model answered", async () => {
      const model = await create();
      await forAnyPrompt(async (prompt) => {
        const answer = await model.complete(prompt);
        expect(answer.text.trim()).not.toBe("");
        expect(answer.text.isWellFormed()).toBe(true);
        expect(answer.model).not.toBe("");
      });
    });

    it("has a name before it was asked anything", async () => {
      expect((await create()).name).not.toBe("");
    });

    it("passes on pieces that join to the text, and none after it has answered", async () => {
      const model = await create();
      await forAnyPrompt(async (prompt) => {
        const pieces: string[] = [];
        const { text } = await model.complete(prompt, { onText: (piece) => pieces.push(piece) });
        const before = pieces.length;
        await new Promise((resolve) => setImmediate(resolve));
        expect(pieces.join("")).toBe(text);
        expect(pieces.length).toBe(before);
        expect(pieces).not.toContain("");
      });
    });

    it.runIf(isDeterministic)("is deterministic, in pieces or not", async () => {
      const model = await create();
      await forAnyPrompt(async (prompt) => {
        const answer = await model.complete(prompt);
        expect(await model.complete(prompt, { onText: () => undefined })).toEqual(answer);
        expect(await (await create()).complete(prompt)).toEqual(answer);
      });
    });

    it("does nothing for somebody who has left, and says why they left", async () => {
      const model = await create();
      const reason = new Error("gone");
      const pieces: string[] = [];
      const options = { signal: AbortSignal.abort(reason), onText: (piece: string) => pieces.push(piece) };
      await expect(model.complete(PROMPT, options)).rejects.toBe(reason);
      expect(pieces).toEqual([]);
    });

    it("passes the gate before it answers, and does not answer when the gate refuses", async () => {
      const model = await create();
      let passed = 0;
      const atTheGate = async (send: () => void | Promise<void>) => {
        await send();
        passed += 1;
      };
      await model.complete(PROMPT, { atTheGate });
      expect(passed).toBe(1);
      await model.complete(PROMPT, { atTheGate, onText: () => undefined });
      expect(passed).toBe(2);

      const refusal = new Error("no");
      const pieces: string[] = [];
      const options = { atTheGate: () => Promise.reject(refusal), onText: (piece: string) => pieces.push(piece) };
      await expect(model.complete(PROMPT, options)).rejects.toBe(refusal);
      expect(pieces).toEqual([]);
    });

    it("gives an error of the listener back to it", async () => {
      const error = new Error("the listener broke");
      const onText = () => {
        throw error;
      };
      await expect((await create()).complete(PROMPT, { onText })).rejects.toBe(error);
    });

    it("answers several at once", async () => {
      const model = await create();
      const answers = await Promise.all(Array.from({ length: 8 }, () => model.complete(PROMPT)));
      for (const { text } of answers) expect(text).not.toBe("");
    });
  });
}

const PROMPT: Prompt = renderPrompt({ persona: "P", memories: [], query: "Which allergies are there?" });

function forAnyPrompt(property: (prompt: Prompt) => Promise<void>): Promise<void> {
  const prompts = fc.tuple(texts, fc.array(facts, { maxLength: 6 })).map(([query, told]) => {
    const policy = policyFrom(told.map(({ namespace }) => ({ agentId: "a", namespace, allowed: true })));
    return renderPrompt({ persona: "P", memories: admit("a", memoriesOf(told), policy), query });
  });
  return fc.assert(fc.asyncProperty(prompts, property), { numRuns: 50 });
}
