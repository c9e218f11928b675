import { expect, test } from "vitest";
import { blobIdDeriver } from "./blob-id.ts";

const BYTES = Buffer.from("some other string");
const BLOB_ID = "M4hsZGQ1oCktdzegB6HnI6Mi28S2nqOPHxK-W7_4BUk";

const derive = blobIdDeriver();

// A derivation takes seconds of CPU time, so there are two, and one of them is broken off.
test("derives the id that Walrus gives, without blocking the event loop, also after one that was aborted", async () => {
  const controller = new AbortController();
  const aborted = derive(Buffer.from("a"), controller.signal);
  const next = derive(BYTES);
  // Only a derivation that has begun can be aborted in the middle.
  setImmediate(() => controller.abort());
  await expect(aborted).rejects.toMatchObject({ code: "blob-store-failed" });
  let ticks = 0;
  const interval = setInterval(() => {
    ticks += 1;
  }, 10);
  expect(await next).toBe(BLOB_ID);
  clearInterval(interval);
  expect(ticks).toBeGreaterThan(10);
});
