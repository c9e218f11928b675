// The specification says of a blob id only that it is a string. The store chooses its form.
import { expect, onTestFinished, test } from "vitest";
import { digestHex } from "#core/encoding/digest.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { post } from "#test/support/send.ts";
import { serviceForTest } from "#test/support/service.ts";
import { startWalrusStandIn } from "#test/support/walrus-stand-in/walrus-stand-in.ts";

const ASK = { agentId: "assistant", query: "What is planned for dinner on Friday?" };

async function serviceOn(blobIdOf: (bytes: Uint8Array) => string) {
  const walrus = await startWalrusStandIn({ blobIdOf, isBlobId: () => true });
  onTestFinished(() => walrus.close());
  return serviceForTest({
    environment: { BLOBSTORE_PUBLISHER: walrus.publisherUrl, BLOBSTORE_AGGREGATOR: walrus.aggregatorUrl },
  });
}

const FORMS: Readonly<Record<string, (digest: string) => string>> = {
  "of some digits": (digest) => digest.slice(0, 12),
  "of 128 characters": (digest) => digest + digest,
  "with every other URL-safe character": (digest) => `${digest.slice(0, 40)}.~-_==`,
};

test.for(Object.entries(FORMS))("a store whose ids are %s is used from the start to the proof", async ([, idOf]) => {
  const { client, tenant } = await serviceOn((bytes) => idOf(digestHex(bytes)));
  const { receipt } = await client.chat(ASK);
  expect(receipt.usedMemories.length).toBeGreaterThan(0);
  for (const used of receipt.usedMemories) expect(used).toMatchObject({ verified: true, intact: true });
  const { receiptId, storeBlob, digestHex: digest } = await client.anchorOnChain({ receipt });
  expect(storeBlob).toBe(idOf(digest));
  expect((await client.verify({ receiptId })).verdict).toBe("verified");

  // Such an id does not follow from the bytes by a rule that we know. That is neither a pass nor a failure.
  const deep = await client.verify({ receiptId }, { deep: "1" });
  expect(deep.verdict).toBe("unknown");
  const ids = deep.checks.filter(({ name }) => name === "id");
  expect(new Set(ids.map(({ status }) => status))).toEqual(new Set(["unknown"]));
  expect((await fsck(tenant, { deep: true })).differences).toBe(0);
});

test("an id that is not URL-safe, or too long for the ledger, is refused when the blob is stored", async () => {
  let idOf = (digest: string) => digest;
  const { url, client } = await serviceOn((bytes) => idOf(digestHex(bytes)));
  const { memories } = await client.listMemories();
  for (const bad of ["", "..", "a/b", "a?b=c", "é", "a b", "x".repeat(129)]) {
    idOf = () => bad;
    const reply = await post(`${url}/api/memories`, { namespace: "n", content: `fact ${bad}`, sourceAgent: "s" });
    expect(JSON.parse(reply.text), bad).toMatchObject({ status: 502, code: "blob-store-failed" });
  }
  expect((await client.listMemories()).memories).toEqual(memories);
});
