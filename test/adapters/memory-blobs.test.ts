import { expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { contentAddress } from "#core/encoding/digest.ts";
import { blobStoreSuite } from "#test/suites/blob-store.ts";

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
