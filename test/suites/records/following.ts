// Indices that follow the change feed, each as a replica has it, while others write. Every recall must see one moment.
import fc from "fast-check";
import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { Memory } from "#core/memory.ts";
import type { MemoryChange } from "#core/recall/recall-index.ts";
import type { ChangeFeed } from "#ports.ts";
import { followerOf } from "#test/support/recall-gate.ts";
import { runs } from "#test/support/runs.ts";
import { newMemory, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const NAMESPACES = ["a", "b", "__proto__"];
const AGENTS = ["x", "y"];
const namespaces = fc.constantFrom(...NAMESPACES);

type Step =
  | { readonly kind: "capture"; readonly into: readonly string[] }
  | { readonly kind: "reset"; readonly into: readonly string[]; readonly allowed: boolean }
  | { readonly kind: "access"; readonly agentId: string; readonly namespace: string; readonly allowed: boolean };

const steps: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant("capture"), into: fc.array(namespaces, { maxLength: 4 }) }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant("reset"), into: fc.array(namespaces), allowed: fc.boolean() }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("access"),
      agentId: fc.constantFrom(...AGENTS),
      namespace: namespaces,
      allowed: fc.boolean(),
    }),
  },
) as fc.Arbitrary<Step>;

/** What is on record at one moment. */
interface Moment {
  readonly version: number;
  /** By namespace. */
  readonly contents: ReadonlyMap<string, ReadonlySet<string>>;
}

export function followingSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("every recall sees the policy and the memories of one moment, and each index ends like one built anew", async () => {
    const questions = fc.array(fc.record({ replica: fc.nat({ max: 1 }), agentId: fc.constantFrom(...AGENTS) }), {
      maxLength: 8,
    });
    await fc.assert(
      fc.asyncProperty(fc.scheduler(), fc.array(steps, { maxLength: 8 }), questions, async (s, writes, asked) => {
        const { records } = store;
        await records.reset([], policyFrom([]), STAMP);
        const replicas = [0, 1].map(() => replica(scheduled(s, records.changeFeed)));
        const history: Moment[] = [await momentOf()];
        const writing = (async () => {
          for (const step of writes) {
            await s.schedule(Promise.resolve());
            await write(step);
            history.push(await momentOf());
          }
        })();
        const asking = asked.map(async ({ replica: number, agentId }) => {
          await s.schedule(Promise.resolve());
          const acknowledged = history.length - 1;
          const seen = await replicas[number]?.ask(agentId);
          return { acknowledged, seen };
        });
        await s.waitFor(Promise.all([writing, ...asking]));
        for (const { acknowledged, seen } of await Promise.all(asking)) {
          const possible = history.slice(acknowledged);
          expect(possible.some((moment) => seen !== undefined && isOf(seen, moment, history.at(-1)))).toBe(true);
        }
        for (const { follower, contents } of replicas) {
          await s.waitFor(follower.followAll());
          expect(contents()).toEqual(history.at(-1)?.contents);
        }
      }),
      { numRuns: runs(60) },
    );
  });

  async function write(step: Step): Promise<void> {
    const { records } = store;
    if (step.kind === "access") return void (await records.policy.set(step, STAMP));
    const memories = step.into.map((namespace, i) => newMemory(`${namespace} ${i} ${Math.random()}`, { namespace }));
    if (step.kind === "capture") return void (await Promise.all(memories.map((each) => records.memories.add(each))));
    const rules = NAMESPACES.map((namespace) => ({ agentId: "x", namespace, allowed: step.allowed }));
    await records.reset(memories, policyFrom(rules), STAMP);
  }

  /** Nothing is written meanwhile. */
  async function momentOf(): Promise<Moment> {
    const { memories } = await store.records.memories.page({ limit: 1_000 });
    const { version } = await store.records.policy.current();
    return { version, contents: byNamespace(memories) };
  }
}

function byNamespace(memories: readonly Memory[]): Map<string, Set<string>> {
  const grouped = Map.groupBy(memories, ({ namespace }) => namespace);
  return new Map([...grouped].map(([namespace, all]) => [namespace, new Set(all.map(({ content }) => content))]));
}

/** The feed, whose answers come in the order that the scheduler chooses. */
function scheduled(s: fc.Scheduler, changeFeed: ChangeFeed): ChangeFeed {
  return {
    since: (cursor) => s.schedule(changeFeed.since(cursor)),
    changesIn: (range) => s.schedule(changeFeed.changesIn(range)),
  };
}

/** An index that keeps texts, and its follower. It refuses a change that comes twice or out of order. */
function replica(changeFeed: ChangeFeed) {
  const index = new Map<string, Map<number, string>>();
  const positions = new Map<string, number>();

  function apply(change: MemoryChange): void {
    const { namespace, sequence } = change;
    expect(sequence).toBeGreaterThan(positions.get(namespace) ?? 0);
    positions.set(namespace, sequence);
    const partition = index.get(namespace) ?? new Map<number, string>();
    index.set(namespace, partition);
    if (change.kind === "captured") partition.set(sequence, change.content);
    else if (change.kind === "forgotten") partition.delete(change.captured);
  }

  const contentsOf = (namespace: string) => new Set(index.get(namespace)?.values());
  const follower = followerOf(changeFeed, { apply });
  return {
    follower,
    ask: (agentId: string) =>
      follower.whenCaughtUp(agentId, ({ policyVersion, allowed, blocked }) => ({
        version: policyVersion,
        existing: [...allowed, ...blocked],
        contents: new Map(allowed.map((namespace) => [namespace, contentsOf(namespace)])),
      })),
    contents: () =>
      new Map([...index.keys()].filter((name) => contentsOf(name).size > 0).map((name) => [name, contentsOf(name)])),
  };
}

type Seen = Awaited<ReturnType<ReturnType<typeof replica>["ask"]>>;

/** A memory that was forgotten after the moment may be missing: the feed no longer has it. */
function isOf(seen: Seen, { version, contents }: Moment, last: Moment | undefined): boolean {
  const sameNamespaces = seen.existing.toSorted().join("\n") === [...contents.keys()].sort().join("\n");
  return (
    sameNamespaces &&
    seen.version === version &&
    [...seen.contents].every(([namespace, texts]) => {
      const then = contents.get(namespace) ?? new Set();
      const now = last?.contents.get(namespace) ?? new Set();
      const missing = [...then].filter((text) => !texts.has(text));
      return [...texts].every((text) => then.has(text)) && missing.every((text) => !now.has(text));
    })
  );
}
