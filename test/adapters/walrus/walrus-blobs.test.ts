// The store against the stand-in, over real HTTP: requests, several aggregators, and concurrency.
import { describe, expect, test } from "vitest";
import { walrusBlobs } from "#adapters/blobs/walrus/walrus-blobs.ts";
import { blobStoreSuite } from "#test/suites/blob-store.ts";
import { atDeadline } from "#test/support/at-deadline.ts";
import { BYTES, NOWHERE, outcome, second, standInsForTests, storeOn, TIMEOUTS, walrus } from "./fixture.ts";

standInsForTests();
blobStoreSuite("Walrus", () => storeOn());

const UNKNOWN_ID = "A".repeat(43);

describe("requests", () => {
  test("a put has the method, query and headers of the specification, and returns the object and the end epoch", async () => {
    const bytes = Buffer.from("first");
    const stored = await storeOn().put(bytes);
    expect(stored).toEqual({
      blobId: expect.stringMatching(/^[\w-]{43}$/),
      endEpoch: walrus.knobs.epoch + 5,
      objectId: walrus.find(stored.blobId)?.objectId,
    });
    expect(walrus.traffic.put.last).toMatchObject({
      method: "PUT",
      url: "/v1/blobs?epochs=5",
      headers: { "content-type": "application/json" },
    });
    expect(walrus.traffic.put.last?.headers).not.toHaveProperty("authorization");
  });

  test("a permanent blob that Walrus has already is not minted again", async () => {
    const blobs = storeOn({ permanent: true, epochs: 12 });
    const { blobId, endEpoch } = await blobs.put(Buffer.from("stays"));
    expect(walrus.traffic.put.last?.url).toBe("/v1/blobs?epochs=12&permanent=true");
    expect(await blobs.put(Buffer.from("stays"))).toEqual({ blobId, endEpoch });
    expect(walrus.traffic.minted).toBe(1);
  });

  test("the token goes to the publisher only", async () => {
    walrus.knobs.token = "a.b.c";
    const blobs = storeOn({ token: "a.b.c" });
    await blobs.get((await blobs.put(BYTES)).blobId);
    expect(walrus.traffic.put.last?.headers.authorization).toBe("Bearer a.b.c");
    expect(walrus.traffic.get.last?.headers).not.toHaveProperty("authorization");
    expect(await outcome(storeOn().put(BYTES))).toContain("credentials");
  });

  test("the credentials of a URL go into a header, and its path is kept", async () => {
    const withSecrets = (url: string) => `${url.replace("http://", "http://us%40er:p%C3%A4ss@")}/some/where//`;
    const blobs = storeOn({
      publisher: withSecrets(walrus.publisherUrl),
      aggregators: [withSecrets(walrus.aggregatorUrl)],
    });
    await outcome(blobs.put(BYTES));
    expect(walrus.traffic.put.last?.url).toBe("/some/where/v1/blobs?epochs=5");
    await outcome(blobs.get(UNKNOWN_ID));
    expect(walrus.traffic.get.last?.url).toBe(`/some/where/v1/blobs/${UNKNOWN_ID}`);
    const basic = `Basic ${Buffer.from("us@er:päss").toString("base64")}`;
    expect(walrus.traffic.put.last?.headers.authorization).toBe(basic);
    expect(walrus.traffic.get.last?.headers.authorization).toBe(basic);
  });

  test("no request is sent for an id that is malformed", async () => {
    for (const id of ["", "..", "a/../b", `${UNKNOWN_ID}?x`, "é".repeat(43), `${UNKNOWN_ID}\n`])
      expect(await storeOn().get(id)).toBeUndefined();
    expect(walrus.traffic.get.requests).toBe(0);
  });

  test("a connection is used again, also after an error status", async () => {
    const blobs = storeOn();
    const { blobId } = await blobs.put(BYTES);
    for (const fault of ["too-many-requests", "unavailable", "forbidden", "redirect"] as const) {
      Object.assign(walrus.knobs.get, { fault, times: 1 });
      await outcome(blobs.get(blobId));
      Object.assign(walrus.knobs.put, { fault, times: 1 });
      await outcome(blobs.put(BYTES));
    }
    for (let i = 0; i < 20; i += 1) await blobs.get(blobId);
    expect(walrus.traffic.get.sockets).toBeLessThanOrEqual(1);
    expect(walrus.traffic.put.sockets).toBeLessThanOrEqual(1);
  });
});

