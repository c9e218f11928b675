import { expect, it } from "vitest";
import { memoryBlobs } from "./memory.ts";
import { blobStoreSuite } from "./suite.ts";

blobStoreSuite("memory", memoryBlobs);

it("the mock store's ids are base64url of blake2b256", async () => {
  const digest = Buffer.from("bddd813c634239723171ef3fee98579b94964e3bb1cb3e427262c8c068d52319", "hex");
  expect(await memoryBlobs().put(Buffer.from("abc"))).toEqual({ blobId: digest.toString("base64url") });
});
