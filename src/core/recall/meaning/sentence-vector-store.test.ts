import fc from "fast-check";
import { expect, test } from "vitest";
import { createSentenceVectorStore } from "./sentence-vector-store.ts";

test("the store keeps exactly the vectors of memories that were taken and are not forgotten", () => {
  const step = fc.oneof(
    fc.record({ kind: fc.constant("capture" as const), namespace: fc.constantFrom("a", "b", "c") }),
    fc.record({ kind: fc.constant("take" as const) }),
    fc.record({ kind: fc.constant("forget" as const), pick: fc.nat() }),
  );
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), (steps) => {
      const store = createSentenceVectorStore();
      const namespaces = new Map<number, string>();
      const embedded = new Set<number>();
      let sequence = 0;
      for (const each of steps) {
        if (each.kind === "capture") {
          sequence += 1;
          namespaces.set(sequence, each.namespace);
          store.captured(each.namespace, sequence);
        } else if (each.kind === "take") {
          const taken = store.take();
          const waiting = [...namespaces.keys()].filter((known) => !embedded.has(known));
          if (taken === undefined) {
            expect(waiting).toEqual([]);
            continue;
          }
          const inNamespace = waiting.filter((known) => namespaces.get(known) === namespaces.get(taken));
          expect(taken).toBe(Math.max(...inNamespace));
          store.put(taken, Int8Array.of(taken % 100, 1, 2));
          embedded.add(taken);
        } else {
          const captured = [...namespaces.keys()];
          const forgotten = captured[each.pick % captured.length];
          if (forgotten === undefined) continue;
          store.forgotten(namespaces.get(forgotten) as string, forgotten);
          namespaces.delete(forgotten);
          embedded.delete(forgotten);
        }
        expect(store.counts()).toEqual({ embedded: embedded.size, waiting: namespaces.size - embedded.size });
      }
      for (let known = 1; known <= sequence; known++) {
        const expected = embedded.has(known) ? Int8Array.of(known % 100, 1, 2) : undefined;
        expect(store.vectorOf(known)).toEqual(expected);
      }
    }),
  );
});

test("a memory that is forgotten while its vector is made gets none", () => {
  const store = createSentenceVectorStore();
  store.captured("a", 1);
  expect(store.take()).toBe(1);
  store.forgotten("a", 1);
  store.put(1, Int8Array.of(1));
  expect(store.vectorOf(1)).toBeUndefined();
  expect(store.counts()).toEqual({ embedded: 0, waiting: 0 });
});

test("the store gives back the room of forgotten memories, and keeps the vectors of the others", () => {
  const store = createSentenceVectorStore();
  const vectorOf = (sequence: number) => Int8Array.of(sequence % 100, sequence >> 7);
  for (let sequence = 1; sequence <= 3_000; sequence++) {
    store.captured("a", sequence);
    store.put(store.take() as number, vectorOf(sequence));
  }
  expect(store.room()).toBeGreaterThanOrEqual(3_000);
  for (let sequence = 1; sequence <= 3_000; sequence++) if (sequence % 30 !== 7) store.forgotten("a", sequence);
  expect(store.room()).toBeLessThan(1_500);
  for (let sequence = 7; sequence <= 3_000; sequence += 30)
    expect(store.vectorOf(sequence)).toEqual(vectorOf(sequence));
});
