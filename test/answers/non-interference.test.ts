import fc from "fast-check";
import { expect, test } from "vitest";
import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import { type AccessRule, isAllowed, policyFrom } from "#core/gate/policy.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { FactFilter } from "#core/memories/fact-filter.ts";
import type { Prompt } from "#core/prompt/prompt.ts";
import type { GateReport, RecalledMemories } from "#service/answers/answered.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import { recallMemories } from "#service/answers/recall-memories.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import { agentIds, facts, rules, type TestFact, texts } from "#test/support/arbitraries.ts";
import { asked, heard } from "#test/support/asked.ts";
import { runs } from "#test/support/runs.ts";
import { testTenant } from "#test/support/tenant.ts";

/** Everything an agent gets or causes: the bytes to the model, what the gate reports, the answer, the memories, the receipts. Ids and times are fixed. */
async function observed(
  told: readonly TestFact[],
  rules: readonly AccessRule[],
  ask: { agentId: string; query: string },
  filter: FactFilter,
) {
  const prompts: Prompt[] = [];
  const model = builtInModel();
  const tenant = testTenant({
    model: {
      name: model.name,
      complete(prompt, options) {
        prompts.push(prompt);
        return model.complete(prompt, options);
      },
    },
  });
  for (const fact of told) await capture(tenant, { ...fact, sourceAgent: "s", ...detailsIn(fact) });
  for (const rule of rules) await setAccess(tenant, rule, { principal: OPEN });
  const answer = ask.agentId === "companion" ? companion : chat;
  const gates: GateReport[] = [];
  const answered = await heard((caller) => answer(tenant, ask, caller), [], gates);
  const recalled = await asked<RecalledMemories>((caller) => recallMemories(tenant, ask, caller));
  const filtered = await asked<RecalledMemories>((caller) => recallMemories(tenant, { ...ask, ...filter }, caller));
  await tenant.records.close();
  // Each store has a policy digest of its own, which begins at random, keys of its own to sign with, and a log.
  const isRandom = (key: string) => key === "policyDigest" || key === "signature" || key === "origin";
  return JSON.stringify({ prompts, gates, answered, recalled, filtered }, (key, value) =>
    isRandom(key) ? "random" : value,
  );
}

/** Details that follow from the text, so that those of blocked memories differ, too. */
const detailsIn = ({ content }: TestFact) => ({
  metadata: { even: content.length % 2 === 0 },
  occurredAt: `2026-05-0${1 + (content.length % 9)}`,
});

const filters: fc.Arbitrary<FactFilter & { asOf?: string; minRelevance?: number }> = fc.record(
  {
    metadata: fc.boolean().map((even) => ({ even })),
    occurredFrom: fc.constantFrom("2026-05-02", "2026-05-05"),
    occurredTo: fc.constantFrom("2026-05-04", "2026-05-08"),
    sourceAgent: fc.constant("s"),
    asOf: fc.constant("9999-01-01"),
    minRelevance: fc.constantFrom(0, 0.05, 0.3),
  },
  { requiredKeys: [] },
);

test("two stores that differ only in the text of blocked memories cannot be told apart", async () => {
  const pairs = fc.array(fc.tuple(facts, texts), { minLength: 1, maxLength: 20 });
  const questions = fc.record({ agentId: agentIds, query: texts });
  await fc.assert(
    fc.asyncProperty(pairs, fc.array(rules, { maxLength: 20 }), questions, filters, async (...given) => {
      const [told, access, question, filter] = given;
      const policy = policyFrom(access);
      const one = told.map(([fact]) => fact);
      const other = told.map(([fact, content]) =>
        isAllowed(policy, question.agentId, fact.namespace) ? fact : { ...fact, content },
      );
      expect(await observed(other, access, question, filter)).toBe(await observed(one, access, question, filter));
    }),
    { numRuns: runs(200) },
  );
});
