// The store against the stand-in, over real HTTP: what is sent and read, from whom, and how many at once.
import { describe, expect, it } from "vitest";
import { walrusBlobs } from "#adapters/blobs/walrus/index.ts";
import { blobStoreSuite } from "#test/suites/blob-store.ts";
import {
  BUSY_MS,
  BYTES,
  NOWHERE,
  outcome,
  PATIENCE,
  second,
  standInsForTests,
  storeOn,
  timed,
  walrus,
} from "./fixture.ts";

standInsForTests();
blobStoreSuite("walrus", () => storeOn());
blobStoreSuite("walrus, through the global fetch", () => storeOn({ fetch: globalThis.fetch }));

describe("what is sent and read", () => {
  it("puts as the specification says, and remembers object and end", async () => {
    const bytes = Buffer.from("first");
    const stored = await storeOn().put(bytes);
    expect(stored).toEqual({
      blobId: expect.stringMatching(/^[\w-]{43}$/),
      endEpoch: walrus.knobs.epoch + 5,
      objectId: walrus.find(stored.blobId)?.objectId,
    });
    expect(walrus.seen.put.last).toMatchObject({
      method: "PUT",
      url: "/v1/blobs?epochs=5",
      headers: { "content-type": "application/json" },
    });
    expect(walrus.seen.put.last?.headers).not.toHaveProperty("authorization");
  });

  it("asks for permanent blobs and more epochs, and is told when one is there already", async () => {
    const blobs = storeOn({ permanent: true, epochs: 12 });
    const { blobId, endEpoch } = await blobs.put(Buffer.from("stays"));
    expect(walrus.seen.put.last?.url).toBe("/v1/blobs?epochs=12&permanent=true");
    expect(await blobs.put(Buffer.from("stays"))).toEqual({ blobId, endEpoch });
    expect(walrus.seen.minted).toBe(1);
  });

  it("shows its token to the publisher only", async () => {
    walrus.knobs.token = "a.b.c";
    const blobs = storeOn({ token: "a.b.c" });
    await blobs.get((await blobs.put(BYTES)).blobId);
    expect(walrus.seen.put.last?.headers.authorization).toBe("Bearer a.b.c");
    expect(walrus.seen.get.last?.headers).not.toHaveProperty("authorization");
    expect(await outcome(storeOn().put(BYTES))).toContain("credentials");
  });

  it("moves credentials of a URL into a header, and keeps a path", async () => {
    const withSecrets = (url: string) => `${url.replace("http://", "http://us%40er:p%C3%A4ss@")}/some/where//`;
    const blobs = storeOn({
      publisher: withSecrets(walrus.publisherUrl),
      aggregators: [withSecrets(walrus.aggregatorUrl)],
    });
    await outcome(blobs.put(BYTES));
    expect(walrus.seen.put.last?.url).toBe("/some/where/v1/blobs?epochs=5");
    await outcome(blobs.get("A".repeat(43)));
    expect(walrus.seen.get.last?.url).toBe(`/some/where/v1/blobs/${"A".repeat(43)}`);
    const basic = `Basic ${Buffer.from("us@er:päss").toString("base64")}`;
    expect(walrus.seen.put.last?.headers.authorization).toBe(basic);
    expect(walrus.seen.get.last?.headers.authorization).toBe(basic);
  });

  it("asks nobody for what cannot be an id", async () => {
    for (const id of ["", "..", "a/../b", `${"A".repeat(43)}?x`, "é".repeat(43), `${"A".repeat(43)}\n`])
      expect(await storeOn().get(id)).toBeUndefined();
    expect(walrus.seen.get.requests).toBe(0);
  });

  it("uses its connections again, also after answers that were not good", async () => {
    const blobs = storeOn();
    const { blobId } = await blobs.put(BYTES);
    for (const fault of ["too-many-requests", "unavailable", "forbidden", "redirect"] as const) {
      Object.assign(walrus.knobs.get, { fault, times: 1 });
      await outcome(blobs.get(blobId));
      Object.assign(walrus.knobs.put, { fault, times: 1 });
      await outcome(blobs.put(BYTES));
    }
    for (let i = 0; i < 20; i += 1) await blobs.get(blobId);
    expect(walrus.seen.get.sockets).toBeLessThanOrEqual(1);
    expect(walrus.seen.put.sockets).toBeLessThanOrEqual(1);
  });
});

