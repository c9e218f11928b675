// What comes of each misbehaviour, after how many requests, and that it comes in time.
import { describe, expect, it } from "vitest";
import type { Fault } from "#test/support/walrus-stand-in/index.ts";
import { BUSY_MS, BYTES, NOWHERE, outcome, PATIENCE, standInsForTests, storeOn, timed, walrus } from "./fixture.ts";

standInsForTests();

describe("each misbehaviour", () => {
  const stored = { blobId: expect.any(String), endEpoch: 105, objectId: expect.any(String) };
  const says = (words: string) => expect.stringContaining(words);

  const puts: [Fault, number, unknown, requests: number, minted: number][] = [
    ["hang", 9, says("within 1.5 s"), 1, 0],
    ["reset", 2, stored, 3, 1],
    ["reset", 9, says("closed the connection"), 5, 0],
    ["truncate", 1, says("within its answer"), 1, 1],
    ["wrong-bytes", 1, { ...stored, blobId: "A".repeat(43) }, 1, 1],
    ["endless", 1, says("more than is read"), 1, 0],
    ["too-many-requests", 3, stored, 4, 1],
    ["too-many-requests", 9, says("overloaded (429)"), 5, 0],
    ["unavailable", 3, stored, 4, 1],
    ["unavailable", 9, says("failed (503 BLOB_UNAVAILABLE)"), 5, 0],
    ["error-in-200", 1, says("error"), 1, 0],
    ["redirect", 1, says("redirect"), 1, 0],
  ];
  it.each(puts)("put: %s, %d times", async (fault, times, expected, requests, minted) => {
    Object.assign(walrus.knobs.put, { fault, times });
    const { value, ms } = await timed(outcome(storeOn().put(BYTES)));
    expect(value).toEqual(expected);
    expect(walrus.seen).toMatchObject({ put: { requests }, minted });
    expect(ms).toBeLessThan(PATIENCE.storeMs * 1.1 + BUSY_MS);
  });

  const gets: [Fault, number, unknown, requests: number][] = [
    ["hang", 9, says("within 0.6 s"), 1],
    ["reset", 2, BYTES.toString(), 3],
    ["reset", 9, says("closed the connection"), 3],
    ["truncate", 1, BYTES.toString(), 2],
    ["truncate", 9, says("within its answer"), 3],
    ["wrong-bytes", 1, `${BYTES}!`, 1],
    ["endless", 1, says("more than is read"), 1],
    ["too-many-requests", 2, BYTES.toString(), 3],
    ["too-many-requests", 9, says("overloaded (429)"), 3],
    ["unavailable", 2, BYTES.toString(), 3],
    ["unavailable", 9, says("failed (503 BLOB_UNAVAILABLE)"), 3],
    ["forbidden", 1, says("may not serve this blob (451 FORBIDDEN_BLOB)"), 1],
    ["redirect", 1, says("redirect"), 1],
  ];
  it.each(gets)("get: %s, %d times", async (fault, times, expected, requests) => {
    const { blobId } = await storeOn().put(BYTES);
    Object.assign(walrus.knobs.get, { fault, times });
    const text = async () => Buffer.from((await storeOn().get(blobId)) ?? []).toString();
    const { value, ms } = await timed(outcome(text()));
    expect(value).toEqual(expected);
    expect(walrus.seen.get.requests).toBe(requests);
    expect(ms).toBeLessThan(PATIENCE.readMs * 1.1 + BUSY_MS);
  });

  it("a blob that is too large", async () => {
    const patience = { ...PATIENCE, storeMs: 5_000 };
    expect(await outcome(storeOn({ patience }).put(new Uint8Array(10 * 1024 * 1024 + 1)))).toContain("too large");
    expect(walrus.seen).toMatchObject({ put: { requests: 1 }, minted: 0 });
  });

  it("epochs that the publisher does not take", async () => {
    expect(await outcome(storeOn({ epochs: 54 }).put(BYTES))).toContain("400 MALFORMED_REQUEST");
    expect(walrus.seen.put.requests).toBe(1);
  });

  it("nobody there: says so at once", async () => {
    const blobs = storeOn({ publisher: NOWHERE, aggregators: [NOWHERE] });
    expect(await outcome(blobs.put(BYTES))).toContain("cannot be reached");
    expect(await outcome(blobs.get("A".repeat(43)))).toContain("cannot be reached");
  });

  it("waits as long as it is asked to, and not when that is longer than there is", async () => {
    Object.assign(walrus.knobs.put, { fault: "too-many-requests", times: 1 });
    walrus.knobs.retryAfter = 2;
    const waits: number[] = [];
    const sleep = async (ms: number) => void waits.push(ms);
    await storeOn({ patience: { sleep, random: () => 1 } }).put(BYTES);
    expect(waits).toEqual([2_500]);

    Object.assign(walrus.knobs.put, { fault: "unavailable", times: 1 });
    const { value, ms } = await timed(outcome(storeOn().put(BYTES)));
    expect(value).toContain("503");
    expect(ms).toBeLessThan(PATIENCE.storeMs / 2);
  });

  it("holds the deadline over a fetch that ignores its signal", async () => {
    const blobs = storeOn({ fetch: () => new Promise(() => undefined) });
    const { value, ms } = await timed(outcome(blobs.get("A".repeat(43))));
    expect(value).toContain("within 0.6 s");
    expect(ms).toBeLessThan(PATIENCE.readMs * 1.1 + BUSY_MS);
  });

  it("gives a caller who goes away its own reason", async () => {
    walrus.knobs.put.fault = "hang";
    const controller = new AbortController();
    const work = storeOn().put(BYTES, { signal: controller.signal });
    setTimeout(() => controller.abort("gone"), 20);
    await expect(work).rejects.toBe("gone");
    await expect(storeOn().get("A".repeat(43), { signal: controller.signal })).rejects.toBe("gone");
    expect(walrus.seen.get.requests).toBe(0);
  });
});
