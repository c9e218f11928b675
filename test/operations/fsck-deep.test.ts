// fsck on Walrus and Sui, where checks take long and only a deep run makes all of them.
import { describe, expect, test } from "vitest";
import { digestHex } from "#core/encoding/digest.ts";
import { PLAIN_NAMES } from "#core/ledger/pseudonym.ts";
import { factBytes } from "#core/memory.ts";
import type { Ledger } from "#ports.ts";
import { capture } from "#service/memories/capture.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { testTenant } from "#test/support/tenant.ts";

const STAMP = "2026-01-01T00:00:00.000Z";
const RECEIPT = { receiptId: "0x1", txDigest: "t", allAuthorized: true, ledgerVersion: "7", anchoredAt: STAMP };

/** A service on Walrus and Sui, with a memory and an anchored receipt. `chainDigest` is the digest on the chain. */
const idOf = ({ length }: { readonly length: number }) => `${length}`.padStart(43, "w");

async function onWalrus({ chainDigest }: { chainDigest?: string } = {}) {
  const body = '{"answerId":"ans_9"}';
  const digest = digestHex(new TextEncoder().encode(body));
  const receipt = {
    gate: "0x2",
    agent: "a",
    blobId: idOf(body),
    digest: chainDigest ?? digest,
    claimed: [],
    allAuthorized: true,
    issued: false,
    policyVersion: "7",
    anchoredAtMs: 0,
  };
  const object = {
    objectId: "0x1",
    type: "t",
    owner: "immutable" as const,
    content: Uint8Array.of(),
    previousTransaction: null,
  };
  const derived: Uint8Array[] = [];
  const tenant = testTenant({
    about: { version: "0", blobs: { kind: "walrus", aggregator: "" }, model: "extractive", records: "sqlite" },
    blobs: {
      putConcurrency: 1,
      put: async (bytes) => ({ blobId: idOf(bytes) }),
      get: async () => undefined,
    },
    deriveBlobId: async (bytes) => {
      derived.push(bytes);
      return idOf(bytes);
    },
    ledger: {
      network: "testnet",
      naming: async () => PLAIN_NAMES,
      find: async () => ({ ...object, receipt }),
    } as unknown as Ledger,
  });
  await capture(tenant, { namespace: "n", content: "text", sourceAgent: "s" });
  const anchored = { blobId: receipt.blobId, digest, answerId: "ans_9", issued: false, anchoredAt: STAMP, body };
  await tenant.records.anchors.add(anchored);
  const asked = { agentId: "a", blobId: receipt.blobId, digest, claimed: [], policyVersion: "newest" as const };
  const { id } = await tenant.records.chainAnchors.request(asked, STAMP);
  await tenant.records.chainAnchors.complete({ id, ...RECEIPT });
  return { tenant, derived };
}

async function run(tenant: Parameters<typeof fsck>[0], deep: boolean) {
  const lines: string[] = [];
  const report = await fsck(tenant, {
    deep,
    onDifference: ({ about, id, detail }) => lines.push(`${about} ${id}: ${detail}`),
  });
  return { report, lines };
}

describe("fsck on Walrus and Sui", () => {
  test("derives no blob id and asks no node unless it is deep, and reports what it skipped", async () => {
    const { tenant, derived } = await onWalrus({ chainDigest: "x" });
    const { report, lines } = await run(tenant, false);
    expect(lines).toEqual([]);
    expect(derived).toEqual([]);
    expect(report.skipped).toEqual(["blob-ids", "ledger"]);
  });

  test("a deep run derives every blob id and asks for every receipt", async () => {
    const { tenant, derived } = await onWalrus();
    const { report, lines } = await run(tenant, true);
    expect(lines).toEqual([]);
    expect(report).toMatchObject({ skipped: [], memories: 1, anchors: 1, onLedger: 1 });
    expect(derived).toHaveLength(2);
    expect(derived[0]).toEqual(factBytes({ namespace: "n", content: "text", sourceAgent: "s" }));
  });

  test("a deep run reports a receipt that differs on the chain", async () => {
    const { tenant } = await onWalrus({ chainDigest: "x" });
    expect((await run(tenant, true)).lines).toEqual([
      "ledger 0x1: the ledger's receipt differs from the record in its digest",
    ]);
  });
});
