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

test("a key that has the id of another one is refused", async () => {
  const [, ...lines] = withRecord("memory", (record) => record);
  const keys = exported.header.keys.map((key) => ({ ...key, keyId: "0".repeat(32) }));
  await refused([JSON.stringify({ ...exported.header, keys }), ...lines]);
});
