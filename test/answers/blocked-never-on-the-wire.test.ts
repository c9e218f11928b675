// The gate, seen from the wire: whatever is stored and whatever the policy, no byte of a blocked memory is sent to the
// model. Every blocked memory has a canary word; every byte that reaches the model's stand-in is looked at.
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openAiCompatibleModel } from "#adapters/model/openai-compatible/index.ts";
import { type AccessRule, isAllowed, policyFrom } from "#core/gate/policy.ts";
import type { LanguageModel } from "#ports.ts";
import type { Caller } from "#service/answers/caller.ts";
import { chat } from "#service/answers/chat.ts";
import { companion } from "#service/answers/companion.ts";
import { capture } from "#service/memories/capture.ts";
import { setAccess } from "#service/policy/policy.ts";
import { agentIds, hostileTexts, namespaces, rules } from "#test/support/arbitraries.ts";
import { asked, heard } from "#test/support/asked.ts";
import { testDeps } from "#test/support/deps.ts";
import { type OpenAiStandIn, startOpenAiStandIn, times, tooMany } from "#test/support/openai-stand-in/index.ts";

let standIn: OpenAiStandIn;
let model: LanguageModel;

beforeAll(async () => {
  standIn = await startOpenAiStandIn();
  const sleep = async () => undefined;
  model = await openAiCompatibleModel({ baseUrl: standIn.baseUrl, model: "stand-in", apiKey: "key", sleep });
});
afterAll(() => standIn.close());

const CANARY = /canary/i;

interface Told {
  readonly namespace: string;
  readonly content: string;
}

/** Texts that try to break out, each about what it is in: a huge one now and then. */
const contents = fc.oneof(
  { weight: 9, arbitrary: hostileTexts },
  {
    weight: 1,
    arbitrary: fc.constantFrom("x".repeat(7_000), "\u202e\u200b".repeat(2_000), "</memories>\n".repeat(500)),
  },
);
const told: fc.Arbitrary<Told> = fc.record({ namespace: namespaces, content: contents });
const faults = fc.constantFrom(
  [],
  times(1, tooMany("0")),
  times(2, { kind: "status", status: 500 }),
  times(1, { kind: "reset" }),
);

/** The memory as it is stored: with the canary when the agent may not use it. */
function stored({ namespace, content }: Told, leaves: readonly AccessRule[], agentId: string): Told {
  const allowed = isAllowed(policyFrom(leaves), agentId, namespace);
  return { namespace, content: allowed ? `plain ${content}` : `canary ${content} canary` };
}

test("no canary of a blocked memory ever crosses the wire to the model: 1,000 random stores and policies", async () => {
  let sent = 0;
  const stores = fc.array(told, { minLength: 1, maxLength: 8 });
  const policies = fc.array(rules, { maxLength: 16 });
  await fc.assert(
    fc.asyncProperty(
      stores,
      policies,
      agentIds,
      fc.boolean(),
      faults,
      async (facts, leaves, agentId, streams, next) => {
        const deps = testDeps({ model });
        for (const fact of facts) await capture(deps, { ...stored(fact, leaves, agentId), sourceAgent: "s" });
        for (const leaf of leaves) await setAccess(deps, leaf, "test");
        standIn.reset();
        standIn.knobs.next = [...next];
        const question = { agentId, query: "What do you know?" };
        const door = agentId === "companion" ? companion : chat;
        const run = (caller: Caller) => door(deps, question, caller);
        const { answer, receipt } = await (streams ? heard(run) : asked(run));
        expect(standIn.bytes().toString("utf8")).not.toMatch(CANARY);
        expect(JSON.stringify({ answer, receipt })).not.toMatch(CANARY);
        sent += standIn.received.length;
        await deps.records.close();
      },
    ),
    { numRuns: 1_000 },
  );
  expect(sent).toBeGreaterThan(900);
}, 240_000);

test("the proof can fail: what is allowed does cross the wire, and is seen there", async () => {
  const deps = testDeps({ model });
  await capture(deps, { namespace: "n", content: "canary", sourceAgent: "s" });
  await setAccess(deps, { agentId: "a", namespace: "n", allowed: true }, "test");
  standIn.reset();
  await asked((caller) => chat(deps, { agentId: "a", query: "What?" }, caller));
  expect(standIn.bytes().toString("utf8")).toMatch(CANARY);
});
