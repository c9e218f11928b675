// The anchor of test/vectors/receipt-v2/ledger.json, verified from its bytes by the verifier that was written from
// docs/proof.md.
import { expect, test } from "vitest";
import anchored from "#test/vectors/receipt-v2/ledger.json" with { type: "json" };
import receipts from "#test/vectors/receipt-v2/receipts.json" with { type: "json" };
import { canonicalJson, type Json } from "./independent/canonical-json.ts";
import {
  objectDigest,
  readObject,
  readReceipt,
  readTransaction,
  receiptId,
  signerOf,
  transactionDigest,
} from "./independent/ledger-bytes.ts";
import { faultsOf, type Source } from "./independent/verify.ts";

const [first] = receipts.cases;
const bytes = (base64: string): Uint8Array => Buffer.from(base64, "base64");
const receiptBytes = Buffer.from(canonicalJson(first?.receipt as unknown as Json));
const { blobId } = readReceipt(bytes(anchored.receipt.contents));

const objects = new Map([
  [anchored.receiptId, bytes(anchored.receipt.bcs)],
  [anchored.gateId, bytes(anchored.gate.bcs)],
  [anchored.closingId, bytes(anchored.closing.bcs)],
]);
const blobs = new Map<string, Uint8Array>([
  [blobId, receiptBytes],
  ...(first?.receipt.usedMemories.map(({ storeRef }, i) => [storeRef, Buffer.from(first.blobs[i] ?? "")] as const) ??
    []),
]);

function source(changed: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {}): Source {
  const read = async (from: ReadonlyMap<string, Uint8Array>, id: string) => {
    const found = Buffer.from(from.get(id) ?? []);
    return changed[id]?.(found) ?? found;
  };
  return { object: (id) => read(objects, id), blob: (id) => read(blobs, id) };
}

test("ids of receipts", () => {
  const { packageId, gateId } = anchored;
  for (const { digest, claimed, policyVersion, id } of anchored.ids) {
    const key = { digest: Buffer.from(digest, "hex"), claimed, policyVersion: BigInt(policyVersion) };
    expect(receiptId({ packageId, gateId }, key)).toBe(id);
  }
});

test("digests of objects and of the transaction, and who signed it", () => {
  for (const { bcs, contents, digest, type, previousTransaction } of [
    anchored.receipt,
    anchored.gate,
    anchored.closing,
  ]) {
    expect(objectDigest(bytes(bcs))).toBe(digest);
    expect(readObject(bytes(bcs))).toMatchObject({ type, previousTransaction, contents: bytes(contents) });
  }
  const { bcs, digest, signature, signer } = anchored.transaction;
  expect(transactionDigest(bytes(bcs))).toBe(digest);
  expect(anchored.receipt.previousTransaction).toBe(digest);
  expect(signerOf(bytes(bcs), signature)).toBe(signer);
  const functions = [`${anchored.packageId}::gate::anchor_receipt`];
  expect(readTransaction(bytes(bcs))).toEqual({ sender: signer, functions });
});

test("nothing is wrong with it", async () => {
  expect(await faultsOf(anchored.receiptId, anchored.packageId, source())).toEqual([]);
});

test("an answer may be 15 minutes later than the end of its version, and no more", async () => {
  const faults = (at: number) => faultsOf(anchored.receiptId, anchored.packageId, superseded(at));
  expect(await faults(answeredAt - 15 * 60_000)).not.toContain("a version of the past");
  expect(await faults(answeredAt - 15 * 60_000 - 1)).toContain("a version of the past");
});

/** Replaces bytes by as many others, so that lengths still fit. */
const replacing = (what: string | Uint8Array, by: string | Uint8Array) => (found: Buffer) => {
  const [from, to] = [Buffer.from(what), Buffer.from(by)];
  expect([found.includes(from), from.length]).toEqual([true, to.length]);
  return Buffer.concat([found.subarray(0, found.indexOf(from)), to, found.subarray(found.indexOf(from) + from.length)]);
};
const u64 = (value: number) => Buffer.from(new BigUint64Array([BigInt(value)]).buffer);
const onLedger = readReceipt(bytes(anchored.receipt.contents));
const anchoredAt = Number(onLedger.anchoredAtMs);
const supersededAt = Number(onLedger.supersededAtMs);
const answeredAt = Date.parse(first?.receipt.createdAt ?? "");
const superseded = (at: number) => source({ [anchored.receiptId]: replacing(u64(supersededAt), u64(at)) });
const [used] = first?.receipt.usedMemories ?? [];
const publicKey = Buffer.from(receipts.key.publicKey, "hex");

test.for([
  ["another package", "0x01", source(), "the type of the object"],
  ["another agent", undefined, source({ [anchored.receiptId]: replacing("assistant", "Assistant") }), "the agent"],
  ["another claim", undefined, source({ [anchored.receiptId]: replacing("health", "wealth") }), "the id of the object"],
  [
    "a key that the gate does not name",
    undefined,
    source({ [anchored.gateId]: replacing(publicKey, publicKey.toReversed()) }),
    "the key",
  ],
  [
    "an anchor before the answer",
    undefined,
    source({ [anchored.receiptId]: replacing(u64(anchoredAt), u64(anchoredAt - 3_600_000)) }),
    "the time of the answer",
  ],
  [
    "an answer under a version of the past",
    undefined,
    superseded(answeredAt - 15 * 60_000 - 1),
    "a version of the past",
  ],
  [
    "a next version that was closed before its own",
    undefined,
    superseded(Number(onLedger.closedAtMs) - 1),
    "the time of the next version",
  ],
  [
    "a next version that was closed after the anchor",
    undefined,
    superseded(anchoredAt + 1),
    "the time of the next version",
  ],
  [
    "a gate that does not know the next version",
    undefined,
    source({
      [anchored.gateId]: replacing(u64(Number(onLedger.policyVersion) + 1), u64(Number(onLedger.policyVersion))),
    }),
    "the version of the gate",
  ],
  [
    "an entry of the version with another time",
    undefined,
    source({ [anchored.closingId]: replacing(u64(Number(onLedger.closedAtMs)), u64(Number(onLedger.closedAtMs) - 1)) }),
    "the version's entry",
  ],
  [
    "an answer of years before its key and its version",
    undefined,
    source({
      [anchored.gateId]: replacing(
        Buffer.concat([u64(2), Buffer.of(0)]),
        Buffer.concat([u64(anchoredAt), Buffer.of(0)]),
      ),
      [blobId]: replacing(first?.receipt.createdAt ?? "", "1999-05-01T10:00:00.000Z"),
    }),
    "an answer of a time that the ledger does not know",
  ],
  [
    "another word in the receipt",
    undefined,
    source({ [blobId]: replacing("satay", "salad") }),
    "the digest of the blob",
  ],
  [
    "another word in a memory, beyond its snippet",
    undefined,
    source({ [first?.receipt.usedMemories[1]?.storeRef ?? ""]: replacing('story."', 'glory."') }),
    "the memory mem_2",
  ],
  [
    "a memory of another namespace",
    undefined,
    source({ [used?.storeRef ?? ""]: replacing("health", "wealth") }),
    "the memory mem_1",
  ],
] as const)("finds %s", async ([, packageId = anchored.packageId, from, fault]) => {
  expect(await faultsOf(anchored.receiptId, packageId, from)).toContain(fault);
});
