// An export that a stranger made and signed: whatever its records hold, it is refused before anything is recorded.
import { beforeAll, expect, test } from "vitest";
import type { ExportKind, ExportRecord, RecordOf } from "#core/transfer/export-format.ts";
import { changingNothing, serviceForTest, sharedService } from "#test/support/service.ts";
import { type Exported, exportOf, importInto, signedByStranger } from "./exported.ts";

let exported: Exported;
const service = sharedService({ environment: { SEED: "none" } });

beforeAll(async () => {
  const { startService } = await import("#test/support/start-service.ts");
  const from = await startService();
  const { receipt } = await from.client.chat({ agentId: "assistant", query: "What do I eat?" });
  await from.client.anchorReceipt({ answerId: receipt.answerId });
  exported = await exportOf(from.client);
  await from.stop();
});

/** The export with other lines for the first record of the kind. */
function withRecord<Kind extends ExportKind>(kind: Kind, change: (record: RecordOf<Kind>) => object): string[] {
  const { header, records } = exported;
  const at = records.findIndex((each) => each.kind === kind);
  expect(at).toBeGreaterThanOrEqual(0);
  const record = change(records[at] as ExportRecord as RecordOf<Kind>);
  return [header, ...records.with(at, record as ExportRecord)].map((line) => JSON.stringify(line));
}

async function refused(lines: readonly string[]): Promise<void> {
  const { text, key } = signedByStranger(lines);
  const to = service();
  await changingNothing(to, () =>
    expect(importInto(to.client, text, { key })).rejects.toMatchObject({ code: "export-damaged" }),
  );
  expect((await to.client.listReceipts({})).receipts).toEqual([]);
}

test("what the stranger signed without a change is imported", async () => {
  const to = await serviceForTest({ environment: { SEED: "none" } });
  const { text, key } = signedByStranger(withRecord("memory", (record) => record));
  expect((await importInto(to.client, text, { key })).added).toMatchObject({ receipt: 1, anchor: 1 });
});

test.for([
  ["NUL", "a\0b"],
  ["ESC", "a\u001bb"],
  ["a lone surrogate", "a\ud800b"],
  ["too many characters", "a".repeat(8_001)],
  ["nothing but spaces", "  "],
])("the content of a memory with %s is refused", ([, content = ""]) =>
  refused(withRecord("memory", ({ memory, ...record }) => ({ ...record, memory: { ...memory, content } }))),
);

test.for([
  ["key", "a\0b"],
  ["namespace", "a\0b"],
  ["sourceAgent", "a\u001bb"],
  ["occurredAt", "yesterday"],
  ["metadata", { a: "b\0" }],
] as const)("a memory with another %s than a capture takes is refused", ([field, value]) =>
  refused(withRecord("memory", ({ memory, ...record }) => ({ ...record, memory: { ...memory, [field]: value } }))),
);

test("a line that is nested too deep is refused", async () => {
  const [header = "", ...lines] = withRecord("memory", (record) => record);
  await refused([header, "[".repeat(20_000), ...lines]);
  await refused(["[".repeat(20_000), ...lines]);
});

test("texts that no database keeps as they are, are refused wherever they are", async () => {
  for (const principalName of ["a\0b", "a\ud800b"])
    await refused(withRecord("decision", (record) => ({ ...record, principalName })));
  await refused(withRecord("memory", ({ memory, ...rest }) => ({ ...rest, memory: { ...memory, supersedes: "a\0" } })));
});

test("a text with a character beyond the first plane is imported", async () => {
  const to = await serviceForTest({ environment: { SEED: "none" } });
  const { text, key } = signedByStranger(withRecord("decision", (record) => ({ ...record, principalName: "a😀" })));
  expect((await importInto(to.client, text, { key })).added.decision).toBeGreaterThan(0);
});

const begun = ({ receipt }: RecordOf<"receipt">) => {
  const { signature: _, ...rest } = receipt;
  const usedMemories = rest.usedMemories.map(({ verified: _, intact: __, cited: ___, ...memory }) => memory);
  const { salts: _s, ...evidence } = receipt.evidence as { salts?: unknown } & typeof receipt.evidence;
  return { ...rest, usedMemories, evidence };
};

test.for<[string, (record: RecordOf<"receipt">) => object]>([
  ["no signature that is one", ({ receipt }) => ({ ...receipt, signature: 5 })],
  ["a signature that is null", ({ receipt }) => ({ ...receipt, signature: null })],
  ["an empty signature", ({ receipt }) => ({ ...receipt, signature: {} })],
  ["no commitments", ({ receipt }) => ({ ...receipt, evidence: { policyVersion: 1, policyDigest: "x" } })],
  [
    "commitments that are null",
    ({ receipt }) => ({ ...receipt, evidence: { ...receipt.evidence, commitments: null } }),
  ],
  ["salts that are no object", ({ receipt }) => ({ ...receipt, evidence: { ...receipt.evidence, salts: 5 } })],
  ["a model that is no text", ({ receipt }) => ({ ...receipt, evidence: { ...receipt.evidence, model: { a: 1 } } })],
  ["a field that nothing signs", ({ receipt }) => ({ ...receipt, more: 1 })],
  [
    "a salt of a text that it withholds",
    ({ receipt }) => ({
      ...receipt,
      evidence: {
        ...receipt.evidence,
        salts: { ...(receipt.evidence as { salts: object }).salts, "/usedMemories/0/snippet": "0".repeat(64) },
      },
    }),
  ],
  ["no end and no commitments", (record) => ({ ...begun(record), evidence: { policyVersion: 1, policyDigest: "x" } })],
  [
    "no end and a model that is no text",
    (record) => ({ ...begun(record), evidence: { ...begun(record).evidence, model: { a: 1 } } }),
  ],
  ["no end and an unknown field", (record) => ({ ...begun(record), more: 1 })],
])("a receipt with %s is refused", ([, change]) =>
  refused(withRecord("receipt", (record) => ({ ...record, receipt: change(record) }))),
);

test("a receipt that was begun is imported without its end", async () => {
  const to = await serviceForTest({ environment: { SEED: "none" } });
  const lines = withRecord("receipt", (record) => ({ ...record, status: "begun", receipt: begun(record) }));
  const { text, key } = signedByStranger(lines);
  expect((await importInto(to.client, text, { key })).added.receipt).toBe(1);
  expect((await to.client.listReceipts({})).receipts).toHaveLength(1);
});

test.for([
  ["no JSON", "not json"],
  ["null", "null"],
  ["an empty object", "{}"],
  ["a list", "[null]"],
  ["a number of memories", '{"usedMemories":5}'],
  ["memories without their texts", '{"usedMemories":[{"memoryId":"m","storeRef":{}}]}'],
  ["commitments alone", '{"commitments":{}}'],
  ["deep nesting", "[".repeat(20_000)],
])("an anchor whose body is %s is refused, whether it says that it was issued or not", async ([, body]) => {
  await refused(withRecord("anchor", (record) => ({ ...record, body, issued: true })));
  await refused(withRecord("anchor", (record) => ({ ...record, body, issued: false })));
});

test("a key that has the id of another one is refused", async () => {
  const [, ...lines] = withRecord("memory", (record) => record);
  const keys = exported.header.keys.map((key) => ({ ...key, keyId: "0".repeat(32) }));
  await refused([JSON.stringify({ ...exported.header, keys }), ...lines]);
});
