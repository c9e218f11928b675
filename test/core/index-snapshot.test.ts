import { createHash } from "node:crypto";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completed } from "#core/gate/gate.ts";
import { decodeSnapshot } from "#core/recall/index/snapshot-decoder.ts";
import { readQuestion } from "#core/recall/question.ts";
import { createRecallIndex } from "#core/recall/recall-index.ts";
import { embedLetters, namespaces, texts } from "#test/support/arbitraries.ts";
import { changesOf, histories, replay } from "#test/support/recall-history.ts";
import { runs } from "#test/support/runs.ts";

type RecallIndex = ReturnType<typeof createRecallIndex>;

const TABLE = "letters";
const POSITION = 1_000;
const read = (query: string) => readQuestion(query, new Date("2026-05-10T08:00:00Z"), embedLetters);
const snapshotOf = (index: RecallIndex, namespace: string) =>
  Buffer.concat([...(index.snapshot(namespace, POSITION, TABLE) ?? [])]);
const decode = (bytes: Uint8Array, table = TABLE) => completed(decodeSnapshot(bytes, table, embedLetters));

function copyOf(index: RecallIndex): RecallIndex {
  const copy = createRecallIndex({ embed: embedLetters });
  for (const namespace of index.namespaces()) {
    const restored = decode(snapshotOf(index, namespace));
    expect(restored).toMatchObject({ namespace, position: POSITION });
    if (restored !== undefined) copy.restore(restored);
  }
  return copy;
}

function expectSame(actual: RecallIndex, expected: RecallIndex, query: string, open: readonly string[]): void {
  const question = read(query);
  expect(completed(actual.rank(question, open))).toEqual(completed(expected.rank(question, open)));
  expect(completed(actual.search(question, open, 12))).toEqual(completed(expected.search(question, open, 12)));
  expect(actual.pinned(open, 12)).toEqual(expected.pinned(open, 12));
  expect([...actual.counts()].sort()).toEqual([...expected.counts()].sort());
}

describe("a snapshot of the index", () => {
  test("gives an index that answers as the original does, and goes on as it does", () => {
    fc.assert(
      fc.property(histories, fc.nat(40), texts, fc.uniqueArray(namespaces), (history, cut, query, open) => {
        const { changes } = changesOf(history);
        const original = createRecallIndex({ embed: embedLetters });
        for (const change of changes.slice(0, cut)) original.apply(change);
        const copy = copyOf(original);
        expectSame(copy, original, query, open);
        for (const change of changes.slice(cut)) for (const index of [copy, original]) index.apply(change);
        expectSame(copy, original, query, open);
      }),
      { numRuns: runs(200) },
    );
  });

  test("holds the bytes that an index built without the forgotten memories gives", () => {
    const kept = { kind: "captured" as const, namespace: "health", content: "My doctor is in Rome" };
    const secret = { kind: "captured" as const, namespace: "health", content: "I dislike zucchini" };
    const { index } = replay([kept, secret, { kind: "forgotten", which: 1 }]);
    const bytes = snapshotOf(index, "health");
    expect(bytes.includes("zucchini")).toBe(false);
    expect(bytes).toEqual(snapshotOf(replay([kept]).index, "health"));
  });

  test("holds the moment at which it was begun, whatever is applied before its last chunk is taken", () => {
    const memory = (i: number) => ({
      kind: "captured" as const,
      namespace: "n",
      content: `note ${i} on walnut ${i % 9}`,
    });
    const { index } = replay(Array.from({ length: 3_000 }, (_, i) => memory(i)));
    const expected = snapshotOf(index, "n");
    const chunks = [...(index.snapshot("n", POSITION, TABLE) ?? [])].length;
    const slow = (index.snapshot("n", POSITION, TABLE) ?? [])[Symbol.iterator]();
    const taken = [slow.next().value as Uint8Array];
    for (let i = 0; i < 3_000; i++) {
      index.apply({ ...memory(i), sequence: 5_000 + i, createdAt: "2026-05-01T00:00:00.000Z" });
      index.apply({ kind: "forgotten", sequence: 9_000 + i, namespace: "n", captured: i + 1 });
    }
    for (let next = slow.next(); next.done !== true; next = slow.next()) taken.push(next.value);
    expect(taken).toHaveLength(chunks);
    expect(Math.max(...taken.map(({ length }) => length))).toBeLessThanOrEqual(128 * 1024);
    expect(Buffer.concat(taken)).toEqual(expected);
  });

  test("holds how many terms were left out", () => {
    const bounds = { ofMemory: 8, ofNamespace: 2 };
    const { index } = replay([{ kind: "captured", namespace: "health", content: "peanut tea milk" }], { bounds });
    expect(index.leftOutTerms("health")).toBe(2);
    expect(copyOf(index).leftOutTerms("health")).toBe(2);
  });

  test("does not exist for a namespace without memories", () => {
    expect(createRecallIndex().snapshot("n", 1, TABLE)).toBeUndefined();
  });
});

