import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { RECALL_LIMIT, recall } from "#core/gate/gate.ts";
import { revokedNamespaces } from "#core/gate/policy.ts";
import { OPEN } from "#core/identity/principal.ts";
import { capture, pinMemory } from "#service/memories/capture.ts";
import { forgetMemory } from "#service/memories/forget.ts";
import { setAccess } from "#service/policy/policy.ts";
import { checkIndex } from "#service/recall/memory-index.ts";
import type { RecallGate } from "#service/recall/search.ts";
import { agentIds, embedLetters, facts, namespaces, rules, texts } from "#test/support/arbitraries.ts";
import { recallGate } from "#test/support/recall-gate.ts";
import { runs } from "#test/support/runs.ts";
import { testTenant } from "#test/support/tenant.ts";

const NOW = new Date("2026-05-10T08:00:00Z");
const options = { limit: RECALL_LIMIT, embed: embedLetters, now: () => NOW };

/** Writes and questions in any order. Each question must be answered from all that was written before it. */
const steps = fc.array(
  fc.oneof(
    { weight: 6, arbitrary: facts.map((fact) => ({ kind: "capture" as const, ...fact })) },
    { weight: 3, arbitrary: rules.map((rule) => ({ kind: "access" as const, ...rule })) },
    { weight: 1, arbitrary: fc.constant({ kind: "forget" as const }) },
    { weight: 3, arbitrary: fc.record({ kind: fc.constant("pin" as const), which: fc.nat(), pinned: fc.boolean() }) },
    {
      weight: 3,
      arbitrary: fc.record({
        kind: fc.constant("ask" as const),
        agentId: agentIds,
        query: texts,
        namespacePrefix: fc.option(namespaces, { nil: undefined, freq: 3 }),
      }),
    },
  ),
  { minLength: 5, maxLength: 40 },
);

