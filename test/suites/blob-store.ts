// The tests that every blob store passes.
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import type { BlobStore, PutOptions } from "#ports.ts";

export function blobStoreSuite(name: string, create: () => BlobStore): void {
  describe(`the blob store in ${name}`, () => {
    test("returns the bytes that were put, under an id that depends on them alone", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 500 }), async (bytes) => {
          const blobs = create();
          const { blobId } = await blobs.put(bytes);
          expect(Buffer.from((await blobs.get(blobId)) ?? []).equals(bytes)).toBe(true);
          expect((await blobs.put(Uint8Array.from(bytes))).blobId).toBe(blobId);
          expect((await create().put(bytes)).blobId).toBe(blobId);
          expect(blobId).toMatch(/^[\w-]{43}$/);
        }),
      );
    });

    test("gives different bytes different ids", async () => {
      const blobs = create();
      const [a, b] = [await blobs.put(Buffer.from("a")), await blobs.put(Buffer.from("b"))];
      expect(a.blobId).not.toBe(b.blobId);
    });

    test("has no blob under an id that it never returned", async () => {
      expect(await create().get("__proto__")).toBeUndefined();
    });

    test("rejects with the error of a fence that refuses", async () => {
      const refusal = new PortcullisError("forbidden", "No.");
      const fence = () => Promise.reject(refusal);
      await expect(create().put(Buffer.from("refused"), { fence })).rejects.toBe(refusal);
    });

    test("puts bytes behind a fence, once for one put", async () => {
      const blobs = create();
      let sent = 0;
      const fence: PutOptions["fence"] = async (send) => {
        await send(new AbortController().signal);
        sent += 1;
      };
      const { blobId } = await blobs.put(Buffer.from("fenced"), { fence });
      expect(sent).toBe(1);
      expect(Buffer.from((await blobs.get(blobId)) ?? []).toString()).toBe("fenced");
    });

    test("keeps its own copy of the bytes", async () => {
      const blobs = create();
      const bytes = Uint8Array.of(1, 2, 3);
      const { blobId } = await blobs.put(bytes);
      bytes[0] = 9;
      expect([...((await blobs.get(blobId)) ?? [])]).toEqual([1, 2, 3]);
    });
  });
}
