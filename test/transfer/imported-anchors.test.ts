// Imported anchors are bounded, as what they are anchors of is.
import { expect, test } from "vitest";
import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { digestOfText } from "#core/encoding/digest.ts";
import { OPEN } from "#core/identity/principal.ts";
import type { ExportRecord, RecordOf } from "#core/transfer/export-format.ts";
import { createRestorer } from "#service/transfer/restorer.ts";
import { changingNothing, serviceForTest } from "#test/support/service.ts";
import { differencesIn, exportOf, importInto, signedByStranger } from "./exported.ts";

async function importable() {
  const service = await serviceForTest({ environment: { LIMIT_RECEIPTS: "3" } });
  const { receipt } = await service.client.chat({ agentId: "assistant", query: "What do I eat?" });
  await service.client.anchorReceipt({ answerId: receipt.answerId });
  const { header, records } = await exportOf(service.client);
  const anchor = records.find((each) => each.kind === "anchor") as RecordOf<"anchor">;
  const importAll = (records: readonly ExportRecord[]) => {
    const { text, key } = signedByStranger([header, ...records].map((line) => JSON.stringify(line)));
    return importInto(service.client, text, { key });
  };
  /** Of a receipt that is not on record. */
  async function foreign(i: number, form: object = JSON.parse(anchor.body)): Promise<ExportRecord> {
    const body = canonicalJson({ ...form, answerId: `ans_${i}` });
    const { blobId } = await service.tenant.blobs.put(new TextEncoder().encode(body));
    return { ...anchor, blobId, digest: digestOfText(body), answerId: `ans_${i}`, body };
  }
  return { service, header, anchor, importAll, foreign };
}

test("an anchor of a receipt that is not on record counts as a receipt, and the quota ends the import", async () => {
  const { service, importAll, foreign } = await importable();
  const records = await Promise.all([1, 2, 3].map((i) => foreign(i)));
  await expect(importAll(records)).rejects.toMatchObject({ code: "limit-reached" });
  expect((await service.tenant.records.anchors.counts()).blobs).toBe(3);
  expect(await differencesIn(service)).toEqual([]);
});

test("an anchor that no verifier would read, because it is too long, is refused", async () => {
  const { service, importAll, foreign } = await importable();
  const long = await foreign(1, { ...(await foreignReceipt()), more: "a".repeat(512 * 1024) });
  await changingNothing(service, () =>
    expect(importAll([{ ...long, issued: false } as ExportRecord])).rejects.toMatchObject({ code: "export-damaged" }),
  );
});

const foreignReceipt = async () => ({
  agentId: "planner",
  usedMemories: [],
  blockedNamespaces: [],
  createdAt: "2026-01-02T03:04:05.678Z",
});

test("anchors on the ledger are taken for blobs on record, and of each no more than are listed", async () => {
  const { service, header, anchor } = await importable();
  const onLedger = (i: number, { blobId, digest } = anchor): RecordOf<"chain-anchor"> => ({
    kind: "chain-anchor",
    ...{ receiptId: `0x${i}`, txDigest: `t${i}`, agentId: "assistant", blobId, digest, claimed: [`n${i}`] },
    ...{ allAuthorized: true, ledgerVersion: "1", anchoredAt: anchor.anchoredAt },
  });
  const ledger = { ...service.tenant.ledger, network: "testnet" };
  const restorer = createRestorer(
    { ...service.tenant, ledger },
    { header: { ...header, network: "testnet" }, replacesPolicy: false, call: { principal: OPEN } },
  );
  const strange = [
    { ...anchor, blobId: "none" },
    { ...anchor, digest: "0".repeat(64) },
  ];
  const records = [
    ...strange.map((each, i) => onLedger(i, each)),
    ...Array.from({ length: 30 }, (_, i) => onLedger(10 + i)),
  ];
  for (let turn = 0; turn < 2; turn += 1) await restorer.restore("chain-anchor", records);
  expect(restorer.outcome()).toMatchObject({ added: { "chain-anchor": 20 }, leftOut: { "chain-anchor": 2 * 12 } });
  expect((await service.client.findAnchors({ id: anchor.digest })).anchors).toHaveLength(20 + 1);
});