describe("bytes that are not a snapshot", () => {
  const { index } = replay([
    { kind: "captured", namespace: "health", content: "peanut allergy since 2019" },
    { kind: "captured", namespace: "health", content: "peanut butter is out" },
    { kind: "pinned", which: 0, pinned: true },
  ]);
  const bytes = snapshotOf(index, "health");

  test("give nothing when another table of word vectors was used", () => {
    expect(decode(bytes)).toBeDefined();
    expect(decode(bytes, "another table")).toBeUndefined();
    expect(completed(decodeSnapshot(bytes, TABLE, () => undefined))).toBeUndefined();
  });

  test("give nothing at any length but the right one", () => {
    for (let length = 0; length < bytes.length; length++) expect(decode(bytes.subarray(0, length))).toBeUndefined();
    expect(decode(Buffer.concat([bytes, Buffer.alloc(1)]))).toBeUndefined();
  });

  test("never throw, and never make more memories than they have room for", () => {
    const damages = fc.array(fc.tuple(fc.nat(bytes.length - 1), fc.integer({ min: 0, max: 255 })), { minLength: 1 });
    fc.assert(
      fc.property(damages, (damage) => {
        const damaged = Buffer.from(bytes);
        for (const [at, byte] of damage) damaged[at] = byte;
        const restored = decode(damaged);
        expect(restored?.index.size() ?? 0).toBeLessThanOrEqual(bytes.length / 24);
      }),
      { numRuns: runs(2_000) },
    );
    fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), (random) => void expect(decode(random)).toBeUndefined()));
  });

  test.each([
    ["memories", 2 ** 40],
    ["entries", 2 ** 50],
    ["dimensions", 2 ** 50],
    ["terms", 2 ** 20 + 1],
    ["memories", -1],
    ["memories", 0.5],
    ["memories", 0],
    ["position", 1],
    ["pinned", [2 ** 40]],
    ["pinned", "all"],
    ["namespace", 7],
  ])("give nothing when the header says %s: %j", (name, value) => {
    const length = bytes.readUInt32LE(8);
    const header = { ...JSON.parse(bytes.subarray(12, 12 + length).toString()), [name]: value };
    const json = Buffer.from(JSON.stringify(header));
    const size = Buffer.alloc(4);
    size.writeUInt32LE(json.length);
    const changed = Buffer.concat([bytes.subarray(0, 8), size, json, bytes.subarray(12 + length)]);
    expect(decode(changed)).toBeUndefined();
  });
});

test("the version of snapshots is raised when a memory gives other terms than before", () => {
  const contents = [
    "Allergic to peanuts since 2019-04-30; the doctor's number is 0611 22 33.",
    "Mañana a las 8: café con José, naïve façade, Straße, İstanbul.",
    "會議在星期五下午三點 — встреча в пятницу, 5 мая 2026",
    "May 5th, on Friday, I can't come; they've moved the dentist's appointment to 12/06/2026.",
  ];
  const facts = [...contents.map((content) => ({ content })), { content: "Flew to Rome.", occurredAt: "2026-05-07" }];
  const { index } = replay(facts.map((fact) => ({ kind: "captured" as const, namespace: "health/notes", ...fact })));
  const digest = createHash("sha256").update(snapshotOf(index, "health/notes")).digest("hex");
  // If this fails, raise VERSION in core/recall/index/snapshot.ts, and write the new digest here.
  expect(digest).toBe("1a7a7fd7378291abacc4ee8c2bd06cbabbbb8574d38f773ae4b7de9849ee1708");
});
