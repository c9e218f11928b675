// Random histories: changes, resets, syncs, restarts of the adapter and late anchors. The verdict on the ledger equals an
// oracle that keeps the policy of every recorded version.
import fc from "fast-check";
import { expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { isAllowed, type Policy, policyFrom } from "#core/gate/policy.ts";
import { ledgerOver, request } from "#test/suites/ledger-fixture.ts";
import { startLocalChain } from "#test/support/local-chain.ts";

const STAMP = { by: "test", at: "2026-01-01T00:00:00.000Z" };
const AGENTS = ["a", "a.b", "__proto__"] as const;
const NAMESPACES = ["c", "b.c", "constructor"] as const;
const rule = fc.record({
  agentId: fc.constantFrom(...AGENTS),
  namespace: fc.constantFrom(...NAMESPACES),
  allowed: fc.boolean(),
});
const step = fc.oneof(
  { weight: 6, arbitrary: fc.record({ kind: fc.constant("set" as const), rule }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reset" as const), rules: fc.array(rule, { maxLength: 6 }) }) },
  { weight: 2, arbitrary: fc.constant({ kind: "sync" as const }) },
  { weight: 1, arbitrary: fc.constant({ kind: "restart" as const }) },
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant("anchor" as const),
      agentId: fc.constantFrom(...AGENTS),
      claimed: fc.subarray([...NAMESPACES]).map((names) => names.toSorted()),
      /** How many versions ago the answer was made, or judged by the newest. */
      age: fc.oneof(fc.nat(12), fc.constant("newest" as const)),
    }),
  },
);

test("every verdict is that of the policy at the version of the answer", async () => {
  let anchors = 0;
  const verdicts = new Set<boolean>();
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 5, maxLength: 25 }), async (steps) => {
      const chain = await startLocalChain();
      const records = sqliteRecords({ path: ":memory:" });
      let ledger = ledgerOver(chain, records);
      const policies: Policy[] = [policyFrom([])];
      for (const made of steps) {
        if (made.kind === "set") await records.policy.set(made.rule, STAMP);
        if (made.kind === "reset") await records.reset([], policyFrom(made.rules), STAMP);
        if (made.kind === "sync") await ledger.sync();
        if (made.kind === "restart") {
          await ledger.close();
          ledger = ledgerOver(chain, records);
        }
        const current = await records.policy.current();
        policies[current.version] = current.policy;
        if (made.kind !== "anchor") continue;
        const version = made.age === "newest" ? current.version : Math.max(0, current.version - made.age);
        const { agentId, claimed } = made;
        const digest = (anchors++).toString(16).padStart(64, "0");
        const policyVersion = made.age === "newest" ? "newest" : version;
        const wanted = request({ agentId, claimed, digest, policyVersion });
        const anchored = await ledger.anchor(await records.chainAnchors.request(wanted, STAMP.at));
        const policy = policies[version] ?? policyFrom([]);
        const expected = claimed.every((namespace) => isAllowed(policy, agentId, namespace));
        verdicts.add(expected);
        expect(anchored).toMatchObject({ allAuthorized: expected, ledgerVersion: String(version) });
      }
      await ledger.close();
      await records.close();
    }),
    { numRuns: 40 },
  );
  expect(verdicts).toEqual(new Set([true, false]));
});
