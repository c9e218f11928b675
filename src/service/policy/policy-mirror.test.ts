import fc from "fast-check";
import { expect, test } from "vitest";
import { divide } from "#core/gate/gate.ts";
import { NO_RULES, type PolicyRules, policyOf, rulesFrom, withChange } from "#core/gate/policy-rules.ts";
import type { Snapshot } from "#ports.ts";
import { createNamespaceDivisions, createPolicyMirror } from "./policy-mirror.ts";

const names = fc.constantFrom("a", "b", "__proto__", "\uffff", "😀");
const steps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("captured" as const), namespace: names }),
    fc.record({ kind: fc.constant("forgotten" as const), namespace: names }),
    fc.record({
      kind: fc.constant("rule" as const),
      agentId: names,
      namespace: names,
      to: fc.constantFrom(true, false, null),
    }),
    fc.record({ kind: fc.constant("ask" as const), agentId: names }),
    fc.record({ kind: fc.constant("whole" as const) }),
  ),
  { maxLength: 60 },
);

/** A mirror, and what has it read one snapshot of a change feed. */
function mirrorOf() {
  let next: Snapshot = { heads: [], position: 0, policyVersion: 0, removals: 0 };
  const mirror = createPolicyMirror({ since: async () => next });
  return {
    mirror,
    async read(snapshot: Partial<Snapshot>): Promise<void> {
      next = { ...next, heads: [], ...snapshot };
      await mirror.refresh();
      const { policy: _, ...rest } = next;
      next = rest;
    },
  };
}

const head = (namespace: string, memories: number) => ({ namespace, memories, head: 1, isEncrypted: false });

test("a division is that of the gate after any changes, and the same lists until something changes", () =>
  fc.assert(
    fc.asyncProperty(steps, async (list) => {
      const { mirror, read } = mirrorOf();
      const memories = new Map<string, number>();
      let rules: PolicyRules = NO_RULES;
      let policyVersion = 0;
      await read({ policyVersion, policy: { kind: "whole", rules: [], digest: "0" } });
      for (const step of list) {
        if (step.kind === "captured" || step.kind === "forgotten") {
          const count = (memories.get(step.namespace) ?? 0) + (step.kind === "captured" ? 1 : -1);
          if (count < 0) continue;
          memories.set(step.namespace, count);
          await read({ heads: [head(step.namespace, count)] });
        } else if (step.kind === "rule") {
          rules = withChange(rules, step);
          policyVersion += 1;
          await read({ policyVersion, policy: { kind: "changes", changes: [step], digest: `${policyVersion}` } });
        } else if (step.kind === "whole") {
          rules = rulesFrom(rules.flat());
          await read({ policyVersion, policy: { kind: "whole", rules: rules.flat(), digest: `${policyVersion}` } });
        } else {
          const { agentId } = step;
          const existing = [...memories].filter(([, count]) => count > 0).map(([name]) => name);
          const policy = policyOf(rules, agentId);
          const state = mirror.lastStateOf(agentId);
          expect(state).toMatchObject({ policy, policyVersion, ...divide(agentId, existing, policy) });
          expect(await mirror.currentOf(agentId)).toBe(state.policy);
          expect(await mirror.allowedNamespaces(agentId)).toBe(state.allowed);
        }
        expect(await mirror.current()).toEqual({ rules, version: policyVersion, digest: `${policyVersion}` });
      }
    }),
  ));

test("a reader's view of the policy stays as it was while the policy changes", async () => {
  const { mirror, read } = mirrorOf();
  const rule = { agentId: "a", namespace: "n" };
  await read({ policyVersion: 1, policy: { kind: "whole", rules: [{ ...rule, allowed: true }], digest: "1" } });
  const [current, ofAgent] = [await mirror.current(), mirror.lastOf("a")];
  await read({ policyVersion: 2, policy: { kind: "changes", changes: [{ ...rule, to: false }], digest: "2" } });
  expect(current.rules.flat()).toEqual([{ ...rule, allowed: true }]);
  expect(ofAgent.a?.n).toBe(true);
  expect(mirror.lastOf("a").a?.n).toBe(false);
});

test("a locked namespace is blocked for everybody, in its place among the others", () => {
  const divisions = createNamespaceDivisions();
  for (const name of ["c", "a", "b"]) divisions.set(name, true);
  const rules = ["a", "b"].map((namespace) => ({ agentId: "x", namespace, allowed: true }));
  const policy = policyOf(rulesFrom(rules), "x");
  divisions.setLocked("b", true);
  expect(divisions.of("x", policy)).toMatchObject({ allowed: ["a"], blocked: ["b", "c"] });
  divisions.setLocked("b", false);
  expect(divisions.of("x", policy)).toMatchObject({ allowed: ["a", "b"], blocked: ["c"] });
});
