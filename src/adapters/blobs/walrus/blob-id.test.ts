import { expect, it } from "vitest";
import { blobIdDeriver } from "./blob-id.ts";

it("derives the id that Walrus gives, off the event loop", async () => {
  const derive = blobIdDeriver();
  let turns = 0;
  const ticking = setInterval(() => {
    turns += 1;
  }, 10);
  expect(await derive(Buffer.from("some other string"))).toBe("M4hsZGQ1oCktdzegB6HnI6Mi28S2nqOPHxK-W7_4BUk");
  clearInterval(ticking);
  expect(turns).toBeGreaterThan(10);
}, 60_000);

it("can be given up, and goes on with the next", async () => {
  const derive = blobIdDeriver();
  const given = derive(Buffer.from("a"), AbortSignal.timeout(50));
  const next = derive(Buffer.from("some other string"));
  await expect(given).rejects.toMatchObject({ code: "blob-store-failed" });
  expect(await next).toBe("M4hsZGQ1oCktdzegB6HnI6Mi28S2nqOPHxK-W7_4BUk");
}, 60_000);
