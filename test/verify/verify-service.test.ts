import { describe, expect, onTestFinished, test, vi } from "vitest";
import { createVerifier, type VerifierParts } from "#service/anchoring/verifier.ts";
import {
  anchored,
  FACTS,
  PACKAGE_ID,
  RECEIPT_ID,
  statuses,
  TX_DIGEST,
  withChain,
} from "#test/support/anchored-receipt.ts";
import { verifierPartsOf } from "#test/support/verifier-parts.ts";

const SOON = { deadlineMs: 20 };
const never = () => new Promise<never>(() => undefined);
const good = anchored();

const verify = (parts: VerifierParts, ...call: Parameters<ReturnType<typeof createVerifier>["verify"]>) =>
  createVerifier(parts).verify(...call);

describe("the verifier", () => {
  test("fetches the object, then its gate and its blob, then the version's entry and each memory's blob once", async () => {
    const [fact] = FACTS;
    const twice = anchored({ facts: [...FACTS, ...(fact ? [fact] : [])] });
    const { parts, requestedIds } = verifierPartsOf(twice);
    const { verdict, checks, ...rest } = await verify(parts, twice.receiptId);
    expect(verdict).toBe("verified");
    expect(statuses(checks).memory).toBe("pass pass pass");
    const { gate, blobId } = twice.object.receipt;
    const closingId = twice.closing.objectId;
    expect(requestedIds).toEqual([twice.receiptId, gate, blobId, closingId, ...twice.memories.keys()]);
    expect(rest).toEqual({
      receiptId: twice.receiptId,
      network: "testnet",
      receipt: JSON.parse(new TextDecoder().decode(twice.blob)),
      chain: twice.object.receipt,
      hasPseudonyms: false,
      txDigest: TX_DIGEST,
      explorerUrl: `https://explorer.test/tx/${TX_DIGEST}`,
    });
  });

  test("fetches all memories at the same time", async () => {
    const { parts } = verifierPartsOf(good);
    let waiting: (() => void)[] = [];
    const blobs = {
      async get(blobId: string) {
        if (!good.memories.has(blobId)) return parts.blobs.get(blobId);
        await new Promise<void>((resolve) => {
          waiting.push(resolve);
          if (waiting.length < good.memories.size) return;
          for (const go of waiting) go();
          waiting = [];
        });
        return parts.blobs.get(blobId);
      },
    };
    expect((await verify({ ...parts, blobs }, RECEIPT_ID)).verdict).toBe("verified");
  });

  test("expands a short id", async () => {
    const { parts, requestedIds } = verifierPartsOf(good);
    const { receiptId, verdict } = await verify(parts, "0xAb");
    expect(receiptId).toBe(`0x${"ab".padStart(64, "0")}`);
    expect([requestedIds, verdict]).toEqual([[receiptId], "failed"]);
  });

  test.each(["", "0x", "7e", "0xg", "0X1", " 0x1", "0x1\n", "0x-1", "__proto__", `0x${"0".repeat(65)}`])(
    "rejects %j, which is not an id, without a request to anybody",
    async (receiptId) => {
      const { parts, requestedIds } = verifierPartsOf(good);
      await expect(verify(parts, receiptId)).rejects.toMatchObject({
        code: "invalid-request",
        fields: [{ parameter: "receiptId" }],
      });
      expect(requestedIds).toEqual([]);
    },
  );

  test("answers with the verdict failed, and no error, if there is no such object", async () => {
    const { parts } = verifierPartsOf(good);
    const { verdict, checks, receipt, chain, ...rest } = await verify(parts, "0x1");
    expect([verdict, receipt, chain]).toEqual(["failed", null, null]);
    expect(statuses(checks).object).toBe("fail");
    expect(rest).not.toHaveProperty("explorerUrl");
  });

  test("follows no reference from an object of another package", async () => {
    const { parts, requestedIds } = verifierPartsOf(good, { packageId: async () => PACKAGE_ID.replace("ab", "ac") });
    expect(await verify(parts, RECEIPT_ID)).toMatchObject({ verdict: "failed", chain: null });
    expect(requestedIds).toEqual([RECEIPT_ID]);
  });

  test("follows no reference from a blob that was not anchored", async () => {
    const { parts, requestedIds, receiptId } = verifierPartsOf(withChain(good, { digest: "00".repeat(32) }));
    expect(await verify(parts, receiptId)).toMatchObject({ verdict: "failed", receipt: null });
    const { gate, blobId } = good.object.receipt;
    expect(requestedIds).toEqual([receiptId, gate, blobId, good.closing.objectId]);
  });

  test.each([
    ["hangs", never],
    ["rejects", () => Promise.reject(new Error("down"))],
    [
      "throws",
      () => {
        throw new Error("down");
      },
    ],
  ])("answers with the verdict unknown if the ledger or the store %s", async (_, fail) => {
    const { parts } = verifierPartsOf(good);
    const noLedger = await verify({ ...parts, ledger: { ...parts.ledger, find: fail } }, RECEIPT_ID, SOON);
    expect(noLedger).toMatchObject({ verdict: "unknown", receipt: null, chain: null });
    expect(statuses(noLedger.checks).object).toBe("unknown");

    const noBlobs = await verify({ ...parts, blobs: { get: fail } }, RECEIPT_ID, SOON);
    expect(noBlobs).toMatchObject({ verdict: "unknown", receipt: null, chain: { blobId: good.object.receipt.blobId } });
    expect(statuses(noBlobs.checks)).toMatchObject({ object: "pass", blob: "unknown", memory: "unknown" });

    const [lost] = good.memories.keys();
    const get = (blobId: string) => (blobId === lost ? fail() : parts.blobs.get(blobId));
    const noMemory = await verify({ ...parts, blobs: { get } }, RECEIPT_ID, SOON);
    expect(noMemory.verdict).toBe("unknown");
    expect(statuses(noMemory.checks).memory).toBe("unknown pass");
  });

  test("leaves no timer behind, so that the process can end", async () => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    await verify(verifierPartsOf(good).parts, RECEIPT_ID);
    expect(vi.getTimerCount()).toBe(0);
  });

  test("fails the check of a receipt's blob that is gone, and shows nothing of memories that are gone", async () => {
    const { parts } = verifierPartsOf({ ...good, memories: new Map() });
    expect(statuses((await verify(parts, RECEIPT_ID)).checks).memory).toBe("unknown unknown");
    const { parts: empty } = verifierPartsOf({ ...good, blob: "missing" });
    expect(statuses((await verify(empty, RECEIPT_ID)).checks).blob).toBe("fail");
  });

  test("makes at most two deep verifications at a time, and refuses more at once with verifier-busy", async () => {
    const { parts } = verifierPartsOf(good);
    const derivation = Promise.withResolvers<string>();
    const verifier = createVerifier({ ...parts, deriveBlobId: () => derivation.promise });
    const running = [verifier.verify(RECEIPT_ID, { deep: true }), verifier.verify(RECEIPT_ID, { deep: true })];
    await expect(verifier.verify(RECEIPT_ID, { deep: true })).rejects.toMatchObject({ code: "verifier-busy" });
    expect((await verifier.verify(RECEIPT_ID)).verdict).toBe("verified");
    derivation.resolve("another id");
    for (const { verdict } of await Promise.all(running)) expect(verdict).toBe("failed");
    expect((await verifier.verify(RECEIPT_ID, { deep: true })).verdict).toBe("failed");
  });

  test("makes 16 verifications at a time, lets 64 wait, and refuses more at once with verifier-busy", async () => {
    const { parts } = verifierPartsOf(good);
    const gate = Promise.withResolvers<void>();
    let asked = 0;
    const ledger = {
      ...parts.ledger,
      async find(id: string) {
        asked += 1;
        await gate.promise;
        return parts.ledger.find(id);
      },
    };
    const verifier = createVerifier({ ...parts, ledger });
    const running = Array.from({ length: 16 + 64 }, () => verifier.verify(RECEIPT_ID, { deadlineMs: 60_000 }));
    await expect(verifier.verify(RECEIPT_ID)).rejects.toMatchObject({ code: "verifier-busy" });
    expect(asked).toBe(16);
    gate.resolve();
    for (const { verdict } of await Promise.all(running)) expect(verdict).toBe("verified");
    expect((await verifier.verify(RECEIPT_ID)).verdict).toBe("verified");
  });
});
