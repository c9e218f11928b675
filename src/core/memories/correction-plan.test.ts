import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import { idOfFact, type MemoryOnRecord } from "#core/memory.ts";
import { type Concerned, type CorrectionPlan, planCorrections } from "./correction-plan.ts";

const NOW = "2026-01-02T00:00:00.000Z";
const EARLIER = "2026-01-01T00:00:00.000Z";
const LATER = "2026-01-03T00:00:00.000Z";

function memory(memoryId: string, fields: Partial<MemoryOnRecord> = {}): MemoryOnRecord {
  const about = { namespace: "n", sourceAgent: "a", content: "c", createdAt: EARLIER };
  return { memoryId, storeRef: `ref ${memoryId}`, contentDigest: `fact ${memoryId}`, ...about, ...fields };
}

const onRecord = (...memories: MemoryOnRecord[]): Concerned[] =>
  memories.map((each) => ({ memory: each, hasExpired: each.expiresAt !== undefined && each.expiresAt <= NOW }));

/** The memories after the plan, current ones and history. */
function apply(before: readonly MemoryOnRecord[], { phases }: CorrectionPlan) {
  const current = new Map(before.map((each) => [each.memoryId, each]));
  const history = new Map<string, string>();
  for (const { superseded, expired, added, changed } of phases) {
    for (const { memory: each, by } of superseded) {
      expect(current.delete(each.memoryId)).toBe(true);
      history.set(each.memoryId, by);
    }
    for (const { memoryId } of expired) expect(current.delete(memoryId)).toBe(true);
    for (const each of added) {
      expect(current.has(each.memoryId)).toBe(false);
      current.set(each.memoryId, each);
    }
    for (const each of changed) {
      expect(current.has(each.memoryId)).toBe(true);
      current.set(each.memoryId, each);
    }
  }
  return { current, history };
}

describe("a capture", () => {
  const planOf = (given: MemoryOnRecord, ...before: MemoryOnRecord[]) => {
    const plan = planCorrections([given], onRecord(...before), NOW);
    return { plan, outcome: plan.outcomes.get(given), ...apply(before, plan) };
  };

  test("of a new fact is added, without the fence", () => {
    const given = memory("new");
    const { plan, outcome } = planOf(given);
    expect(outcome).toBe(given);
    expect(plan.phases).toEqual([{ superseded: [], expired: [], added: [given], changed: [] }]);
    expect(plan.changing.size).toBe(0);
  });

  test("of a fact that is on record changes nothing", () => {
    const { plan, outcome } = planOf(memory("new", { contentDigest: "fact old" }), memory("old"));
    expect(outcome).toMatchObject({ memoryId: "old" });
    expect(plan.phases).toEqual([]);
  });

  test("under a key takes the place of the fact that had it, behind the fence", () => {
    const { plan, outcome, current, history } = planOf(memory("new", { key: "k" }), memory("old", { key: "k" }));
    expect(outcome).toMatchObject({ memoryId: "new", supersedes: "old" });
    expect([...current.keys()]).toEqual(["new"]);
    expect(history).toEqual(new Map([["old", "new"]]));
    expect(plan.changing.size).toBe(1);
  });

  test("under the key of a fact that has expired lets that one go, behind the fence: answers may still be under way with it", () => {
    const { plan, outcome, history } = planOf(
      memory("new", { key: "k" }),
      memory("old", { key: "k", expiresAt: EARLIER }),
    );
    expect(outcome).not.toHaveProperty("supersedes");
    expect(plan.phases[0]?.expired).toMatchObject([{ memoryId: "old" }]);
    expect(history.size).toBe(0);
    expect(plan.changing.size).toBe(1);
  });

  test("that names another memory makes it history, and one that is not there, or elsewhere, is refused", () => {
    const supersedes = memory("new", { supersedes: "old" });
    expect(planOf(supersedes, memory("old")).history).toEqual(new Map([["old", "new"]]));
    for (const others of [[], [memory("old", { namespace: "m" })], [memory("old", { expiresAt: EARLIER })]]) {
      const { plan, outcome } = planOf(supersedes, ...others);
      expect(outcome).toBeInstanceOf(PortcullisError);
      expect(outcome).toMatchObject({ code: "not-found" });
      expect(plan.phases).toEqual([]);
    }
  });

  test("that repeats a fact with a time changes the time on record, behind the fence", () => {
    const { plan, outcome } = planOf(memory("new", { contentDigest: "fact old", expiresAt: LATER }), memory("old"));
    expect(outcome).toMatchObject({ memoryId: "old", expiresAt: LATER });
    expect(plan.changing.size).toBe(1);
  });
});

test("a batch does what its captures do one after another, and leaves each fact and each key once", () => {
  const fields = fc.record(
    {
      contentDigest: fc.constantFrom("f1", "f2", "f3", "f4"),
      key: fc.constantFrom("k1", "k2"),
      expiresAt: fc.constantFrom(EARLIER, LATER),
      supersedes: fc.constantFrom("m0", "m1", "m2", "m3"),
    },
    { requiredKeys: ["contentDigest"] },
  );
  const captures = fc
    .array(fields, { maxLength: 8 })
    .map((all) => all.map((each, i) => memory(`m${i}`, each as Partial<MemoryOnRecord>)));
  const property = fc.property(captures, (given) => {
    const together = planCorrections(given, [], NOW);
    const batch = apply([], together);

    let current: readonly MemoryOnRecord[] = [];
    const history = new Map<string, string>();
    for (const each of given) {
      const alone = planCorrections([each], onRecord(...current), NOW);
      const after = apply(current, alone);
      current = [...after.current.values()];
      for (const [id, by] of after.history) history.set(id, by);
      const [one, other] = [together.outcomes.get(each), alone.outcomes.get(each)];
      if (other instanceof PortcullisError) expect(one).toBeInstanceOf(PortcullisError);
      else expect(one).toEqual(other);
    }
    expect([...batch.current.values()]).toEqual(expect.arrayContaining([...current]));
    expect(batch.current.size).toBe(current.length);
    expect(batch.history).toEqual(history);

    const live = current.filter(({ expiresAt }) => expiresAt === undefined || expiresAt > NOW);
    expect(new Set(live.map(idOfFact)).size).toBe(live.length);
    const keys = current.flatMap(({ key }) => key ?? []);
    expect(new Set(keys).size).toBe(keys.length);
  });
  fc.assert(property, { numRuns: 1_000 });
});