describe("several aggregators", () => {
  const both = () => storeOn({ aggregators: [second.aggregatorUrl, walrus.aggregatorUrl] });
  const read = async (blobId: string) => Buffer.from((await both().get(blobId)) ?? "nothing").toString();

  test("the next one is asked when one answers 404, because that may be cached", async () => {
    const { blobId } = await storeOn().put(Buffer.from("here"));
    expect(await read(blobId)).toBe("here");
    expect([second.traffic.get.requests, walrus.traffic.get.requests]).toEqual([1, 1]);
  });

  test("a blob is absent only when all of them say so", async () => {
    expect(await both().get(UNKNOWN_ID)).toBeUndefined();
    second.knobs.get.fault = "reset";
    expect(await outcome(both().get(UNKNOWN_ID))).toContain("closed the connection");
    Object.assign(second.knobs.get, { fault: "unavailable", times: 1 });
    expect(await both().get(UNKNOWN_ID)).toBeUndefined();
  });

  test.each(["reset", "truncate", "endless", "unavailable", "forbidden", "redirect"] as const)(
    "the second one answers when the first has the fault %s",
    async (fault) => {
      const { blobId } = await storeOn().put(Buffer.from("here"));
      await walrusBlobs({ publisher: second.publisherUrl, aggregators: [NOWHERE] }).put(Buffer.from("here"));
      second.knobs.get.fault = fault;
      expect(await read(blobId)).toBe("here");
    },
  );

  test("a blob is too large when one of them says so and no other has a smaller one", async () => {
    const { blobId } = await storeOn().put(Buffer.from("on one of them"));
    walrus.knobs.get.fault = "endless";
    expect(await both().get(blobId)).toBe("too-large");
    second.knobs.get.fault = "reset";
    expect(await both().get(blobId)).toBe("too-large");
  });

  test("the second one answers after half of the time when the first hangs", async () => {
    const { blobId } = await storeOn().put(Buffer.from("here"));
    second.knobs.get.fault = "hang";
    const isReceived = () => second.traffic.get.requests === 1;
    expect(await atDeadline(TIMEOUTS.readMs / 2, isReceived, () => read(blobId))).toBe("here");
  });

  test("a blob is found once the cached 404 has expired", async () => {
    walrus.knobs.cachedNotFounds = 2;
    const blobs = storeOn();
    const { blobId } = await blobs.put(Buffer.from("slow to show"));
    expect(await blobs.get(blobId)).toBeUndefined();
    expect(await blobs.get(blobId)).toBeUndefined();
    expect(Buffer.from((await blobs.get(blobId)) ?? []).toString()).toBe("slow to show");
  });
});

describe("concurrency", () => {
  /** A round trip to the other stand-in, which takes longer than it takes requests that were sent before to arrive. */
  const roundTrip = () => fetch(second.aggregatorUrl);

  test("the process stores at most 8 blobs at a time, over all stores, so the publisher rejects none", async () => {
    const hold = Promise.withResolvers<void>();
    walrus.knobs.put.hold = hold.promise;
    const stores = [storeOn(), storeOn()];
    const all = Promise.all(Array.from({ length: 40 }, (_, i) => stores[i % 2]?.put(Buffer.from(`blob ${i}`))));
    await expect.poll(() => walrus.traffic.put.requests).toBe(8);
    await roundTrip();
    hold.resolve();
    await all;
    expect(walrus.traffic.put).toMatchObject({ requests: 40, mostAtOnce: 8 });
  });

  test("the process reads at most 128 blobs at a time", async () => {
    const blobs = storeOn();
    const { blobId } = await blobs.put(BYTES);
    const hold = Promise.withResolvers<void>();
    walrus.knobs.get.hold = hold.promise;
    const all = Promise.all(Array.from({ length: 300 }, () => blobs.get(blobId)));
    await expect.poll(() => walrus.traffic.get.requests).toBe(128);
    await roundTrip();
    hold.resolve();
    await all;
    expect(walrus.traffic.get).toMatchObject({ requests: 300, mostAtOnce: 128 });
  });

  test("the deadline covers the wait for a permit, and a put that hangs gives its permit back", async () => {
    walrus.knobs.put.fault = "hang";
    const blobs = storeOn();
    const isReceived = () => walrus.traffic.put.requests === 8;
    const puts = () => Promise.all(Array.from({ length: 12 }, () => outcome(blobs.put(BYTES))));
    const outcomes = await atDeadline(TIMEOUTS.storeMs, isReceived, puts);
    expect(new Set(outcomes).size).toBe(1);
    expect(walrus.traffic.put.requests).toBe(8);
    walrus.knobs.clear();
    await blobs.put(BYTES);
  });
});
