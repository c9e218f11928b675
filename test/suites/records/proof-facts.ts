// Facts of forgotten memories are kept as long as a receipt on record names their blob.
import fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { policyFrom } from "#core/gate/policy.ts";
import { anchorOf, newMemory, receipt, STAMP } from "./samples.ts";
import { type Prepare, storeForEach } from "./store-under-test.ts";

const naming = (i: number, ...storeRefs: string[]) => {
  const { answerId } = receipt(i);
  return receipt(i, { body: JSON.stringify({ answerId, usedMemories: storeRefs.map((storeRef) => ({ storeRef })) }) });
};
const memoryAt = (storeRef: string) => newMemory(`fact at ${storeRef}`, { storeRef });
const textAt = (storeRef: string) =>
  canonicalJson({ content: `fact at ${storeRef}`, namespace: "n", sourceAgent: "s" });
const NOTHING = policyFrom([]);

export function proofFactSuite(prepare: Prepare): void {
  const store = storeForEach(prepare);
  const capture = async (...refs: string[]) => {
    for (const ref of refs) await store.records.memories.add(memoryAt(ref));
  };
  const resetAll = () => store.records.reset([], NOTHING, STAMP);
  const kept = async (...refs: string[]) => {
    const texts = await Promise.all(refs.map((ref) => store.records.blobTexts.find(ref)));
    for (const [i, text] of texts.entries()) expect([undefined, textAt(refs[i] ?? "")]).toContain(text);
    return refs.filter((_, i) => texts[i] !== undefined);
  };
  const forgotten = async () => (await store.records.blobTexts.forgotten({ limit: 10 })).map(({ blobId }) => blobId);

  test("a reset keeps what complete, opened and foreign anchored receipts name, and nothing else", async () => {
    const { receipts, anchors } = store.records;
    await capture("a", "b", "c", "d", "e");
    await receipts.add(naming(1, "a", "b", "unknown"));
    await receipts.open(naming(2, "c"));
    await anchors.add(anchorOf(naming(3, "d"), { issued: false }));
    await resetAll();
    await store.restart();
    expect(await kept("a", "b", "c", "d", "e", "unknown")).toEqual(["a", "b", "c", "d"]);
    expect(await store.records.blobTexts.findCurrent("a")).toBeUndefined();
  });

  test("what is kept stays through further resets and captures, and no receipt is needed for what is on record", async () => {
    const { receipts, blobTexts } = store.records;
    await capture("a", "b");
    await receipts.add(naming(1, "a"));
    await resetAll();
    await resetAll();
    expect(await kept("a", "b")).toEqual(["a"]);
    await capture("a", "b");
    expect(await blobTexts.findCurrent("b")).toBe(textAt("b"));
    await receipts.add(naming(2, "b"));
    await resetAll();
    expect(await kept("a", "b")).toEqual(["a", "b"]);
  });

  test("what is kept goes with the last receipt that names it, and an anchored receipt stays", async () => {
    const { receipts, anchors, retention } = store.records;
    await capture("a", "b", "c", "d");
    const [first, second, third] = [naming(1, "a", "b", "c"), naming(2, "b"), naming(3, "c")];
    for (const each of [first, second, third]) await receipts.add(each);
    await receipts.open(naming(4, "d"));
    await anchors.add(anchorOf(third));
    await resetAll();
    await retention.remove({ answerIds: [first.answerId] });
    expect(await kept("a", "b", "c", "d")).toEqual(["b", "c", "d"]);
    await retention.remove({ answerIds: [second, third, naming(4)].map(({ answerId }) => answerId) });
    expect(await kept("a", "b", "c", "d")).toEqual(["c", "d"]);
    await receipts.breakOff({ answerId: naming(4).answerId, agentId: "a", at: STAMP.at, reason: "caller-gone" });
    await retention.remove({ answerIds: [naming(4).answerId] });
    expect(await kept("a", "b", "c", "d")).toEqual(["c"]);
  });

  test("those that anchored receipts name are listed, whenever they were anchored, in pages", async () => {
    const { receipts, anchors, blobTexts } = store.records;
    await capture("a", "b", "c", "d");
    const [first, second] = [naming(1, "a", "b"), naming(2, "b", "c")];
    for (const each of [first, second]) await receipts.add(each);
    await anchors.add(anchorOf(first));
    await anchors.add(anchorOf(naming(9, "d"), { issued: false }));
    const current = await blobTexts.count();
    expect(await forgotten()).toEqual([]);
    await resetAll();
    expect(await forgotten()).toEqual(["a", "b", "d"]);
    expect(await blobTexts.count()).toBe(current - 1);
    await anchors.add(anchorOf(second));
    expect(await blobTexts.forgotten({ limit: 2 })).toEqual(
      ["a", "b"].map((blobId) => ({ blobId, text: textAt(blobId) })),
    );
    expect(await blobTexts.forgotten({ after: "b", limit: 2 })).toMatchObject([{ blobId: "c" }, { blobId: "d" }]);
  });

  test("after any sequence of captures, receipts, resets and removals, exactly what receipts name is kept", async () => {
    const refs = ["a", "b", "c"];
    const subset = fc.subarray(refs, { minLength: 1 });
    const step = fc.oneof(
      fc.record({ kind: fc.constant("capture" as const), refs: subset }),
      fc.record({ kind: fc.constant("receipt" as const), refs: subset }),
      fc.record({ kind: fc.constant("reset" as const) }),
      fc.record({ kind: fc.constant("remove" as const), count: fc.integer({ min: 1, max: 3 }) }),
    );
    let number = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 4, maxLength: 12 }), async (steps) => {
        const { memories, receipts, retention } = store.records;
        const prefix = `${++number}`;
        const named = new Map<string, readonly string[]>();
        const present = new Set<string>();
        const isKept = new Set<string>();
        for (const each of steps) {
          switch (each.kind) {
            case "capture":
              for (const ref of each.refs) {
                const [storeRef, contentDigest] = [prefix + ref, `digest of ${prefix}${ref}`];
                await memories.add(newMemory(`fact at ${storeRef}`, { storeRef, contentDigest }));
                present.add(storeRef);
              }
              break;
            case "receipt": {
              // As the service does: a receipt names what was on record when it was made.
              const used = each.refs.map((ref) => prefix + ref).filter((ref) => present.has(ref));
              const issued = naming(++number, ...used);
              await receipts.add(issued);
              named.set(issued.answerId, used);
              break;
            }
            case "reset":
              await resetAll();
              for (const used of named.values()) for (const ref of used) isKept.add(ref);
              present.clear();
              break;
            case "remove": {
              // As the service does: the oldest first.
              const answerIds = [...named.keys()].slice(0, each.count);
              await retention.remove({ answerIds });
              for (const answerId of answerIds) named.delete(answerId);
              const still = new Set([...named.values()].flat());
              for (const ref of isKept) if (!still.has(ref)) isKept.delete(ref);
            }
          }
        }
        const all = refs.map((ref) => prefix + ref);
        expect(await kept(...all)).toEqual(all.filter((ref) => isKept.has(ref) || present.has(ref)));
        await resetAll();
        await retention.remove({ answerIds: [...named.keys()] });
        expect(await kept(...all)).toEqual([]);
      }),
      { numRuns: 25 },
    );
  });
}
