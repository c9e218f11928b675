// GET /api/memories with filters, GET /api/memories/<memoryId>, and the view of an agent.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { isAllowed, type Policy } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import { allPages } from "#test/support/all-pages.ts";
import { agentIds, namespaces, policies, texts } from "#test/support/arbitraries.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { runs } from "#test/support/runs.ts";
import { send } from "#test/support/send.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";

const STAMP = { by: "test", at: "2026-05-01T10:00:00.000Z" };

const memory = (number: number, fields: Partial<Memory> = {}): Memory => ({
  memoryId: `mem_${String(number).padStart(26, "0")}`,
  storeRef: `blob-${number}`,
  namespace: "n",
  content: `Fact ${number}.`,
  sourceAgent: "teller",
  createdAt: STAMP.at,
  contentDigest: "00".repeat(32),
  ...fields,
});

type Filter = Omit<NonNullable<Parameters<Service["client"]["listMemories"]>[0]>, "limit" | "cursor">;

const found = ({ client }: Service, filter: Filter, limit = 1_000) =>
  allPages(async (page) => {
    const { memories, nextCursor } = await client.listMemories({ limit, ...filter, ...page });
    expect(memories.length).toBeLessThanOrEqual(limit);
    return { found: memories, nextCursor };
  });

const contents = async (service: Service, filter: Filter) =>
  (await found(service, filter)).map(({ content }) => content);

describe("memories are found", () => {
  test("by text without regard to ASCII case, by namespace, by source agent, and by all three together", async () => {
    const service = await serviceForTest();
    expect(await contents(service, { q: "SATAY" })).toEqual([
      "Dinner on Friday is booked at Lotus, the Thai place known for its satay.",
      "Severe peanut allergy, carries an adrenaline pen: no peanuts and no satay at any dinner.",
    ]);
    expect(await contents(service, { q: "satay", namespace: "diet" })).toHaveLength(1);
    expect(await contents(service, { q: "satay", sourceAgent: "companion" })).toHaveLength(1);
    expect(await contents(service, { namespace: "diet", sourceAgent: "companion" })).toEqual([
      "No coffee after two in the afternoon, or the night's sleep is gone.",
    ]);
    expect(await contents(service, { q: "satay", namespace: "diet", sourceAgent: "companion" })).toEqual([]);
    expect(await contents(service, { namespace: "Diet" })).toEqual([]);
    expect(await contents(service, { q: "%" })).toEqual([]);
  });

  test("by their id", async () => {
    const { client, url } = await serviceForTest();
    const { memory: captured } = await client.capture({ namespace: "n", content: "A fact.", sourceAgent: "a" });
    expect(await client.getMemory({ memoryId: captured.memoryId })).toEqual({ memory: captured });
    expectProblem(await send(`${url}/api/memories/mem_nothing`), 404, "not-found");
    expectProblem(await send(`${url}/api/memories/a%20b`), 400, "invalid-request");
    expect((await send(`${url}/api/memories/import`, { method: "DELETE" })).headers.allow).toBe("POST");
  });

  test("in pages of 100 if there is a filter and no limit", async () => {
    const service = await serviceForTest();
    const { policy } = await service.client.getPolicy();
    const many = Array.from({ length: 250 }, (_, i) => memory(i));
    await service.tenant.records.reset(many, policy, STAMP);
    const { memories, nextCursor } = await service.client.listMemories({ namespace: "n" });
    expect(memories).toHaveLength(100);
    expect(nextCursor).toBeDefined();
    expect(await found(service, { namespace: "n" }, 100)).toEqual(many.toReversed());
  });

  test("also as the last of 50,000, in requests that scan 20,000 each", async () => {
    const service = await serviceForTest();
    const { policy } = await service.client.getPolicy();
    const many = Array.from({ length: 50_000 }, (_, i) => memory(i, i === 0 ? { content: "needle" } : {}));
    await service.tenant.records.reset(many, policy, STAMP);
    const pages: number[] = [];
    const all = await allPages(async (page) => {
      const { memories, nextCursor } = await service.client.listMemories({ q: "Needle", ...page });
      pages.push(memories.length);
      return { found: memories, nextCursor };
    });
    expect(all).toEqual([many[0]]);
    expect(pages).toEqual([0, 0, 1]);
  });

  test.for([
    ["q", ""],
    ["q", "%20"],
    ["q", "x".repeat(201)],
    ["namespace", ""],
    ["namespace", "%20n"],
    ["sourceAgent", "x".repeat(65)],
    ["viewAs", "e%CC%81"],
    ["viewAs", "%00"],
    ["limit", "0"],
    ["cursor", "0"],
    ["cursor", "ans_1"],
  ])("except with %s=%s, which is refused by the parameter's name", async ([name, value]) => {
    const { url } = await serviceForTest();
    const answer = await send(`${url}/api/memories?${name}=${value}`);
    expectProblem(answer, 400, "invalid-request");
    expect(JSON.parse(answer.text).errors).toMatchObject([{ parameter: name }]);
  });
});