describe("several aggregators", () => {
  const both = () => storeOn({ aggregators: [second.aggregatorUrl, walrus.aggregatorUrl] });
  const read = async (blobId: string) => Buffer.from((await both().get(blobId)) ?? "nothing").toString();

  it("asks the next when one says 404, as it may be a cached one", async () => {
    const { blobId } = await storeOn().put(Buffer.from("here"));
    expect(await read(blobId)).toBe("here");
    expect([second.seen.get.requests, walrus.seen.get.requests]).toEqual([1, 1]);
  });

  it("says that there is none only when all said so", async () => {
    expect(await both().get("A".repeat(43))).toBeUndefined();
    second.knobs.get.fault = "reset";
    expect(await outcome(both().get("A".repeat(43)))).toContain("closed the connection");
    Object.assign(second.knobs.get, { fault: "unavailable", times: 1 });
    expect(await both().get("A".repeat(43))).toBeUndefined();
  });

  it.each(["hang", "reset", "truncate", "endless", "unavailable", "forbidden", "redirect"] as const)(
    "%s of the first: the second answers in time",
    async (fault) => {
      const { blobId } = await storeOn().put(Buffer.from("here"));
      await walrusBlobs({ publisher: second.publisherUrl, aggregators: [NOWHERE] }).put(Buffer.from("here"));
      second.knobs.get.fault = fault;
      const { value, ms } = await timed(read(blobId));
      expect(value).toBe("here");
      expect(ms).toBeLessThan(PATIENCE.readMs * 1.1 + BUSY_MS);
    },
  );

  it("a 404 that was cached is over after a few reads", async () => {
    walrus.knobs.cachedNotFounds = 2;
    const blobs = storeOn();
    const { blobId } = await blobs.put(Buffer.from("slow to show"));
    expect(await blobs.get(blobId)).toBeUndefined();
    expect(await blobs.get(blobId)).toBeUndefined();
    expect(Buffer.from((await blobs.get(blobId)) ?? []).toString()).toBe("slow to show");
  });
});

describe("how many at once", () => {
  const patience = { storeMs: 10_000, readMs: 10_000 };

  it("stores at most 8 over the process, and none of them is sent away", async () => {
    walrus.knobs.put.latencyMs = 20;
    const stores = [storeOn({ patience }), storeOn({ patience })];
    const work = Array.from({ length: 40 }, (_, i) => stores[i % 2]?.put(Buffer.from(`blob ${i}`)));
    await Promise.all(work);
    expect(walrus.seen.put).toMatchObject({ requests: 40, mostAtOnce: 8 });
  });

  it("reads at most 128", async () => {
    const blobs = storeOn({ patience });
    const { blobId } = await blobs.put(BYTES);
    walrus.knobs.get.latencyMs = 100;
    await Promise.all(Array.from({ length: 300 }, () => blobs.get(blobId)));
    expect(walrus.seen.get).toMatchObject({ requests: 300, mostAtOnce: 128 });
  });

  it("the wait for a lane counts, and a lane is given back after a hang", async () => {
    walrus.knobs.put.fault = "hang";
    const blobs = storeOn();
    const { value, ms } = await timed(Promise.all(Array.from({ length: 12 }, () => outcome(blobs.put(BYTES)))));
    expect(new Set(value).size).toBe(1);
    expect(ms).toBeLessThan(PATIENCE.storeMs * 1.1 + BUSY_MS);
    expect(walrus.seen.put.requests).toBe(8);
    walrus.knobs.clear();
    await blobs.put(BYTES);
  });
});
