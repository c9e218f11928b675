// The stand-in answers as Walrus does. These tests do not use our adapter.
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startWalrusStandIn, type WalrusStandIn } from "./walrus-stand-in.ts";

let walrus: WalrusStandIn;
beforeAll(async () => {
  walrus = await startWalrusStandIn({ blobIdOf: (bytes) => `${bytes.length}`.padStart(43, "L") });
});
afterAll(() => walrus.close());
afterEach(() => {
  walrus.knobs.clear();
  walrus.traffic.clear();
});

const put = (query: string, body: string | Uint8Array<ArrayBuffer> = "blob", headers: Record<string, string> = {}) =>
  fetch(`${walrus.publisherUrl}/v1/blobs${query}`, { method: "PUT", body, headers });
const get = (blobId: string) => fetch(`${walrus.aggregatorUrl}/v1/blobs/${blobId}`);
const ID = "4".padStart(43, "L");

async function expectRefusal(response: Response, code: number, reason: string): Promise<void> {
  expect(response.status).toBe(code);
  expect(await response.json()).toMatchObject({ error: { code, details: [{ "@type": "ErrorInfo", reason }] } });
}

test("mints a deletable blob again, but not a permanent one or one whose resources are reused", async () => {
  expect(await (await put("?epochs=3")).json()).toMatchObject({
    newlyCreated: { blobObject: { blobId: ID, size: 4, storage: { endEpoch: 103 } } },
  });
  expect(await (await put("?epochs=3")).json()).toHaveProperty("newlyCreated");
  expect(await (await put("?epochs=3&reuse_resources=true")).json()).toMatchObject({
    alreadyCertified: { blobId: ID, object: expect.stringMatching(/^0x/), endEpoch: 103 },
  });
  expect(await (await put("?epochs=5&permanent=true")).json()).toHaveProperty(
    "newlyCreated.blobObject.deletable",
    false,
  );
  expect(await (await put("?epochs=5&permanent=true")).json()).toMatchObject({
    alreadyCertified: { blobId: ID, event: { eventSeq: "0" }, endEpoch: 105 },
  });
  expect(await (await put("?epochs=6&permanent=true")).json()).toHaveProperty("newlyCreated");
});

test("serves a blob with Walrus's headers until its end epoch", async () => {
  await put("?epochs=9");
  const response = await get(ID);
  expect(await response.text()).toBe("blob");
  expect(Object.fromEntries(response.headers)).toMatchObject({
    etag: ID,
    "cache-control": "public, max-age=86400",
    "access-control-allow-origin": "*",
    "x-content-type-options": "nosniff",
  });
  walrus.knobs.epoch += 9;
  await expectRefusal(await get(ID), 404, "BLOB_NOT_FOUND");
});

test("refuses what Walrus refuses", async () => {
  await expectRefusal(await put("?epochs=5&surprise=1"), 400, "MALFORMED_REQUEST");
  await expectRefusal(await put("?epochs=54"), 400, "MALFORMED_REQUEST");
  await expectRefusal(await get("short"), 400, "MALFORMED_REQUEST");
  expect((await put("?epochs=5", new Uint8Array(10 * 1024 * 1024 + 1))).status).toBe(413);
  walrus.knobs.token = "t";
  expect((await put("?epochs=5")).status).toBe(401);
  expect((await put("?epochs=5", "blob", { Authorization: "Bearer t" })).status).toBe(200);
});

test("answers 429 in plain text to requests beyond its limit of 16 in flight", async () => {
  const hold = Promise.withResolvers<void>();
  walrus.knobs.put.hold = hold.promise;
  const all = Promise.all(Array.from({ length: 20 }, () => put("?epochs=1")));
  // Only the requests beyond the limit are answered now.
  await expect.poll(() => walrus.traffic.put.requests).toBe(20);
  hold.resolve();
  const responses = await all;
  expect(responses.filter(({ status }) => status === 429)).toHaveLength(4);
  expect(responses.find(({ status }) => status === 429)?.headers.get("Content-Type")).toContain("text/plain");
});
