import fc from "fast-check";
import { expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { contentAddress } from "#core/encoding/digest.ts";
import { OPEN } from "#core/identity/principal.ts";
import { anchor } from "#service/anchoring/anchor.ts";
import { capture } from "#service/memories/capture.ts";
import { blobStoreSuite } from "#test/suites/blob-store.ts";
import { RECEIPT } from "#test/support/bodies.ts";
import { testTenant } from "#test/support/tenant.ts";

blobStoreSuite("memory", () => memoryBlobs());

const ABC = Buffer.from("abc");

test("a blob's id is base64url of blake2b256", async () => {
  const digest = Buffer.from("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319", "hex");
  expect(await memoryBlobs().put(ABC)).toEqual({ blobId: digest.toString("base64url") });
});

test("a blob that was stored elsewhere is derived from the records, once", async () => {
  const asked: string[] = [];
  const blobs = memoryBlobs(async (blobId) => {
    asked.push(blobId);
    return blobId === contentAddress(ABC) ? ABC : undefined;
  });
  expect(await blobs.get(contentAddress(ABC))).toEqual(ABC);
  expect(await blobs.get(contentAddress(ABC))).toEqual(ABC);
  expect(await blobs.get(contentAddress(Buffer.from("abd")))).toBeUndefined();
  expect(asked).toEqual([contentAddress(ABC), contentAddress(Buffer.from("abd"))]);
});

test("derived bytes that do not have the id are not returned, and nothing is derived for a malformed id", async () => {
  const asked: string[] = [];
  const blobs = memoryBlobs(async (blobId) => {
    asked.push(blobId);
    return Buffer.from("something else");
  });
  expect(await blobs.get(contentAddress(ABC))).toBeUndefined();
  for (const id of ["__proto__", "", "\0", `${contentAddress(ABC)}=`]) expect(await blobs.get(id)).toBeUndefined();
  expect(asked).toEqual([contentAddress(ABC)]);
});

test("a get rejects when the records do not answer, and does not say that there is no blob", async () => {
  const blobs = memoryBlobs(() => Promise.reject(new Error("gone")));
  await expect(blobs.get(contentAddress(ABC))).rejects.toThrow("gone");
});

const ALL = fc.uniqueArray(fc.uint8Array({ minLength: 1, maxLength: 200 }), { selector: String, maxLength: 30 });

test("the store keeps at most so many bytes, the newest among them, and derives the rest again", async () => {
  await fc.assert(
    fc.asyncProperty(ALL, fc.integer({ min: 500, max: 5_000 }), async (all, mostBytes) => {
      const onRecord = new Map(all.map((bytes) => [contentAddress(bytes), bytes]));
      let derived = 0;
      const blobs = memoryBlobs(
        async (blobId) => {
          derived += onRecord.get(blobId)?.length ?? 0;
          return onRecord.get(blobId);
        },
        { mostBytes },
      );
      for (const bytes of all) {
        const { blobId } = await blobs.put(bytes);
        expect(await blobs.get(blobId)).toEqual(bytes);
      }
      expect(derived).toBe(0);
      // The oldest last, so that what is derived evicts nothing that is still to be read.
      for (const bytes of all.toReversed()) expect(await blobs.get(contentAddress(bytes))).toEqual(bytes);
      const size = all.reduce((sum, { length }) => sum + length, 0);
      expect(size - derived).toBeLessThanOrEqual(mostBytes);
    }),
  );
});

test("every memory and every anchored receipt can be fetched from a store that has room for one blob", async () => {
  const records = sqliteRecords({ path: ":memory:" });
  const onRecord = async (blobId: string) => {
    const found = await records.blobTexts.find(blobId);
    return found && Buffer.from(found.text);
  };
  const tenant = testTenant({ records, blobs: memoryBlobs(onRecord, { mostBytes: 1 }) });
  const facts = ["The tram leaves at nine.", "The bus leaves at ten.", "The boat leaves at noon."];
  const captured = await Promise.all(
    facts.map((content) => capture(tenant, { content, namespace: "travel", sourceAgent: "planner" })),
  );
  const anchored = await Promise.all(
    ["ans_1", "ans_2"].map((answerId) => anchor(tenant, { receipt: { ...RECEIPT, answerId } }, { principal: OPEN })),
  );
  expect(anchored.every(({ verified }) => verified)).toBe(true);
  for (const blobId of [...captured.map(({ storeRef }) => storeRef), ...anchored.map(({ blobId }) => blobId)]) {
    const found = await tenant.blobs.get(blobId);
    expect(found instanceof Uint8Array && contentAddress(found)).toBe(blobId);
  }
});