describe("the view of an agent", () => {
  test("follows every change of the policy, and is empty for an unknown agent", async () => {
    const service = await serviceForTest();
    const visibleTo = async (viewAs: string) =>
      new Set((await found(service, { viewAs })).map(({ namespace }) => namespace));
    expect(await visibleTo("advisor")).toEqual(new Set(["finance", "work"]));
    expect(await visibleTo("planner")).toEqual(new Set(["travel", "work", "diet"]));
    expect(await visibleTo("nobody")).toEqual(new Set());
    expect(await visibleTo("__proto__")).toEqual(new Set());
    expect(await found(service, { viewAs: "planner", namespace: "health" })).toEqual([]);
    await service.client.setAccess({ agentId: "advisor", namespace: "finance", allowed: false });
    expect(await visibleTo("advisor")).toEqual(new Set(["work"]));
    await service.client.setAccess({ agentId: "nobody", namespace: "health", allowed: true });
    expect(await visibleTo("nobody")).toEqual(new Set(["health"]));
  });

  test("is decided by the policy at the end of the search, not at its beginning", async () => {
    const service = await serviceForTest();
    const { records } = service.tenant;
    const { page: readPage } = records.memories;
    // A revoke is acknowledged while the search runs.
    Object.assign(records.memories, {
      async page(page: Parameters<typeof readPage>[0]) {
        const read = await readPage(page);
        await records.policy.set({ agentId: "advisor", namespace: "finance", allowed: false }, STAMP);
        return read;
      },
    });
    const { memories } = await service.client.listMemories({ viewAs: "advisor" });
    expect(new Set(memories.map(({ namespace }) => namespace))).toEqual(new Set(["work"]));
  });

  test("is exactly what the gate allows, for random policies, filters and pages", async () => {
    const service = await serviceForTest();
    const factFields = fc.record({ namespace: namespaces, sourceAgent: agentIds, content: texts });
    const filters = fc.record(
      { viewAs: agentIds, namespace: namespaces, sourceAgent: agentIds, q: fc.constantFrom("an", "THE", "10", "é") },
      { requiredKeys: [] },
    );
    await fc.assert(
      fc.asyncProperty(
        fc.array(factFields, { maxLength: 30 }),
        policies,
        filters,
        fc.integer({ min: 1, max: 9 }),
        async (facts, policy, filter, limit) => {
          const memories = facts.map((fact, i) => memory(i, fact));
          await service.tenant.records.reset(memories, policy, STAMP);
          const expected = memories.filter((one) => passes(one, filter, policy)).reverse();
          expect(await found(service, filter, limit)).toEqual(expected);
        },
      ),
      { numRuns: runs(60) },
    );
  });
});

function passes({ namespace, sourceAgent, content }: Memory, filter: Filter, policy: Policy): boolean {
  const lower = (text: string) => text.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  return (
    (filter.viewAs === undefined || isAllowed(policy, filter.viewAs, namespace)) &&
    (filter.namespace === undefined || filter.namespace === namespace) &&
    (filter.sourceAgent === undefined || filter.sourceAgent === sourceAgent) &&
    (filter.q === undefined || lower(content).includes(lower(filter.q)))
  );
}
