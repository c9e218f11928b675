import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import { forCaller } from "#core/names/confusable-name.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const CONFUSABLE = { code: "confusable-name" };
const [LATIN, CYRILLIC] = ["diet", "dіet"];

export function nameSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = (namespace: string, sourceAgent = "s") =>
    store.records.memories.add(newMemory("c", { namespace, sourceAgent }));
  const set = (agentId: string, namespace: string, allowed: boolean) =>
    store.records.policy.set({ agentId, namespace, allowed }, STAMP);

  test("a new namespace that looks like another is refused, alone in its commit, and records nothing", async () => {
    await capture(LATIN);
    const results = await Promise.allSettled(["a", CYRILLIC, LATIN].map((namespace) => capture(namespace)));
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: CONFUSABLE });
    const { byNamespace } = await store.records.memories.counts();
    expect([...byNamespace.keys()].sort()).toEqual(["a", LATIN]);
    await expect(store.records.memories.checkNames({ namespace: CYRILLIC, sourceAgent: "s" })).rejects.toMatchObject(
      CONFUSABLE,
    );
    await store.records.memories.checkNames({ namespace: LATIN, sourceAgent: "s" });
  });

  test("a source agent and an agent of the policy may not look alike, and namespaces and agents may", async () => {
    await capture("x", LATIN);
    await expect(set(CYRILLIC, "x", true)).rejects.toMatchObject(CONFUSABLE);
    await expect(capture("x", CYRILLIC)).rejects.toMatchObject(CONFUSABLE);
    await set("reader", CYRILLIC, true);
    await expect(capture(LATIN)).rejects.toMatchObject(CONFUSABLE);
    await capture(CYRILLIC, LATIN);
  });

  test("a refused rule changes nothing, the version included", async () => {
    await set("a", LATIN, true);
    const before = await store.records.policy.current();
    await expect(set("a", CYRILLIC, true)).rejects.toMatchObject(CONFUSABLE);
    expect(await store.records.policy.current()).toEqual(before);
  });

  test("a revoke is never refused, and keeps no name from others", async () => {
    await set(LATIN, LATIN, true);
    expect(await set(CYRILLIC, CYRILLIC, false)).toEqual({ version: 1 });
    await expect(set(CYRILLIC, CYRILLIC, true)).rejects.toMatchObject(CONFUSABLE);
    await set("pаypal", "x", false);
    await set("paypal", "x", true);
  });

  test("of two names that look alike and come at once from replicas, one is refused", async () => {
    const [one, two] = [store.records, await store.openAgain()];
    for (let i = 0; i < 10; i++) {
      const [latin, cyrillic] = [`diet ${i}`, `dіet ${i}`];
      const results = await Promise.allSettled([
        one.memories.add(newMemory("c", { namespace: latin })),
        two.memories.add(newMemory("c", { namespace: cyrillic })),
      ]);
      expect(results.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
      expect(results.find(({ status }) => status === "rejected")).toMatchObject({ reason: CONFUSABLE });
    }
  });

  test("the same new name from several replicas at once, captured and allowed, is never refused", async () => {
    const [one, two] = [store.records, await store.openAgain()];
    for (let i = 0; i < 10; i++) {
      const [namespace, agentId] = [`n ${i}`, `a ${i}`];
      await Promise.all([
        one.memories.add(newMemory("c", { namespace, sourceAgent: agentId })),
        two.memories.add(newMemory("c", { namespace, sourceAgent: agentId })),
        two.policy.set({ agentId, namespace, allowed: true }, STAMP),
      ]);
    }
  });

  test("a name is free again when a reset has removed it, and a reset may bring names that look alike", async () => {
    await capture(LATIN);
    await store.records.reset([], policyFrom([]), STAMP);
    await capture(CYRILLIC);
    const seeds = [newMemory("a", { namespace: LATIN }), newMemory("b", { namespace: CYRILLIC })];
    const policy = policyFrom([{ agentId: "q", namespace: "z", allowed: true }]);
    await store.records.reset(seeds, policy, STAMP);
    await capture(LATIN);
    await capture(CYRILLIC);
    await expect(capture("𝐝iet")).rejects.toMatchObject(CONFUSABLE);
    await expect(set("𝐪", "z", true)).rejects.toMatchObject(CONFUSABLE);
  });

  test("the error tells an admin which name exists, and nobody else", async () => {
    await capture(LATIN);
    const error: unknown = await capture(CYRILLIC).catch((reason: unknown) => reason);
    expect(forCaller({ role: "admin" }, error)).toMatchObject({
      ...CONFUSABLE,
      message: expect.stringContaining("This namespace looks like “diet”, which exists. Choose another name"),
    });
    for (const role of ["agent", "namespace-admin", "auditor", "public"] as const) {
      const told = forCaller({ role }, error) as Error;
      expect(told).toMatchObject(CONFUSABLE);
      expect(told.message).not.toContain(LATIN);
    }
  });
}
