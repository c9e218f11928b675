import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import { AT, newMemory, receipt, SEED, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

export function auditSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("sees all records as of one moment, while others write", async () => {
    const { records } = store;
    for (const content of ["a", "b"]) await records.memories.add(newMemory(content));
    await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
    const issued = receipt(1, { namespaces: ["n"], body: "{}" });
    await records.receipts.add(issued);
    const seen = await records.audit(async ({ rows, complaints }) => {
      const counters = await Array.fromAsync(rows("counters"));
      await records.memories.add(newMemory("c"));
      await records.reset([], policyFrom([]), STAMP);
      const memories = (await Array.fromAsync(rows("memory"))).map(({ sequence, content }) => [sequence, content]);
      const rules = await Array.fromAsync(rows("rule"));
      const receipts = await Array.fromAsync(rows("receipt"));
      return { counters, memories, rules, receipts, complaints: await complaints() };
    });
    const { answerId, agentId } = issued;
    const found = {
      seed: SEED,
      foundAgentId: agentId,
      isVerified: 1,
      namespaces: '["n"]',
      blockedDigest: null,
      reason: null,
    };
    expect(seen).toMatchObject({
      counters: [
        {
          memory: 2,
          policy: 1,
          memories: 2,
          forgotten: 0,
          pins: 0,
          receipts: 1,
          anchors: 0,
          onLedger: 0,
          namespacesCounted: 1,
          policyRulesCounted: 1,
        },
      ],
      memories: [
        [1, "a"],
        [2, "b"],
      ],
      rules: [{ agentId: "x", namespace: "n", allowed: 1 }],
      receipts: [{ answerId, agentId, createdAt: AT, body: "{}", ...found }],
      complaints: [],
    });
    expect((await records.memories.page({ limit: 10 })).memories).toEqual([]);
  });
}
