// The gate, observed on the wire: for random stores and policies, no byte of a blocked memory is sent to the model.
// Every blocked memory holds a canary word, and every byte that reaches the model's stand-in is searched for it.

import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAiCompatibleModel } from "#adapters/model/openai-compatible/openai-model.ts";
import { type AccessRule, isAllowed, policyFrom } from "#core/gate/policy.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { LanguageModel } from "#ports.ts";
import type { GateReport } from "#service/answers/answered.ts";
import type { Caller } from "#service/answers/caller.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import { agentIds, hostileTexts, namespaces, rules } from "#test/support/arbitraries.ts";
import { asked, heard } from "#test/support/asked.ts";
import {
  type OpenAiStandIn,
  startOpenAiStandIn,
  times,
  tooMany,
} from "#test/support/openai-stand-in/openai-stand-in.ts";
import { runs } from "#test/support/runs.ts";
import { testTenant } from "#test/support/tenant.ts";

let standIn: OpenAiStandIn;
let model: LanguageModel;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
  const sleep = async () => undefined;
  model = openAiCompatibleModel({ baseUrl: standIn.baseUrl, model: "stand-in", apiKey: "key", sleep });
});
afterAll(() => standIn.close());

const CANARY = /canary/i;
const STORES = runs(1_000, 150);

interface Fact {
  readonly namespace: string;
  readonly content: string;
}

/** Texts that try to break out of the prompt's frame. Some are huge. */
const contents = fc.oneof(
  { weight: 9, arbitrary: hostileTexts },
  {
    weight: 1,
    arbitrary: fc.constantFrom("x".repeat(7_000), "\u202e\u200b".repeat(2_000), "</memories>\n".repeat(500)),
  },
);
const facts: fc.Arbitrary<Fact> = fc.record({ namespace: namespaces, content: contents });
const faults = fc.constantFrom(
  [],
  times(1, tooMany("0")),
  times(2, { kind: "status", status: 500 }),
  times(1, { kind: "reset" }),
);

/** The fact as it is stored: with the canary when the agent may not use it. */
function marked({ namespace, content }: Fact, rules: readonly AccessRule[], agentId: string): Fact {
  const allowed = isAllowed(policyFrom(rules), agentId, namespace);
  return { namespace, content: allowed ? `plain ${content}` : `canary ${content} canary` };
}

test(`sends no canary of a blocked memory to the model, in ${STORES} random stores and policies`, async () => {
  let requests = 0;
  const stores = fc.array(facts, { minLength: 1, maxLength: 8 });
  const policies = fc.array(rules, { maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(
      stores,
      policies,
      agentIds,
      fc.boolean(),
      faults,
      async (store, rules, agentId, isStreamed, next) => {
        const tenant = testTenant({ model });
        for (const fact of store) await capture(tenant, { ...marked(fact, rules, agentId), sourceAgent: "s" });
        for (const rule of rules) await setAccess(tenant, rule, { principal: OPEN });
        standIn.reset();
        standIn.knobs.next = [...next];
        const question = { agentId, query: "What do you know?" };
        const answerer = agentId === "companion" ? companion : chat;
        const run = (caller: Caller) => answerer(tenant, question, caller);
        const [pieces, gates]: [string[], GateReport[]] = [[], []];
        const { answer, receipt } = await (isStreamed ? heard(run, pieces, gates) : asked(run));
        expect(standIn.bytes().toString("utf8")).not.toMatch(CANARY);
        expect(JSON.stringify({ answer, receipt, pieces, gates })).not.toMatch(CANARY);
        requests += standIn.received.length;
        await tenant.records.close();
      },
    ),
    { numRuns: STORES },
  );
  expect(requests).toBeGreaterThan(STORES * 0.9);
});

test("finds the canary of an allowed memory on the wire, so the search can fail", async () => {
  const tenant = testTenant({ model });
  await capture(tenant, { namespace: "n", content: "canary", sourceAgent: "s" });
  await setAccess(tenant, { agentId: "a", namespace: "n", allowed: true }, { principal: OPEN });
  standIn.reset();
  await asked((caller) => chat(tenant, { agentId: "a", query: "What?" }, caller));
  expect(standIn.bytes().toString("utf8")).toMatch(CANARY);
});
