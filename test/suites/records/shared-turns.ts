// Changes of the policy, and removals of memories, each take the fence alone. Those that wait share a turn and a commit,
// so that one caller's load does not hold up another's revoke.
import fc from "fast-check";
import { expect, test } from "vitest";
import { policyFrom, type RuleChange } from "#core/gate/policy.ts";
import { nextChainHash } from "#core/gate/policy-chain.ts";
import type { MemoryOnRecord, RecordStore } from "#ports.ts";
import { runs } from "#test/support/runs.ts";
import { decision } from "./decisions.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

/** Far more than share a turn. */
const MANY = 600;
/** What runs when a change is asked for, and what goes before it, is at most this much of it. */
const FEW = MANY / 3;

const by = (name: string) => ({ ...STAMP, by: name });
const times = <T>(count: number, make: (i: number) => T): T[] => Array.from({ length: count }, (_, i) => make(i));

/** Counts those that are done. */
function counted<T>(jobs: readonly Promise<T>[]) {
  let done = 0;
  const all = Promise.all(
    jobs.map((job) =>
      job.then((result) => {
        done += 1;
        return result;
      }),
    ),
  );
  return { all, done: () => done };
}

export function sharedTurnSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = (records: RecordStore, i: number, fields: Partial<MemoryOnRecord> = {}) =>
    records.memories.add(newMemory(`fact ${i}`, { namespace: "n", sourceAgent: "s", ...fields }));
  const forget = ({ memories }: RecordStore, memory: MemoryOnRecord, stamp = STAMP) =>
    memories.forget({ memoryIds: [memory.memoryId], cause: "forgotten" }, stamp);
  const open = (records: RecordStore) =>
    records.reset([], policyFrom([{ agentId: "a", namespace: "n", allowed: true }]), STAMP);

  /** While removals are made: how many of them end between the ask and the end of a change. */
  async function overtaken(removals: readonly Promise<unknown>[], change: () => Promise<unknown>): Promise<number> {
    const { all, done } = counted(removals);
    // All have come as far as the fence when some have passed it.
    await expect.poll(done).toBeGreaterThan(0);
    const before = done();
    await change();
    const during = done() - before;
    await all;
    return during;
  }

  test("a revoke waits for few of the forgets that were asked for before it", async () => {
    const { records } = store;
    await open(records);
    const memories = await Promise.all(times(MANY, (i) => capture(records, i)));
    const forgets = memories.map((memory) => forget(records, memory, by("agent")));
    const revoke = () => records.policy.set({ agentId: "a", namespace: "n", allowed: false }, STAMP);
    expect(await overtaken(forgets, revoke)).toBeLessThan(FEW);
  });

  test("a forget waits for few of those that another agent asked for before it", async () => {
    const { records } = store;
    const memories = await Promise.all(times(MANY + 1, (i) => capture(records, i)));
    const [last] = memories.splice(-1) as [MemoryOnRecord];
    const forgets = memories.map((memory) => forget(records, memory, by("agent")));
    expect(await overtaken(forgets, () => forget(records, last, by("other")))).toBeLessThan(FEW);
  });

  test("a revoke waits for few of the captures that make others history", async () => {
    const { records } = store;
    await open(records);
    await Promise.all(times(MANY, (i) => capture(records, i, { key: `k${i}` })));
    const captures = times(MANY, (i) => capture(records, MANY + i, { key: `k${i}` }));
    const revoke = () => records.policy.set({ agentId: "a", namespace: "n", allowed: false }, STAMP);
    expect(await overtaken(captures, revoke)).toBeLessThan(FEW);
  });

  test("a revoke, and an answer, wait for few of the revokes that another admin asked for before them", async () => {
    const { records } = store;
    // A turn takes a moment, so there are many: on a busy machine some pass before the database has heard of both.
    const flood = 4 * MANY;
    const rules = times(flood, (i) => ({ agentId: `a${i}`, namespace: "n", allowed: true }));
    const kept = { agentId: "kept", namespace: "n", allowed: true };
    await records.reset([], policyFrom([...rules, kept, { ...kept, agentId: "a" }]), STAMP);
    const policyVersion = await records.policy.version();
    const readSet = { agentId: "kept", policyVersion, namespaces: ["n"], removals: 0, memoryIds: [] };
    // So that what is counted is the wait for a turn, and not that for a connection.
    await records.policy.passFence(readSet, () => undefined);
    const { all, done } = counted(rules.map((rule) => records.policy.set({ ...rule, allowed: false }, by("flood"))));
    const revoked = records.policy.set({ agentId: "a", namespace: "n", allowed: false }, by("other")).then(done);
    const passed = records.policy.passFence(readSet, () => undefined).then(done);
    expect(await revoked).toBeLessThan(flood / 3);
    expect(await passed).toBeLessThan(flood / 3);
    await all;
  });

  test("a long batch has a turn of its own, so that a revoke waits for few of them", async () => {
    const { records } = store;
    await open(records);
    const batch = (i: number) => times(50, (j) => ({ agentId: `a${i}`, namespace: `n${j}`, allowed: true }));
    const flood = times(30, (i) => records.policy.setAll(batch(i), by("flood")));
    const revoke = records.policy.set({ agentId: "a", namespace: "n", allowed: false }, by("other"));
    const onRecord = await revoke.then(() => records.policy.version());
    expect(onRecord).toBeLessThan(15);
    const versions = (await Promise.all(flood)).map(({ version }) => version);
    expect(new Set(versions).size).toBe(flood.length);
  });

  test("changes of the policy that share a turn have a version each, and fail or succeed by themselves", async () => {
    const names = fc.constantFrom("one", "оne", "two", "__proto__");
    const rules = fc.record({ agentId: names, namespace: names, allowed: fc.boolean() });
    await fc.assert(
      fc.asyncProperty(fc.array(rules, { maxLength: 30 }), async (asked) => {
        const records = await store.restart({ namespaces: 3, policyRules: 4, namespaceRules: 3 });
        await records.reset([], policyFrom([]), STAMP);
        const first = await records.policy.version();
        const [{ sequence: before = 0 } = {}] = (await records.decisions.page({ limit: 1 })).decisions;
        const results = await Promise.allSettled(
          asked.map((rule, i) =>
            records.policy.set(rule, { ...by(`caller ${i % 3}`), decision: decision({ route: `set ${i}` }) }),
          ),
        );
        const changes = await records.policy.changesFrom({ version: first + 1, rules: 0 }, 1_000);
        expect(changes.map(({ version }) => version)).toEqual(changes.map((_, i) => first + 1 + i));

        // Each change was made of what the one before it left.
        const rules = new Map<string, boolean | null>();
        for (const { agentId, namespace, from, to } of changes) {
          const key = JSON.stringify([agentId, namespace]);
          expect(from).toBe(rules.get(key) ?? null);
          expect(to).toBe(from !== true);
          rules.set(key, to);
        }
        const rulesLeft = [...rules].map(([key, allowed]) => {
          const [agentId, namespace] = JSON.parse(key) as [string, string];
          return { agentId, namespace, allowed: allowed === true };
        });
        const { policy, version } = await records.policy.current();
        expect(policy).toEqual(policyFrom(rulesLeft));
        expect(version).toBe(changes.at(-1)?.version ?? first);

        // Whoever was told a version that changed its rule made that change, and those of a caller are in order.
        for (const [i, rule] of asked.entries()) {
          const result = results[i];
          if (result?.status !== "fulfilled") {
            expect(rule.allowed).toBe(true);
            expect(["limit-reached", "confusable-name"]).toContain(result?.reason.code);
            continue;
          }
          const upTo = changes.filter((change) => change.version <= result.value.version);
          const last = upTo.findLast((change) => isOf(rule, change))?.to ?? false;
          expect(last).toBe(rule.allowed);
        }
        for (const caller of [0, 1, 2]) {
          const versions = results.flatMap((result, i) =>
            i % 3 === caller && result.status === "fulfilled" ? result.value.version : [],
          );
          expect(versions).toEqual(versions.toSorted((a, b) => a - b));
        }

        const { decisions } = await records.decisions.page({ limit: 100 });
        const recorded = decisions.filter(({ sequence }) => sequence > before).map(({ route }) => route);
        const made = results.flatMap(({ status }, i) => (status === "fulfilled" ? `set ${i}` : []));
        expect(recorded.toSorted()).toEqual(made.toSorted());
      }),
      { numRuns: runs(15) },
    );
    const { hashes, log } = await store.records.audit(async ({ rows }) => ({
      hashes: await Array.fromAsync(rows("policyChain")),
      log: await Array.fromAsync(rows("change")),
    }));
    const bit = (value: number | null) => (value === null ? null : value === 1);
    for (const [i, { version, chainHash }] of hashes.entries()) {
      if (i === 0) continue;
      const made = log.filter((change) => change.version === version);
      const plain = made.map(({ was, became, ...rule }) => ({ ...rule, from: bit(was), to: bit(became) }));
      expect(chainHash).toBe(nextChainHash(hashes[i - 1]?.chainHash ?? "", version, plain.toReversed()));
    }
  });

  test("of forgets that share a turn, one has each memory, and each has its decision, event and tombstone", async () => {
    const { records } = store;
    const memories = await Promise.all(times(6, (i) => capture(records, i)));
    const ids = memories.map(({ memoryId }) => memoryId);
    // One of them is history.
    await capture(records, 9, { supersedes: ids[5] ?? "" });
    const asked = [ids.slice(0, 2), ids.slice(1, 4), ["mem_none"], ids.slice(3, 6), ids.slice(0, 1)];
    const { position } = await records.changeFeed.since({ position: 0, policyVersion: -1 });
    const results = await Promise.all(
      asked.map((memoryIds, i) =>
        records.memories.forget(
          { memoryIds, cause: "forgotten", reason: `reason ${i}` },
          { ...by(`caller ${i}`), decision: decision({ route: `forget ${i}` }) },
        ),
      ),
    );
    const gone = results.flatMap((each, i) => each.map(({ tombstone }) => ({ i, tombstone })));
    expect(gone.map(({ tombstone }) => tombstone.memoryId).toSorted()).toEqual(ids.toSorted());
    for (const { i, tombstone } of gone) {
      expect(asked[i]).toContain(tombstone.memoryId);
      expect(tombstone).toMatchObject({ reason: `reason ${i}`, forgottenBy: `caller ${i}`, cause: "forgotten" });
      expect((await records.memories.tombstone(tombstone.memoryId))?.tombstone).toEqual(tombstone);
    }
    const { decisions } = await records.decisions.page({ limit: 100 });
    const routes = decisions.map(({ route }) => route).filter((route) => route.startsWith("forget "));
    const expected = results.flatMap((each, i) => (each.length > 0 ? `forget ${i}` : []));
    expect(routes.toSorted()).toEqual(expected.toSorted());
    expect(await records.memories.findAll(ids)).toEqual(new Map());
    const after = await records.changeFeed.since({ position, policyVersion: -1 });
    expect(after.position).toBe(position + 5);
    expect((await records.memories.counts()).byNamespace).toEqual(new Map([["n", 1]]));
  });

  test("forgets, captures with a key and changes of the policy at once leave what a sequence of them could", async () => {
    const { records } = store;
    await open(records);
    const keyed = await capture(records, 0, { key: "k" });
    const [forgotten, ...captured] = await Promise.all([
      forget(records, keyed),
      ...times(5, (i) => capture(records, i + 1, { key: "k" })),
      records.policy.set({ agentId: "a", namespace: "n", allowed: false }, STAMP),
    ]);
    expect(forgotten).toHaveLength(1);
    const current = await records.memories.findByKey({ namespace: "n", sourceAgent: "s", key: "k" });
    expect(captured.map((each) => ("memoryId" in each ? each.memoryId : ""))).toContain(current?.memoryId);
    expect((await records.memories.counts()).byNamespace).toEqual(new Map([["n", 1]]));
    expect((await records.policy.current()).policy.a?.n).toBe(false);
  });
}

const isOf = (rule: Omit<RuleChange, "from" | "to">, change: Omit<RuleChange, "from" | "to">): boolean =>
  rule.agentId === change.agentId && rule.namespace === change.namespace;
