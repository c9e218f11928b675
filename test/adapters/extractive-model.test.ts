import fc from "fast-check";
import { expect, test } from "vitest";
import { extractiveModel } from "#adapters/model/extractive.ts";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { renderPrompt } from "#core/prompt/prompt.ts";
import { languageModelSuite } from "#test/suites/language-model.ts";
import { facts, memoriesOf, type TestFact, texts } from "#test/support/arbitraries.ts";
import { fenceFrom, noFence } from "#test/support/models.ts";

languageModelSuite("the built-in one", extractiveModel, { isDeterministic: true });

async function answerTo(query: string, stored: readonly TestFact[]): Promise<string> {
  const policy = policyFrom(stored.map(({ namespace }) => ({ agentId: "a", namespace, allowed: true })));
  const memories = admit("a", memoriesOf(stored), policy);
  const prompt = renderPrompt({ persona: "P", memories, query });
  return (await extractiveModel().complete(prompt, { fence: noFence })).text;
}

const NOTHING = "Nothing that I may use says anything about that.";

test("quotes the memories that bear on the question", async () => {
  const stored = [
    { namespace: "health", content: "A peanut allergy" },
    { namespace: "work", content: "Meets the team lead on Monday." },
  ];
  expect(await answerTo("Which allergies does the person have?", stored)).toBe(
    "Here is what I may use: A peanut allergy. (health)",
  );
});

test("says so when no memory bears on the question", async () => {
  expect(await answerTo("Where is the passport?", [])).toBe(NOTHING);
  const stored = [{ namespace: "work", content: "Meets the team lead on Monday" }];
  expect(await answerTo("Where is the passport?", stored)).toBe(NOTHING);
});

test("never invents: every sentence about the person is a quotation of a memory", async () => {
  await fc.assert(
    fc.asyncProperty(texts, fc.array(facts, { maxLength: 6 }), async (query, stored) => {
      const answer = await answerTo(query, stored);
      if (answer === NOTHING) return;
      let rest = answer.replace("Here is what I may use: ", "");
      for (const { namespace, content } of [...stored].sort((a, b) => b.content.length - a.content.length)) {
        const line = content.trim().replace(/\s+/gu, " ");
        rest = rest.replaceAll(`${line}. (${namespace})`, "").replaceAll(`${line} (${namespace})`, "");
      }
      expect(rest.trim()).toBe("");
    }),
  );
});

test("reads the prompt only after it has passed the fence", async () => {
  const prompt = renderPrompt({ persona: "P", memories: [], query: "What?" });
  const order: string[] = [];
  const watched = {
    system: prompt.system,
    get user() {
      order.push("read");
      return prompt.user;
    },
  };
  await extractiveModel().complete(watched, { fence: fenceFrom(async () => void order.push("fence")) });
  expect(order[0]).toBe("fence");
  expect(order).toContain("read");
});
