import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { admit } from "#core/gate/gate.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { readPrompt, renderPrompt } from "#core/prompt/prompt.ts";
import { hostileTexts, memoriesOf, namespaces } from "#test/support/arbitraries.ts";

const factLists = fc.array(fc.record({ namespace: namespaces, content: hostileTexts }), { maxLength: 12 });

function render(facts: readonly { namespace: string; content: string }[], query: string) {
  const policy = policyFrom(facts.map(({ namespace }) => ({ agentId: "a", namespace, allowed: true })));
  return renderPrompt({ persona: "P", memories: admit("a", memoriesOf(facts), policy), query });
}

describe("the prompt", () => {
  test("can be parsed back to exactly the same memories and question, whatever they contain", () => {
    fc.assert(
      fc.property(factLists, hostileTexts, (facts, query) => {
        expect(readPrompt(render(facts, query))).toEqual({ memories: facts, query });
      }),
    );
  });

  test("has one line per memory and one pair of tags per block, whatever the memories contain", () => {
    fc.assert(
      fc.property(factLists, hostileTexts, (facts, query) => {
        const { user } = render(facts, query);
        expect(user.split("\n").length).toBe(facts.length + 5);
        expect(user.match(/<[^>]*>/g)).toEqual(["<memories>", "</memories>", "<question>", "</question>"]);
        expect(user).not.toMatch(/[\p{Cf}\p{Zl}\p{Zp}]/u);
      }),
    );
  });

  test("has the same instructions for all memories and questions", () => {
    const none = render([], "");
    fc.assert(fc.property(factLists, hostileTexts, (facts, query) => render(facts, query).system === none.system));
  });

  test("cannot be rendered from memories that have not passed the gate: that does not compile", () => {
    // @ts-expect-error a plain Memory is not an AllowedMemory
    renderPrompt({ persona: "P", memories: memoriesOf([{ namespace: "n", content: "c" }]), query: "q" });
  });
});
