import fc from "fast-check";
import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { MemoryOnRecord } from "#ports.ts";
import { BEGINNING, readChanges } from "#test/support/read-changes.ts";
import { runs } from "#test/support/runs.ts";
import { AT, newMemory, randomMemory, STAMP, tally } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const EMPTY = policyFrom([]);

export function changeFeedSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = (namespace: string, ...contents: string[]) =>
    Promise.all(contents.map((content) => store.records.memories.add(newMemory(content, { namespace }))));

  test("a namespace gives each of its changes once, in the order of commits, over several reads", async () => {
    const expected = Array.from({ length: 3_000 }, (_, i) => String(i));
    const others = expected.map((content) => `other ${content}`);
    await Promise.all([capture("n", ...expected), capture("m", ...others)]);
    const { heads } = await store.records.changeFeed.since(BEGINNING);
    const through = heads.find(({ namespace }) => namespace === "n")?.head ?? 0;
    const changes = [];
    for (let after = 0; after < through; ) {
      const page = await store.records.changeFeed.changesIn({ namespace: "n", after, through });
      expect(page.position).toBeGreaterThan(after);
      changes.push(...page.changes);
      after = page.position;
    }
    expect(changes.map((change) => (change.kind === "captured" ? change.content : ""))).toEqual(expected);
    expect(isAscending(changes.map(({ sequence }) => sequence))).toBe(true);
  });

  test("changes are read up to the end of the range, and not beyond it", async () => {
    const { changeFeed } = store.records;
    await capture("n", "a", "b");
    const first = await changeFeed.since(BEGINNING);
    await capture("n", "c");
    const page = await changeFeed.changesIn({ namespace: "n", after: 1, through: first.position });
    expect(page).toEqual({
      changes: [{ kind: "captured", sequence: 2, namespace: "n", content: "b", createdAt: AT }],
      position: first.position,
    });
    expect(await changeFeed.changesIn({ namespace: "m", after: 0, through: 9 })).toEqual({ changes: [], position: 9 });
  });

  test("the longest memories come in several reads, and none is lost", async () => {
    const long = Array.from({ length: 200 }, (_, i) => `${i} ${"\u{1f600}".repeat(3_990)}`);
    await capture("n", ...long);
    const { changes } = await readChanges(store.records.changeFeed);
    expect(changes.map((change) => change.kind === "captured" && change.content)).toEqual(long);
  });

  test("the heads of a snapshot are in the UTF-8 order of the namespaces", async () => {
    for (const namespace of ["b", "é", "a", "Z", "\u{1f642}", "\uff21"]) await capture(namespace, "fact");
    const { heads } = await store.records.changeFeed.since(BEGINNING);
    expect(heads.map(({ namespace }) => namespace)).toEqual(["Z", "a", "b", "é", "\uff21", "\u{1f642}"]);
  });

  test("a snapshot has the heads and the policy of one moment, and of each only what changed", async () => {
    const { records } = store;
    await capture("n", "a");
    await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
    const first = await records.changeFeed.since(BEGINNING);
    expect(first).toEqual({
      heads: [{ namespace: "n", memories: 1, isEncrypted: false, head: 1 }],
      position: 1,
      removals: 0,
      policyVersion: 1,
      policy: {
        kind: "whole",
        rules: [{ agentId: "x", namespace: "n", allowed: true }],
        digest: expect.stringMatching(/^[0-9a-f]{64}$/),
      },
    });
    const { position, policyVersion } = first;
    expect(await records.changeFeed.since(first)).toEqual({ heads: [], position, removals: 0, policyVersion });

    await capture("m", "b");
    const second = await records.changeFeed.since(first);
    const heads = [{ namespace: "m", memories: 1, isEncrypted: false, head: 2 }];
    expect(second).toEqual({ heads, position: 2, removals: 0, policyVersion });
    await records.policy.set({ agentId: "x", namespace: "n", allowed: false }, STAMP);
    expect(await records.changeFeed.since(second)).toMatchObject({ heads: [], position: 2, policyVersion: 2 });
  });

  test("a reset replaces memories and policy in one step, and the feed has every forgotten memory", async () => {
    const { records } = store;
    await capture("n", "a", "b");
    await capture("m", "c");
    await records.policy.set({ agentId: "x", namespace: "n", allowed: true }, STAMP);
    const cursor = await records.changeFeed.since(BEGINNING);
    const seed = [newMemory("seed 1"), newMemory("seed 2")];
    await records.reset(seed, policyFrom([{ agentId: "y", namespace: "m", allowed: true }]), STAMP);

    const { memories } = await records.memories.page({ limit: 100 });
    expect(memories.map(({ content }) => content)).toEqual(["seed 2", "seed 1"]);
    const { heads, changes, removals, policy, policyVersion } = await readChanges(records.changeFeed, cursor);
    expect(removals).toBeGreaterThan(cursor.removals);
    expect(heads).toEqual([
      { namespace: "m", memories: 0, isEncrypted: false, head: 6 },
      { namespace: "n", memories: 2, isEncrypted: false, head: 8 },
    ]);
    expect(changes.map(({ kind }) => kind)).toEqual(["forgotten", "forgotten", "forgotten", "captured", "captured"]);
    expect(policyVersion).toBe(2);
    const rules = [
      { agentId: "x", namespace: "n", to: null },
      { agentId: "y", namespace: "m", to: true },
    ];
    expect(policy).toMatchObject({ kind: "changes", changes: rules });
  });

  test("heads and counts agree with the memories on record, whatever was captured and reset", async () => {
    const { records } = store;
    let recorded: MemoryOnRecord[] = [];
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(fc.integer({ min: 0, max: 6 }), { maxLength: 8 }), async (steps) => {
        for (const step of steps) {
          const memories = Array.from({ length: step }, () => randomMemory(++number));
          if (step === 6) {
            await records.reset(memories, EMPTY, STAMP);
            recorded = memories;
          } else {
            await Promise.all(memories.map((memory) => records.memories.add(memory)));
            recorded.push(...memories);
          }
        }
        const byNamespace = tally(recorded.map(({ namespace }) => namespace));
        const bySourceAgent = tally(recorded.map(({ sourceAgent }) => sourceAgent));
        expect(await records.memories.counts()).toEqual({
          byNamespace,
          bySourceAgent,
          sourceAgents: bySourceAgent.size,
        });
        const { heads, changes } = await readChanges(records.changeFeed);
        for (const { namespace, memories, head } of heads) {
          expect(memories).toBe(byNamespace.get(namespace) ?? 0);
          expect(head).toBe(changes.findLast((change) => change.namespace === namespace)?.sequence);
        }
        expect(heads.filter(({ memories }) => memories > 0)).toHaveLength(byNamespace.size);
      }),
      { numRuns: runs(15) },
    );
  });
}

function isAscending(numbers: readonly number[]): boolean {
  return numbers.every((number, i) => i === 0 || number > (numbers[i - 1] as number));
}
