import fc from "fast-check";
import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import { type PolicyRules, rulesFrom, withChange } from "#core/gate/policy-rules.ts";
import { governs } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { sendPolicy } from "./policy-stream.ts";
import type { ResponseWriter } from "./response-writer.ts";

const ADMIN: Principal = { role: "admin", id: "a", name: "a" };
const OF_B: Principal = { role: "namespace-admin", id: "b", name: "b", namespaces: ["b", "__proto__"] };
const names = fc.constantFrom("a", "b", "__proto__", '"', "\ud800", "😀");

/** A client that takes every piece at once. */
async function sent(rules: PolicyRules, principal: Principal, onPiece: () => void = () => {}): Promise<unknown> {
  let text = "";
  const response = {
    reserve: () => undefined,
    hasBegun: () => text !== "",
    begin: () => undefined,
    isClosed: () => false,
    end: () => undefined,
    async write(piece: string) {
      text += piece;
      onPiece();
    },
  };
  const request = new Request("http://service.test/api/policy");
  await sendPolicy(
    { request, response: response as unknown as ResponseWriter },
    { rules, version: 7, digest: "" },
    principal,
  );
  return JSON.parse(text);
}

test("what is sent is the policy after any changes, and to the admin of namespaces the rules of these", async () => {
  const rule = fc.record({ agentId: names, namespace: names, to: fc.constantFrom(true, false, null) });
  await fc.assert(
    fc.asyncProperty(fc.array(rule, { maxLength: 30 }), async (changes) => {
      let rules = rulesFrom([]);
      for (const change of changes) {
        rules = withChange(rules, change);
        for (const principal of [ADMIN, OF_B]) {
          const shown = rules.flat().filter(({ namespace }) => governs(principal, namespace));
          const expected = JSON.parse(JSON.stringify({ policy: policyFrom(shown), version: 7 }));
          expect(await sent(rules, principal)).toEqual(expected);
        }
      }
    }),
  );
});

test("a policy of several chunks is whole, and others have a turn after each piece, however fast the client is", async () => {
  const rules = Array.from({ length: 20_000 }, (_, i) => ({
    agentId: `agent-${Math.floor(i / 300)}`,
    namespace: `namespace-${i % 300}`,
    allowed: i % 3 === 0,
  }));
  let [pieces, turns] = [0, 0];
  const count = () => {
    pieces += 1;
    setImmediate(() => {
      turns += 1;
    });
  };
  expect(await sent(rulesFrom(rules), ADMIN, count)).toEqual({
    policy: Object.fromEntries(Object.entries(policyFrom(rules)).map(([agent, own]) => [agent, { ...own }])),
    version: 7,
  });
  expect(pieces).toBeGreaterThan(10);
  expect(turns).toBeGreaterThanOrEqual(pieces - 1);
});

test("after a change, few rules are looked at again for the admin of a namespace, and others have turns meanwhile", async () => {
  const rules = Array.from({ length: 40_000 }, (_, i) => ({
    agentId: `agent-${Math.floor(i / 100)}`,
    namespace: `namespace-${i % 100}`,
    allowed: true,
  }));
  let looks = 0;
  const namespaces: readonly string[] = Object.assign(["namespace-7"], {
    includes(name: string) {
      looks += 1;
      return name === "namespace-7";
    },
  });
  const ofOne: Principal = { role: "namespace-admin", id: "b", name: "b", namespaces };
  let turns = 0;
  const tick = () => {
    turns += 1;
    ticking = setImmediate(tick);
  };
  let ticking = setImmediate(tick);
  let all = rulesFrom(rules);
  await sent(all, ofOne);
  clearImmediate(ticking);
  expect(turns).toBeGreaterThan(1);
  expect(looks).toBe(rules.length);
  looks = 0;
  all = withChange(all, { agentId: "agent-300", namespace: "namespace-7", to: false });
  const { policy } = (await sent(all, ofOne)) as { policy: Record<string, Record<string, boolean>> };
  expect(Object.keys(policy)).toHaveLength(400);
  expect(policy["agent-300"]).toEqual({ "namespace-7": false });
  expect(looks).toBeLessThan(rules.length / 50);
});
