// Whatever is captured, corrected, forgotten, expired, pinned and reset: the store has what a model of it has.
import fc from "fast-check";
import { expect, test } from "vitest";
import { policyFrom } from "#core/gate/policy.ts";
import type { ForgetCause } from "#core/tombstone.ts";
import type { MemoryOnRecord, RecordStore } from "#ports.ts";
import { readChanges } from "#test/support/read-changes.ts";
import { runs } from "#test/support/runs.ts";
import { FAR_OFF, LONG_AGO, newMemory, STAMP, tally } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

interface Model {
  /** By id. */
  readonly current: Map<string, MemoryOnRecord>;
  /** The id of the successor, by id. */
  readonly history: Map<string, string>;
  readonly forgotten: Map<string, ForgetCause>;
  readonly expiring: Set<string>;
}

const place = fc.nat({ max: 9 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("capture" as const),
      key: fc.constantFrom(undefined, "k", "l"),
      namespace: fc.constantFrom("n", "m"),
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("correct" as const), place }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant("forget" as const),
      places: fc.array(place, { minLength: 1, maxLength: 3 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("expire" as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("pin" as const), place }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("reset" as const) }) },
);
type Step = typeof step extends fc.Arbitrary<infer S> ? S : never;

const nth = (ids: Iterable<string>, i: number): string => {
  const all = [...ids];
  return all[i % all.length] ?? "none";
};

export function lifeOfMemoriesSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);

  test("lists, counts, heads, tombstones and the audit agree after any sequence of changes", async () => {
    const model: Model = { current: new Map(), history: new Map(), forgotten: new Map(), expiring: new Set() };
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        for (const each of steps) await apply(store.records, model, each);
        await compare(store.records, model);
      }),
      { numRuns: runs(12) },
    );
  });
}

async function apply({ memories, reset }: RecordStore, model: Model, each: Step): Promise<void> {
  const { current, history, forgotten, expiring } = model;
  const supersede = (id: string, by: string) => {
    if (current.delete(id)) history.set(id, by);
  };
  const forget = (id: string, cause: ForgetCause) => {
    if (current.delete(id) || history.delete(id)) forgotten.set(id, cause);
  };
  switch (each.kind) {
    case "capture": {
      const { namespace, key } = each;
      const memory = newMemory("fact", { namespace, ...(key !== undefined && { key }) });
      const held = [...current.values()].find((other) => key && other.key === key && other.namespace === namespace);
      const recorded = await memories.add(memory);
      if (held !== undefined) supersede(held.memoryId, memory.memoryId);
      current.set(memory.memoryId, recorded);
      break;
    }
    case "correct": {
      const supersedes = nth(current.keys(), each.place);
      const { namespace } = current.get(supersedes) ?? { namespace: "n" };
      const memory = newMemory("corrected", { namespace, supersedes, expiresAt: FAR_OFF });
      const adding = memories.add(memory);
      if (!current.has(supersedes)) return expect(adding).rejects.toMatchObject({ code: "not-found" });
      await adding;
      supersede(supersedes, memory.memoryId);
      current.set(memory.memoryId, memory);
      break;
    }
    case "forget": {
      const memoryIds = each.places.map((i) => nth([...current.keys(), ...history.keys()], i));
      const wanted = new Set(memoryIds.filter((id) => current.has(id) || history.has(id)));
      const gone = await memories.forget({ memoryIds, cause: "forgotten" }, STAMP);
      expect(new Set(gone.map(({ tombstone }) => tombstone.memoryId))).toEqual(wanted);
      for (const id of wanted) forget(id, "forgotten");
      break;
    }
    case "expire": {
      const memory = newMemory("expiring", { expiresAt: LONG_AGO });
      await memories.add(memory);
      expiring.add(memory.memoryId);
      expect(await memories.forgetExpired(99)).toBe(expiring.size);
      for (const id of expiring) forgotten.set(id, "expired");
      expiring.clear();
      break;
    }
    case "pin": {
      const id = nth(current.keys(), each.place);
      const memory = current.get(id);
      const outcome = await memories.setPinned({ memoryId: id, pinned: true, limit: 99 }, STAMP);
      expect(outcome.kind).toBe(memory === undefined ? "not-found" : "set");
      if (memory !== undefined) current.set(id, { ...memory, pinned: true });
      break;
    }
    case "reset": {
      const seed = newMemory("seed");
      await reset([seed], policyFrom([]), STAMP);
      for (const id of [...current.keys(), ...history.keys()]) forget(id, "reset");
      current.set(seed.memoryId, seed);
    }
  }
}

async function compare({ memories, changeFeed, audit }: RecordStore, model: Model): Promise<void> {
  const { current, history, forgotten } = model;
  const listed = (await memories.page({ limit: 999 })).memories;
  expect(new Map(listed.map((memory) => [memory.memoryId, memory]))).toEqual(current);
  const old = (await memories.page({ limit: 999, superseded: true })).memories;
  expect(new Map(old.map(({ memoryId, supersededBy }) => [memoryId, supersededBy]))).toEqual(history);
  for (const [id, cause] of forgotten) expect((await memories.tombstone(id))?.tombstone.cause).toBe(cause);
  for (const id of [...current.keys(), ...history.keys()]) expect(await memories.tombstone(id)).toBeUndefined();

  const byNamespace = tally([...current.values()].map(({ namespace }) => namespace));
  expect((await memories.counts()).byNamespace).toEqual(byNamespace);
  const { heads, changes } = await readChanges(changeFeed);
  for (const { namespace, memories: count, head } of heads) {
    expect(count).toBe(byNamespace.get(namespace) ?? 0);
    expect(head).toBe(changes.findLast((change) => change.namespace === namespace)?.sequence);
  }

  const seen = await audit(async ({ rows }) => ({
    counters: (await Array.fromAsync(rows("counters")))[0],
    sequences: [
      ...(await Array.fromAsync(rows("memory"))).map(({ sequence }) => sequence),
      ...(await Array.fromAsync(rows("forgotten"))).flatMap(({ sequence, captured }) => [sequence, captured]),
      ...(await Array.fromAsync(rows("pin"))).map(({ sequence }) => sequence),
    ],
    namespaces: await Array.fromAsync(rows("namespace")),
    agents: await Array.fromAsync(rows("sourceAgent")),
  }));
  // Every number is taken once.
  expect(seen.sequences.sort((a, b) => a - b)).toEqual(
    Array.from({ length: seen.counters?.memory ?? 0 }, (_, i) => i + 1),
  );
  expect(seen.counters).toMatchObject({ memories: current.size, namespacesCounted: byNamespace.size });
  for (const each of [...seen.namespaces, ...seen.agents]) expect(each.memories ?? 0).toBe(each.recorded ?? 0);
}
