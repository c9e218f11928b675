import fc from "fast-check";
import { expect, test } from "vitest";
import { divide } from "#core/gate/gate.ts";
import { leavesFrom, NO_LEAVES, type PolicyLeaves, policyOf, withLeaf } from "#core/gate/policy-leaves.ts";
import { createLivePolicy } from "./live-policy.ts";
import { createNamespaceDivisions } from "./namespace-divisions.ts";

const names = fc.constantFrom("a", "b", "__proto__", "\uffff", "😀");
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("captured" as const), namespace: names }),
    fc.record({ kind: fc.constant("forgotten" as const), namespace: names }),
    fc.record({
      kind: fc.constant("leaf" as const),
      agentId: names,
      namespace: names,
      to: fc.constantFrom(true, false, null),
    }),
    fc.record({ kind: fc.constant("ask" as const), agentId: names }),
    fc.record({ kind: fc.constant("whole" as const) }),
  ),
  { maxLength: 60 },
);

test("a division is that of the gate's definition after any changes, and the same object until something changes", () => {
  fc.assert(
    fc.property(steps, (list) => {
      const divisions = createNamespaceDivisions();
      const live = createLivePolicy();
      const memories = new Map<string, number>();
      let leaves: PolicyLeaves = NO_LEAVES;
      let policyVersion = 0;
      live.apply({ policyVersion, policy: { kind: "whole", leaves: [], digest: "0" } });
      for (const step of list) {
        if (step.kind === "captured" || step.kind === "forgotten") {
          const count = memories.get(step.namespace) ?? 0;
          if (step.kind === "forgotten" && count === 0) continue;
          memories.set(step.namespace, count + (step.kind === "captured" ? 1 : -1));
          divisions.set(step.namespace, (memories.get(step.namespace) ?? 0) > 0);
        } else if (step.kind === "leaf") {
          leaves = withLeaf(leaves, step);
          policyVersion += 1;
          live.apply({ policyVersion, policy: { kind: "changes", changes: [step], digest: `${policyVersion}` } });
        } else if (step.kind === "whole") {
          leaves = leavesFrom(leaves.flat());
          live.apply({ policyVersion, policy: { kind: "whole", leaves: leaves.flat(), digest: `${policyVersion}` } });
        } else {
          const { agentId } = step;
          const existing = [...memories].filter(([, count]) => count > 0).map(([name]) => name);
          const policy = policyOf(leaves, agentId);
          expect(live.of(agentId)).toEqual(policy);
          const division = divisions.of(agentId, live.of(agentId));
          expect(division).toMatchObject(divide(agentId, existing, policy));
          expect(divisions.of(agentId, live.of(agentId))).toBe(division);
        }
        expect(live.current()).toEqual({ leaves, version: policyVersion, digest: `${policyVersion}` });
      }
    }),
  );
});

test("a reader's view of the policy stays as it was while the policy changes", () => {
  const live = createLivePolicy();
  const leaf = { agentId: "a", namespace: "n" };
  live.apply({ policyVersion: 1, policy: { kind: "whole", leaves: [{ ...leaf, allowed: true }], digest: "1" } });
  const [current, ofAgent] = [live.current(), live.of("a")];
  live.apply({ policyVersion: 2, policy: { kind: "changes", changes: [{ ...leaf, to: false }], digest: "2" } });
  expect(current.leaves.flat()).toEqual([{ ...leaf, allowed: true }]);
  expect(ofAgent.a?.n).toBe(true);
  expect(live.of("a").a?.n).toBe(false);
});

test("a locked namespace is blocked for everybody, in its place among the others", () => {
  const divisions = createNamespaceDivisions();
  for (const name of ["c", "a", "b"]) divisions.set(name, true);
  const leaves = ["a", "b"].map((namespace) => ({ agentId: "x", namespace, allowed: true }));
  const policy = policyOf(leavesFrom(leaves), "x");
  divisions.setLocked("b", true);
  expect(divisions.of("x", policy)).toMatchObject({ allowed: ["a"], blocked: ["b", "c"] });
  divisions.setLocked("b", false);
  expect(divisions.of("x", policy)).toMatchObject({ allowed: ["a", "b"], blocked: ["c"] });
});
