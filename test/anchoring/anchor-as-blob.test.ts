// Receipts and memories as blobs: anybody can fetch the bytes and compute the digests again.
import { expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { blobIdOf, digest, sortedJson } from "#test/support/reference-encoding.ts";
import { problemIn, send } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";

const ASK = { agentId: "assistant", query: "When is the flight to Lisbon?" };

test("the blob of an anchored receipt is its canonical JSON", async () => {
  const { client, tenant, url } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const { blobId, verified } = await client.anchorReceipt({ receipt });
  expect(verified).toBe(true);

  const bytes = new Uint8Array(await (await fetch(`${url}/v1/blobs/${blobId}`)).arrayBuffer());
  expect(new TextDecoder().decode(bytes)).toBe(sortedJson(receipt));
  expect(blobIdOf(bytes)).toBe(blobId);
  const [anchor] = await tenant.records.anchors.page({ limit: 1 });
  expect(anchor).toMatchObject({ blobId, issued: true, answerId: receipt.answerId, digest: digest(bytes) });
});

test("the same receipt anchored again gives the same blob, and one anchor on record", async () => {
  const { client, tenant } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const first = await client.anchorReceipt({ receipt });
  expect(await client.anchorReceipt({ receipt })).toEqual(first);
  expect(await tenant.records.anchors.page({ limit: 10 })).toHaveLength(1);
});

test("a receipt that differs from the issued one in one field is anchored as not issued", async () => {
  const { client, tenant } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const forged = { ...receipt, blockedNamespaces: [] };
  const { blobId, verified } = await client.anchorReceipt({ receipt: forged });
  expect(verified).toBe(true);
  expect(await tenant.records.anchors.page({ limit: 10 })).toMatchObject([{ blobId, issued: false }]);
});

test("the blob of a used memory is its fact, and has its digest", async () => {
  const { client, url } = await serviceForTest();
  const [{ receipt }, { memories }] = [await client.chat(ASK), await client.listMemories()];
  expect(receipt.usedMemories.length).toBeGreaterThan(0);
  for (const { memoryId, storeRef } of receipt.usedMemories) {
    const memory = memories.find((candidate) => candidate.memoryId === memoryId);
    const { namespace, content, sourceAgent, contentDigest } = memory ?? expect.fail("a used memory is in the list");
    const bytes = await (await fetch(`${url}/v1/blobs/${storeRef}`)).bytes();
    expect(JSON.parse(new TextDecoder().decode(bytes))).toEqual({ namespace, content, sourceAgent });
    expect(digest(bytes)).toBe(contentDigest);
    expect(blobIdOf(bytes)).toBe(storeRef);
  }
});

test("a blob can be read from any site, and a browser never shows it as a page", async () => {
  const { client, url } = await serviceForTest();
  const { memory } = await client.capture({ namespace: "n", content: "<script>alert(1)</script>", sourceAgent: "a" });
  const { headers, text } = await send(`${url}/v1/blobs/${memory.storeRef}`, { headers: { origin: "https://a.test" } });
  expect(text).toContain("<script>");
  expect(headers).toMatchObject({
    "content-type": "application/octet-stream",
    "access-control-allow-origin": "*",
    "cross-origin-resource-policy": "cross-origin",
    "x-content-type-options": "nosniff",
    "content-security-policy": expect.stringContaining("default-src 'none'"),
  });
});

test.for(["unknown", "%00", "..%2f..%2fetc%2fpasswd", "%ff%fe", "__proto__", "A".repeat(5_000)])(
  "an unknown blob id is a 404 problem: %s",
  async (blobId) => {
    const { url } = await serviceForTest();
    const answer = await send(`${url}/v1/blobs/${blobId}`);
    expect(answer.status).toBe(404);
    expect(answer.headers["content-type"]).toBe("application/problem+json");
    expect(problemIn(answer).code).toBe("blob-not-found");
  },
);

test("the blob checks of one answer run in parallel", async () => {
  const store = memoryBlobs();
  let waiting: (() => void)[] = [];
  const { client } = await serviceForTest({
    overrides: {
      blobs: {
        ...store,
        // No get returns before all twelve have begun, so gets one after another would never end.
        async get(blobId) {
          await new Promise<void>((resolve) => {
            waiting.push(resolve);
            if (waiting.length < 12) return;
            for (const go of waiting) go();
            waiting = [];
          });
          return store.get(blobId);
        },
      },
    },
  });
  await client.setAccess({ agentId: "assistant", namespace: "finance", allowed: true });
  const { receipt } = await client.chat({ ...ASK, query: "What do you know about me?" });
  expect(receipt.usedMemories).toHaveLength(12);
  expect(receipt.usedMemories.every(({ verified }) => verified)).toBe(true);
});

test("a missing blob is not verified, an altered one is not intact, and neither prevents the answer", async () => {
  const store = memoryBlobs();
  const { client } = await serviceForTest({
    overrides: {
      blobs: {
        ...store,
        async get(blobId) {
          const text = Buffer.from((await store.get(blobId)) ?? []).toString();
          if (text.includes("rose")) return undefined;
          if (text.includes("tulip")) throw new Error("the store hangs");
          return new TextEncoder().encode(text.replace("Lilies are white", "Lilies are black"));
        },
      },
    },
  });
  for (const content of ["A rose is red.", "A tulip is yellow.", "Lilies are white.", "Ivy is green."]) {
    await client.capture({ namespace: "garden", content, sourceAgent: "gardener" });
  }
  await client.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  const { answer, receipt } = await client.chat({ agentId: "gardener", query: "Which colour has a rose?" });
  expect(answer).toContain("A rose is red.");
  const check = (word: string) => receipt.usedMemories.find(({ snippet }) => snippet.includes(word));
  expect(check("rose")).toMatchObject({ authorized: true, verified: false, intact: false });
  expect(check("tulip")).toMatchObject({ authorized: true, verified: false, intact: false });
  expect(check("Lilies")).toMatchObject({ authorized: true, verified: true, intact: false });
  expect(check("Ivy")).toMatchObject({ authorized: true, verified: true, intact: true });
});

test("an anchor whose blob cannot be read is not verified", async () => {
  const store = memoryBlobs();
  let lost = false;
  const { client } = await serviceForTest({
    overrides: { blobs: { ...store, get: async (blobId) => (lost ? undefined : store.get(blobId)) } },
  });
  const { receipt } = await client.chat(ASK);
  lost = true;
  expect(await client.anchorReceipt({ receipt })).toMatchObject({ verified: false });
});
