import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { extractiveModel } from "#adapters/model/extractive.ts";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { renderPrompt } from "#core/prompt/prompt.ts";
import { languageModelSuite } from "#test/suites/language-model.ts";
import { facts, memoriesOf, type TestFact, texts } from "#test/support/arbitraries.ts";

languageModelSuite("the built-in one", extractiveModel, { isDeterministic: true });

async function answerTo(query: string, told: readonly TestFact[]): Promise<string> {
  const policy = policyFrom(told.map(({ namespace }) => ({ agentId: "a", namespace, allowed: true })));
  const memories = admit("a", memoriesOf(told), policy);
  return (await extractiveModel().complete(renderPrompt({ persona: "P", memories, query }))).text;
}

const NOTHING = "Nothing that I may use says anything about that.";

describe("the built-in model", () => {
  it("quotes the memories that bear on the question", async () => {
    const told = [
      { namespace: "health", content: "A peanut allergy" },
      { namespace: "work", content: "Meets the team lead on Monday." },
    ];
    expect(await answerTo("Which allergies does the person have?", told)).toBe(
      "Here is what I may use: A peanut allergy. (health)",
    );
  });

  it("says so when the memories hold nothing on the question", async () => {
    expect(await answerTo("Where is the passport?", [])).toBe(NOTHING);
    const told = [{ namespace: "work", content: "Meets the team lead on Monday" }];
    expect(await answerTo("Where is the passport?", told)).toBe(NOTHING);
  });

  it("never invents: every sentence about the person is a memory's own", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(facts, { maxLength: 6 }), async (query, told) => {
        const answer = await answerTo(query, told);
        if (answer === NOTHING) return;
        let rest = answer.replace("Here is what I may use: ", "");
        for (const { namespace, content } of [...told].sort((a, b) => b.content.length - a.content.length)) {
          const line = content.trim().replace(/\s+/gu, " ");
          rest = rest.replaceAll(`${line}. (${namespace})`, "").replaceAll(`${line} (${namespace})`, "");
        }
        expect(rest.trim()).toBe("");
      }),
    );
  });

  it("is deterministic", async () => {
    await fc.assert(
      fc.asyncProperty(texts, fc.array(facts, { maxLength: 6 }), async (query, told) => {
        expect(await answerTo(query, told)).toBe(await answerTo(query, told));
      }),
    );
  });
});
