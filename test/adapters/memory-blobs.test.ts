import { expect, it } from "vitest";
import { memoryBlobs, mockBlobId } from "#adapters/blobs/memory.ts";
import { blobStoreSuite } from "#test/suites/blob-store.ts";

blobStoreSuite("memory", () => memoryBlobs());

const ABC = Buffer.from("abc");

it("the mock store's ids are base64url of blake2b256", async () => {
  const digest = Buffer.from("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319", "hex");
  expect(await memoryBlobs().put(ABC)).toEqual({ blobId: digest.toString("base64url") });
});

it("the mock store makes again what was stored elsewhere, once", async () => {
  const asked: string[] = [];
  const blobs = memoryBlobs(async (blobId) => {
    asked.push(blobId);
    return blobId === mockBlobId(ABC) ? ABC : undefined;
  });
  expect(await blobs.get(mockBlobId(ABC))).toEqual(ABC);
  expect(await blobs.get(mockBlobId(ABC))).toEqual(ABC);
  expect(await blobs.get(mockBlobId(Buffer.from("abd")))).toBeUndefined();
  expect(asked).toEqual([mockBlobId(ABC), mockBlobId(Buffer.from("abd"))]);
});

it("the mock store gives no bytes that are not those of the id, and asks nobody for what is no id", async () => {
  const asked: string[] = [];
  const blobs = memoryBlobs(async (blobId) => {
    asked.push(blobId);
    return Buffer.from("something else");
  });
  expect(await blobs.get(mockBlobId(ABC))).toBeUndefined();
  for (const id of ["__proto__", "", "\0", `${mockBlobId(ABC)}=`]) expect(await blobs.get(id)).toBeUndefined();
  expect(asked).toEqual([mockBlobId(ABC)]);
});

it("the mock store does not say that there is no blob when it cannot know", async () => {
  const blobs = memoryBlobs(() => Promise.reject(new Error("gone")));
  await expect(blobs.get(mockBlobId(ABC))).rejects.toThrow("gone");
});