describe("the gate of the service", () => {
  test("recalls exactly what `recall` gives for all that is on record, whatever was written and in whatever order", async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (list) => {
        const tenant = testTenant();
        const gate = recallGate(tenant.records, options);
        for (const step of list) {
          if (step.kind === "capture") await capture(tenant, { ...step, sourceAgent: "s" });
          else if (step.kind === "access") await setAccess(tenant, step, { principal: OPEN });
          else if (step.kind === "forget") await forgetMemories(tenant);
          else if (step.kind === "pin") await pinOne(tenant, step);
          else expect(await recalledBy(gate, step)).toEqual(await defined(tenant, step));
        }
        await tenant.records.close();
      }),
      { numRuns: runs(200) },
    );
  });

  test("recalls from what another process wrote to the same database, without a notification", async () => {
    const records = sqliteRecords({ path: ":memory:" });
    const there = testTenant({ records });
    const here = recallGate(records, options);
    await capture(there, { namespace: "n", content: "peanuts", sourceAgent: "s" });
    await setAccess(there, { agentId: "a", namespace: "n", allowed: true }, { principal: OPEN });
    expect((await here.recall("a", "x")).memories.length).toBe(1);
    await setAccess(there, { agentId: "a", namespace: "n", allowed: false }, { principal: OPEN });
    expect((await here.recall("a", "x")).memories).toEqual([]);
  });

  test("knows before its next recall what another process pinned, and marks it as pinned", async () => {
    const records = sqliteRecords({ path: ":memory:" });
    const there = testTenant({ records });
    const here = recallGate(records, { limit: 2 });
    for (const content of ["allergy", "tea", "milk"])
      await capture(there, { namespace: "n", content, sourceAgent: "s" });
    await setAccess(there, { agentId: "a", namespace: "n", allowed: true }, { principal: OPEN });
    const recalled = async () =>
      (await here.recall("a", "x")).memories.map(({ content, why }) => [content, why.pinned]);
    expect(await recalled()).toEqual([
      ["milk", undefined],
      ["tea", undefined],
    ]);
    const [oldest] = (await records.memories.page({ limit: 3 })).memories.slice(-1);
    await pinMemory(there, { memoryId: oldest?.memoryId ?? "", pinned: true }, { principal: OPEN });
    expect(await recalled()).toEqual([
      ["allergy", true],
      ["milk", undefined],
    ]);
    await pinMemory(there, { memoryId: oldest?.memoryId ?? "", pinned: false }, { principal: OPEN });
    expect(await recalled()).toEqual([
      ["milk", undefined],
      ["tea", undefined],
    ]);
  });

  test("tells the sentence model of captures and forgotten memories, and not of pins", async () => {
    const tenant = testTenant();
    const told: string[] = [];
    const sentences = {
      questionVector: async () => undefined,
      vectorOf: () => undefined,
      captured: (_: string, sequence: number) => void told.push(`captured ${sequence}`),
      forgotten: (_: string, sequence: number) => void told.push(`forgotten ${sequence}`),
      counts: () => ({ embedded: 0, waiting: 0, failed: 0, late: 0 }),
      close: async () => undefined,
    };
    const gate = recallGate(tenant.records, { ...options, sentences });
    await capture(tenant, { namespace: "n", content: "tea", sourceAgent: "s" });
    await pinOne(tenant, { which: 0, pinned: true });
    await gate.index.catchUp();
    expect(told).toEqual(["captured 1"]);
    await forgetMemories(tenant);
    await gate.index.catchUp();
    expect(told).toEqual(["captured 1", "forgotten 1"]);
  });

  test("starts with a memory that cannot be indexed, says so, and can forget it", async () => {
    const tenant = testTenant();
    const poison = await capture(tenant, { namespace: "n", content: "poison", sourceAgent: "s" });
    await capture(tenant, { namespace: "n", content: "peanuts", sourceAgent: "s" });
    await setAccess(tenant, { agentId: "a", namespace: "n", allowed: true }, { principal: OPEN });
    const gaps: unknown[] = [];
    const embed = (text: string) => {
      if (text.includes("poison")) throw new RangeError("no room");
      return embedLetters(text);
    };
    const gate = recallGate(tenant.records, { ...options, embed, onGap: (gap) => gaps.push(gap) });
    await gate.index.build();
    expect(gaps).toMatchObject([{ namespace: "n", leftOut: "memories" }]);
    await expect(checkIndex({ index: gate.index, records: tenant.records })).resolves.toMatchObject({ memories: 2 });
    const recalled = async () => (await gate.recall("a", "peanuts")).memories.map(({ content }) => content);
    expect(await recalled()).toEqual(["peanuts", "poison"]);
    await forgetMemory(tenant, poison, { principal: OPEN });
    expect(await recalled()).toEqual(["peanuts"]);
  });

  test("refuses a memory that the policy does not allow, also when the records return it", async () => {
    const tenant = testTenant();
    await capture(tenant, { namespace: "open", content: "peanuts", sourceAgent: "s" });
    await capture(tenant, { namespace: "closed", content: "secret", sourceAgent: "s" });
    await setAccess(tenant, { agentId: "a", namespace: "open", allowed: true }, { principal: OPEN });
    const everything = (await tenant.records.memories.page({ limit: 9 })).memories;
    const records = {
      ...tenant.records,
      memories: {
        ...tenant.records.memories,
        at: async () => new Map(everything.map((memory, i) => [everything.length - i, memory])),
      },
    };
    const gate = recallGate(records, options);
    expect((await gate.recall("a", "secret")).memories.map(({ content }) => content)).toEqual(["peanuts"]);
  });

  test("rejects while the records do not answer, instead of recalling from an old state", async () => {
    const tenant = testTenant();
    const gate = recallGate(tenant.records, options);
    await gate.index.catchUp();
    await tenant.records.close();
    await expect(gate.recall("a", "q")).rejects.toMatchObject({ code: "records-unavailable" });
  });
});

type Parts = ReturnType<typeof testTenant>;
type Question = { agentId: string; query: string; namespacePrefix: string | undefined };

async function recalledBy(gate: RecallGate, { agentId, query, ...bounds }: Question) {
  const { memories, blockedNamespaces, policyVersion, revoked } = await gate.recall(agentId, query, {
    ...bounds,
    isRated: true,
  });
  return { memories, blockedNamespaces, policyVersion, revoked };
}

async function defined({ records }: Parts, { agentId, query, namespacePrefix }: Question) {
  const { policy, version } = await records.policy.current();
  const { memories } = await records.memories.page({ limit: 1_000 });
  return {
    ...recall({ ...options, agentId, query, namespacePrefix, now: NOW }, memories.toReversed(), policy),
    policyVersion: version,
    revoked: revokedNamespaces(policy, agentId),
  };
}

async function pinOne({ records }: Parts, { which, pinned }: { which: number; pinned: boolean }): Promise<void> {
  const { memories } = await records.memories.page({ limit: 1_000 });
  const memoryId = memories[which % Math.max(memories.length, 1)]?.memoryId ?? "none";
  await records.memories.setPinned({ memoryId, pinned, limit: 1_000 }, { by: "test", at: "" });
}

async function forgetMemories({ records }: Parts): Promise<void> {
  const { policy } = await records.policy.current();
  await records.reset([], policy, { by: "test", at: "" });
}
