import fc from "fast-check";
import { expect, test } from "vitest";
import { activityKind } from "#core/activity-kind.ts";
import { digestOf, type NameList } from "#core/encoding/digest.ts";
import { policyFrom } from "#core/gate/policy.ts";
import type { Decision, DecisionFilter, DecisionPage, RecordStore } from "#ports.ts";
import { runs } from "#test/support/runs.ts";
import { AT, anchorOf, LONG_AGO, newMemory, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const AGENTS = ["assistant", "__proto__", "a.b"] as const;
const OUTCOMES = ["answered", "refused", "given"] as const;
const NAMESPACES = ["health", "diet"] as const;
const listOf = (...names: string[]): NameList => ({ digest: digestOf(names), names });
const timeOf = (minute: number) => `2026-01-02T03:${String(minute).padStart(2, "0")}:00.000Z`;

export function decisionSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const all = (records: RecordStore) => records.decisions.page({ limit: 100 });

  test("a decision is kept with its lists, also after a restart, and each list once", async () => {
    const lists = { allowed: listOf("diet", "health"), blocked: listOf() };
    const details = { cause: "forgotten", memories: 2, blobId: "b" } as const;
    const about = { agentId: "assistant", answerId: "ans_1", memoryId: "mem_1", namespace: "__proto__", details };
    const answered = decision({ ...lists, ...about, requestId: "r" });
    await store.records.decisions.add(answered);
    await store.records.decisions.add(decision({ allowed: listOf("diet", "health"), blocked: listOf("diet") }));
    const records = await store.restart();
    const { decisions } = await all(records);
    const { digest } = lists.allowed;
    const { allowed: _, blocked: __, ...fields } = answered;
    expect(decisions[1]).toEqual({
      ...fields,
      sequence: decisions[1]?.sequence,
      allowed: { digest, count: 2 },
      blocked: { digest: null, count: 0 },
    });
    expect(decisions[0]).toMatchObject({ allowed: { digest, count: 2 }, blocked: { count: 1 } });
    expect(decisions[0]).not.toHaveProperty("answerId");
    expect(await records.receipts.listedNames({ digest, limit: 10 })).toEqual(["diet", "health"]);
    const kept = await records.audit(async ({ rows }) => Array.fromAsync(rows("blocked")));
    expect(kept.filter((row) => row.digest === digest)).toHaveLength(2);
  });

  test("a change and its decision are recorded together, and a refused change leaves no decision", async () => {
    const { records } = store;
    const memory = newMemory("one");
    await records.memories.add(memory, undefined, decision({ route: "capture" }));
    const stamped = (route: string) => ({ ...STAMP, decision: decision({ route }) });
    await records.policy.set({ agentId: "a", namespace: "n", allowed: true }, stamped("set"));
    await records.memories.setPinned({ memoryId: memory.memoryId, pinned: true, limit: 1 }, stamped("pin"));
    await records.memories.setPinned({ memoryId: "mem_none", pinned: true, limit: 1 }, stamped("no pin"));
    const issued = receipt(1);
    await records.receipts.add(issued, decision({ route: "answer", allowed: listOf("n"), blocked: listOf("x") }));
    await expect(records.receipts.add(issued, decision({ route: "twice" }))).rejects.toMatchObject({
      code: "records-unavailable",
    });
    await records.anchors.add(anchorOf(issued), undefined, decision({ route: "anchor" }));
    await records.reset([], policyFrom([]), stamped("reset"));
    const { decisions } = await all(records);
    expect(decisions.map(({ route }) => route)).toEqual(["reset", "anchor", "answer", "pin", "set", "capture"]);
    expect(decisions[2]).toMatchObject({ allowed: { count: 1 }, blocked: { count: 1 } });
    const complaints = await records.audit(({ complaints }) => complaints());
    expect(complaints).toEqual([]);
  });

  test("a capture of a fact on record is a decision without a memory of its own", async () => {
    const { records } = store;
    const memory = newMemory("one");
    const captured = (memoryId: string) => decision({ outcome: "captured", memoryId });
    await records.memories.add(memory, undefined, captured(memory.memoryId));
    await records.memories.add({ ...memory, memoryId: "mem_again" }, undefined, captured("mem_again"));
    const { decisions } = await all(records);
    expect(decisions.map(({ memoryId }) => memoryId)).toEqual([undefined, memory.memoryId]);
    expect(await records.events.position()).toMatchObject({ head: 1 });
  });

  test("pages give every decision that passes the filters once, newest first, within the scan", async () => {
    const { records } = store;
    const rows = Array.from({ length: 60 }, (_, i) =>
      decision({
        at: timeOf((i * 7) % 20),
        route: `route ${i}`,
        outcome: OUTCOMES[(i * 5) % 3] ?? "given",
        agentId: i % 4 === 3 ? undefined : AGENTS[(i * 11) % 3],
        namespace: i % 3 === 1 ? undefined : NAMESPACES[(i * 13) % 2],
        ...(i % 5 === 0 && { blocked: listOf("held", "health") }),
        requestId: i % 5 === 4 ? undefined : `request-${i % 3}`,
      }),
    );
    for (const row of rows) await records.decisions.add(row);
    const filters: fc.Arbitrary<DecisionFilter> = fc.record(
      {
        agentId: fc.constantFrom(...AGENTS, "nobody"),
        outcome: fc.constantFrom(...OUTCOMES, "failed" as const),
        kind: fc.constantFrom("answer", "refusal", "read", "anchor"),
        namespace: fc.constantFrom(...NAMESPACES, "held", "none"),
        requestId: fc.constantFrom("request-0", "request-1", "request-none"),
        from: fc.integer({ min: 0, max: 20 }).map(timeOf),
        to: fc.integer({ min: 0, max: 20 }).map(timeOf),
      },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        filters,
        fc.integer({ min: 1, max: 25 }),
        fc.integer({ min: 1, max: 30 }),
        async (filter, limit, scan) => {
          const expected = rows
            .map((row, i) => ({ ...row, i }))
            .filter((row) => passes(row, filter))
            .sort((a, b) => (a.at < b.at ? 1 : a.at > b.at ? -1 : b.i - a.i))
            .map(({ route }) => route);
          const found: string[] = [];
          let next: number | undefined;
          do {
            const page: DecisionPage = await records.decisions.page({
              ...filter,
              limit,
              scan,
              ...(next !== undefined && { before: next }),
            });
            expect(page.decisions.length).toBeLessThanOrEqual(limit);
            found.push(...page.decisions.map(({ route }) => route));
            next = page.next;
          } while (next !== undefined);
          expect(found).toEqual(expected);
        },
      ),
      { numRuns: runs(40) },
    );
  });

  test("a sweep that forgets expired memories is one decision with their number, and one that finds none is none", async () => {
    const { records } = store;
    for (const content of ["a", "b"]) await records.memories.add(newMemory(content, { expiresAt: LONG_AGO }));
    const swept = decision({ at: "", route: "expiry", outcome: "changed", details: { cause: "expired" } });
    while ((await records.memories.forgetExpired(10, swept)) > 0);
    const { decisions } = await all(records);
    expect(decisions).toMatchObject([{ route: "expiry", details: { cause: "expired", memories: 2 } }]);
    expect(decisions[0]?.at).not.toBe("");
  });

  test("decisions that come at once are all kept", async () => {
    const { records } = store;
    await Promise.all(Array.from({ length: 50 }, (_, i) => records.decisions.add(decision({ route: `r${i}` }))));
    const { decisions } = await all(records);
    expect(new Set(decisions.map(({ route }) => route)).size).toBe(50);
  });
}

function passes(row: Decision, filter: DecisionFilter): boolean {
  const { agentId, requestId, outcome, at } = row;
  const names = [row.namespace, ...(row.blocked?.names ?? [])];
  return (
    (filter.kind === undefined || filter.kind === activityKind(row)) &&
    (filter.namespace === undefined || names.includes(filter.namespace)) &&
    (filter.agentId === undefined || filter.agentId === agentId) &&
    (filter.requestId === undefined || filter.requestId === requestId) &&
    (filter.outcome === undefined || filter.outcome === outcome) &&
    (filter.from === undefined || at >= filter.from) &&
    (filter.to === undefined || at < filter.to)
  );
}

export function decision(fields: Partial<Decision> = {}): Decision {
  const who = { principalId: "key:1", principalName: "ada", role: "admin" } as const;
  return { at: AT, ...who, route: "chat", policyVersion: 3, outcome: "answered", ...fields };
}
