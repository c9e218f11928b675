// The outcome of each fault, and how many requests it takes.
import { describe, expect, test } from "vitest";
import { PortcullisError } from "#core/errors.ts";
import type { FencedAction } from "#ports.ts";
import { atDeadline } from "#test/support/at-deadline.ts";
import type { Fault } from "#test/support/walrus-stand-in/walrus-stand-in.ts";
import { BYTES, NOWHERE, outcome, standInsForTests, storeOn, TIMEOUTS, walrus } from "./fixture.ts";

standInsForTests();

const contains = (words: string) => expect.stringContaining(words);
const UNKNOWN_ID = "A".repeat(43);

describe("a put that meets a fault", () => {
  const stored = { blobId: expect.any(String), endEpoch: 105, objectId: expect.any(String) };
  const cases: [Fault, times: number, unknown, requests: number, minted: number][] = [
    ["reset", 2, stored, 3, 1],
    ["reset", 9, contains("closed the connection"), 5, 0],
    ["truncate", 1, contains("before its answer was complete"), 1, 1],
    ["wrong-bytes", 1, { ...stored, blobId: "A".repeat(43) }, 1, 1],
    ["endless", 1, contains("larger than the limit"), 1, 0],
    ["too-many-requests", 3, stored, 4, 1],
    ["too-many-requests", 9, contains("overloaded (429)"), 5, 0],
    ["unavailable", 3, stored, 4, 1],
    ["unavailable", 9, contains("failed (503 BLOB_UNAVAILABLE)"), 5, 0],
    ["error-in-200", 1, contains("error"), 1, 0],
    ["redirect", 1, contains("redirect"), 1, 0],
  ];
  test.each(cases)("%s, %d times: answers %j after %d requests", async (fault, times, expected, requests, minted) => {
    Object.assign(walrus.knobs.put, { fault, times });
    expect(await outcome(storeOn().put(BYTES))).toEqual(expected);
    expect(walrus.traffic).toMatchObject({ put: { requests }, minted });
  });

  test("hang: rejects at the deadline", async () => {
    walrus.knobs.put.fault = "hang";
    const isReceived = () => walrus.traffic.put.requests === 1;
    const put = () => outcome(storeOn().put(BYTES));
    expect(await atDeadline(TIMEOUTS.storeMs, isReceived, put)).toContain("within 60 s");
    expect(walrus.traffic).toMatchObject({ put: { requests: 1 }, minted: 0 });
  });

  test("a fence that refuses: sends nothing, and is not retried", async () => {
    const refusal = new PortcullisError("policy-changed", "The memory was forgotten.");
    await expect(storeOn().put(BYTES, { fence: () => Promise.reject(refusal) })).rejects.toBe(refusal);
    expect(walrus.traffic.put.requests).toBe(0);
  });

  test("a fence that is lost before the bytes have left: sends nothing, and is passed anew", async () => {
    let passes = 0;
    const fence = async (send: FencedAction) => {
      passes += 1;
      await send(passes === 1 ? AbortSignal.abort() : new AbortController().signal);
    };
    expect(await outcome(storeOn().put(BYTES, { fence }))).toEqual(stored);
    expect([passes, walrus.traffic.put.requests]).toEqual([2, 1]);
  });

  test("a fence is passed anew in each try", async () => {
    Object.assign(walrus.knobs.put, { fault: "unavailable", times: 2 });
    let passed = 0;
    const fence = async (send: FencedAction) => {
      await send(new AbortController().signal);
      passed += 1;
    };
    expect(await outcome(storeOn().put(BYTES, { fence }))).toEqual(stored);
    expect(passed).toBe(3);
  });

  test("a fence that is lost when all bytes have left does not end the put", async () => {
    const controller = new AbortController();
    const fence = async (send: FencedAction) => {
      await send(controller.signal);
      controller.abort();
    };
    expect(await outcome(storeOn().put(BYTES, { fence }))).toEqual(stored);
  });

  test("a blob that is too large for the publisher is not retried", async () => {
    expect(await outcome(storeOn().put(new Uint8Array(10 * 1024 * 1024 + 1)))).toContain("too large");
    expect(walrus.traffic).toMatchObject({ put: { requests: 1 }, minted: 0 });
  });

  test("a number of epochs that the publisher refuses is not retried", async () => {
    expect(await outcome(storeOn({ epochs: 54 }).put(BYTES))).toContain("400 MALFORMED_REQUEST");
    expect(walrus.traffic.put.requests).toBe(1);
  });
});

