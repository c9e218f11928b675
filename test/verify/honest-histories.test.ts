// No false alarm: whatever an honest operator does between an answer and its verification, no receipt of the service
// fails. There are grants, revokes, resets, late anchors, restores of the database (which leave it behind its gate), new
// signing keys, times in which the ledger is not told of changes, and changes that arrive while an answer is under way.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { runs } from "#test/support/runs.ts";
import { runHistory, type Step } from "./honest-history.ts";

const HISTORIES = runs(200, 32);
const NAMESPACES = ["diet", "finance", "health"];
const QUERIES = ["What may I eat?", "How is my health?", "How much money do I have?"];

const access = fc.record({
  kind: fc.constant("access" as const),
  namespace: fc.constantFrom(...NAMESPACES),
  allowed: fc.boolean(),
});
const anchors = fc.record({ kind: fc.constant("anchor" as const), place: fc.nat() });
const others = fc.record({
  kind: fc.constantFrom("reset" as const, "backup" as const, "restore" as const, "new key" as const),
});
const telling = fc.record({ kind: fc.constant("tell ledger" as const) });
const wait = (...minutes: number[]) =>
  fc.record({ kind: fc.constant("wait" as const), minutes: fc.constantFrom(...minutes) });

const ask = fc.record({
  kind: fc.constant("ask" as const),
  query: fc.constantFrom(...QUERIES),
  isRecall: fc.boolean(),
  /** Ten minutes at most. */
  meanwhile: fc.oneof(
    { weight: 3, arbitrary: fc.constant([]) },
    { weight: 1, arbitrary: fc.tuple(access, telling, wait(1, 9)) },
  ),
});

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 6, arbitrary: ask },
  { weight: 5, arbitrary: access },
  { weight: 3, arbitrary: anchors },
  { weight: 3, arbitrary: others },
  { weight: 3, arbitrary: telling },
  { weight: 3, arbitrary: wait(1, 14, 16, 90, 30_000) },
);

test(`no receipt of ${HISTORIES} honest histories fails, and all that used a memory are verified`, async () => {
  const counts = { verified: 0, unknown: 0, refused: 0 };
  await fc.assert(
    fc.asyncProperty(fc.array(steps, { minLength: 5, maxLength: 14 }), async (history) => {
      const { verifications, refused } = await runHistory(history);
      counts.refused += refused;
      for (const { verdict, checks, used } of verifications) {
        const notPassed = checks.flatMap(({ code }) => code ?? []);
        expect([verdict, notPassed]).toEqual(used > 0 ? ["verified", []] : ["unknown", ["nothing-claimed"]]);
        counts[verdict as "verified" | "unknown"] += 1;
      }
    }),
    { numRuns: HISTORIES },
  );
  // The histories are about something.
  expect(counts.verified).toBeGreaterThan(HISTORIES);
  expect(counts.refused).toBeGreaterThan(0);
}, 900_000);

describe("when versions end on the ledger", () => {
  const ask: Step = { kind: "ask", query: "What may I eat?", isRecall: false, meanwhile: [] };
  const anchorIt: Step = { kind: "anchor", place: 0 };
  const tell: Step = { kind: "tell ledger" };
  const change = (allowed: boolean): Step[] => [{ kind: "access", namespace: "finance", allowed }, tell];
  const later = (minutes: number): Step => ({ kind: "wait", minutes });
  const verdictsOf = async (...history: readonly Step[]) => {
    const { verifications, refused } = await runHistory(history);
    return { verdicts: verifications.map(({ verdict }) => verdict), refused };
  };

  test.for([true, false])("an answer during which another gate changed is verified (recall: %s)", async (isRecall) => {
    const meanwhile = [...change(true), later(9)];
    const long: Step = { ...ask, isRecall, meanwhile };
    expect(await verdictsOf(tell, long, later(60), anchorIt)).toEqual({ verdicts: ["verified"], refused: 0 });
  });

  test("an answer that is anchored months and many changes later is verified", async () => {
    const changes = Array.from({ length: 20 }, (_, i) => [...change(i % 2 === 0), later(10_000)]).flat();
    expect(await verdictsOf(tell, ask, ...changes, anchorIt)).toEqual({ verdicts: ["verified"], refused: 0 });
  });

  test("answers under versions that reach the ledger late are verified", async () => {
    const untold: Step[] = [0, 1, 2].flatMap((i) => [
      { kind: "access", namespace: "finance", allowed: i % 2 === 0 },
      later(120),
      ask,
      later(120),
    ]);
    const verdicts = ["verified", "verified", "verified"];
    expect(await verdictsOf(tell, later(120), ...untold)).toEqual({ verdicts, refused: 0 });
  });

  test("an answer of a restored database, under a version that ended before, is refused and not anchored", async () => {
    const behind: Step[] = [tell, { kind: "backup" }, ...change(true), later(90), { kind: "restore" }];
    expect(await verdictsOf(...behind, ask, anchorIt)).toEqual({ verdicts: [], refused: 1 });
    // What was answered before the backup, and after the database has moved past its gate, is anchored.
    const verified = { verdicts: ["verified", "verified"], refused: 0 };
    expect(await verdictsOf(tell, ask, ...behind, tell, ask)).toEqual(verified);
  });

  test("an answer of a new version is verified although the reset before it ended the last one", async () => {
    const sinceReset: Step[] = [{ kind: "reset" }, tell, later(90), ask];
    const verdicts = ["verified", "verified"];
    expect(await verdictsOf(tell, ask, anchorIt, ...sinceReset)).toEqual({ verdicts, refused: 0 });
    // The memories of the answer before are forgotten.
    expect(await verdictsOf(tell, ask, ...sinceReset)).toEqual({ verdicts: ["verified"], refused: 1 });
  });
});