describe("a get that meets a fault", () => {
  const cases: [Fault, times: number, unknown, requests: number][] = [
    ["reset", 2, BYTES.toString(), 3],
    ["reset", 9, contains("closed the connection"), 3],
    ["truncate", 1, BYTES.toString(), 2],
    ["truncate", 9, contains("before its answer was complete"), 3],
    ["wrong-bytes", 1, `${BYTES}!`, 1],
    ["endless", 9, "too-large", 1],
    ["too-many-requests", 2, BYTES.toString(), 3],
    ["too-many-requests", 9, contains("overloaded (429)"), 3],
    ["unavailable", 2, BYTES.toString(), 3],
    ["unavailable", 9, contains("failed (503 BLOB_UNAVAILABLE)"), 3],
    ["forbidden", 1, contains("may not serve this blob (451 FORBIDDEN_BLOB)"), 1],
    ["redirect", 1, contains("redirect"), 1],
  ];
  test.each(cases)("%s, %d times: answers %j after %d requests", async (fault, times, expected, requests) => {
    const { blobId } = await storeOn().put(BYTES);
    Object.assign(walrus.knobs.get, { fault, times });
    const text = async () => {
      const found = await storeOn().get(blobId);
      return found === "too-large" ? found : Buffer.from(found ?? []).toString();
    };
    expect(await outcome(text())).toEqual(expected);
    expect(walrus.traffic.get.requests).toBe(requests);
  });

  test("hang: rejects at the deadline", async () => {
    walrus.knobs.get.fault = "hang";
    const isReceived = () => walrus.traffic.get.requests === 1;
    const get = () => outcome(storeOn().get(UNKNOWN_ID));
    expect(await atDeadline(TIMEOUTS.readMs, isReceived, get)).toContain("within 30 s");
    expect(walrus.traffic.get.requests).toBe(1);
  });
});

test("rejects without a retry when nobody listens at the URL", async () => {
  const sleep = async () => expect.unreachable();
  const blobs = storeOn({ publisher: NOWHERE, aggregators: [NOWHERE], timeouts: { ...TIMEOUTS, sleep } });
  expect(await outcome(blobs.put(BYTES))).toContain("cannot be reached");
  expect(await outcome(blobs.get(UNKNOWN_ID))).toContain("cannot be reached");
});

test("waits for the time of Retry-After, but rejects at once when that is past the deadline", async () => {
  const pauses: number[] = [];
  const sleep = async (ms: number) => void pauses.push(ms);
  walrus.knobs.retryAfter = 2;
  Object.assign(walrus.knobs.put, { fault: "too-many-requests", times: 1 });
  await storeOn({ timeouts: { sleep, random: () => 1 } }).put(BYTES);
  expect(pauses).toEqual([2_500]);

  walrus.knobs.retryAfter = 60;
  Object.assign(walrus.knobs.put, { fault: "unavailable", times: 1 });
  expect(await outcome(storeOn({ timeouts: { ...TIMEOUTS, sleep } }).put(BYTES))).toContain("503");
  expect(pauses).toHaveLength(1);
});

test("a caller that aborts gets the reason of its own signal", async () => {
  walrus.knobs.put.fault = "hang";
  const controller = new AbortController();
  const work = storeOn().put(BYTES, { signal: controller.signal });
  await expect.poll(() => walrus.traffic.put.requests).toBe(1);
  controller.abort("gone");
  await expect(work).rejects.toBe("gone");
  await expect(storeOn().get(UNKNOWN_ID, { signal: controller.signal })).rejects.toBe("gone");
  expect(walrus.traffic.get.requests).toBe(0);
});
