// Receipts anchored sealed: what is public then, what is on record, and which receipts can be.
import { describe, expect, test } from "vitest";
import { openingOfAll, openingOfSome } from "#core/receipt/held-values.ts";
import { openingText } from "#core/receipt/opening.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { canonicalJson, type Json } from "#test/proof/independent/canonical-json.ts";
import { digestHex, type OpenReceipt, sealedForm } from "#test/proof/independent/sealed-receipt.ts";
import { statuses } from "#test/support/anchored-receipt.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { post, problemIn } from "#test/support/send.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";
import { verifyInBrowser } from "#web/pages/verify/verify-in-browser.ts";

const ASK = { agentId: "assistant", query: "What may I eat on Friday?" };
const FEW = { environment: { RECALL_LIMIT: "1" } };

const sealedText = (receipt: object): string =>
  canonicalJson({ ...sealedForm(receipt as OpenReceipt), signature: (receipt as { signature: Json }).signature });

const blobOf = async ({ url }: Pick<Service, "url">, id: string): Promise<string> =>
  (await fetch(`${url}/v1/blobs/${id}`)).text();

test("the blob of a sealed anchor is the canonical JSON of the sealed form and its signature, and its digest is on the ledger", async () => {
  const service = await serviceForTest();
  const { receipt } = await service.client.chat(ASK);
  const { storeBlob, digestHex: digest } = await service.client.anchorOnChain({
    answerId: receipt.answerId,
    sealed: true,
  });
  const text = await blobOf(service, storeBlob);
  expect(text).toBe(sealedText(receipt));
  expect(digest).toBe(digestHex(Buffer.from(text)));
  const { blobId } = await service.client.anchorReceipt({ receipt, sealed: true });
  expect(blobId).toBe(storeBlob);
});

test("a receipt may be anchored open and sealed: these are two blobs, and its entry has both", async () => {
  const { client, tenant } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const { answerId } = receipt;
  const sealed = await client.anchorOnChain({ answerId, sealed: true });
  const open = await client.anchorOnChain({ answerId });
  expect(open.storeBlob).not.toBe(sealed.storeBlob);
  const { chain, anchor } = await client.getReceipt({ answerId });
  expect(chain.map((one) => [one.receiptId, one.sealed])).toEqual(
    expect.arrayContaining([
      [sealed.receiptId, true],
      [open.receiptId, undefined],
    ]),
  );
  expect(anchor?.sealed).toBe(anchor?.blobId === sealed.storeBlob ? true : undefined);
  const { differences } = await fsck(tenant, { onDifference: ({ detail }) => expect.fail(detail) });
  expect(differences).toBe(0);
});

test("a sealed anchor makes no memory public, and the open one of the same receipt does", async () => {
  const { admin, as, keyFor, url } = await keyedServiceForTest(FEW);
  const { client } = await keyFor("agent:assistant");
  const { receipt } = await client.chat(ASK);
  const [used] = receipt.usedMemories;
  const statusOf = async (id = "") => (await fetch(`${url}/v1/blobs/${id}`)).status;
  const { storeBlob } = await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
  expect([await statusOf(storeBlob), await statusOf(used?.storeRef)]).toEqual([200, 404]);
  expect(await (await fetch(`${url}/v1/blobs/${storeBlob}`)).text()).toBe(sealedText(receipt));
  await admin.anchorReceipt({ answerId: receipt.answerId });
  expect(await statusOf(used?.storeRef)).toBe(200);
  await expect(as().listReceipts()).rejects.toThrow();
});

describe("the service's own verdict on a sealed anchor", () => {
  test("is unknown, with the code sealed, and says how many fields are disclosed", async () => {
    const { client, url } = await serviceForTest(FEW);
    const { receipt } = await client.chat(ASK);
    const { receiptId } = await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
    const { verdict, checks, sealed, receipt: shown } = await client.verify({ receiptId });
    expect({ verdict, shown, fields: sealed?.fields }).toEqual({ verdict: "unknown", shown: null, fields: 7 });
    expect(checks.filter(({ status }) => status !== "pass").map(({ name, code }) => [name, code])).toEqual(
      ["opening", "statements", "agent", "claims", "stored", "memory"].map((name) => [name, "sealed"]),
    );
    const plain = await (await fetch(`${url}/verify/${receiptId}?plain=1`)).text();
    expect(plain).toContain("Sealed: 0 of 7 disclosed");
    expect(plain).toContain("An opening in the address never reaches the service");
    expect(plain).not.toContain(receipt.usedMemories[0]?.snippet);
  });
});

describe("with the opening", () => {
  async function sealedOnLedger() {
    const service = await serviceForTest(FEW);
    const { client } = service;
    const { answer, receipt, opening } = await client.chat(ASK);
    const { receiptId } = await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
    const blobs = await Promise.all(receipt.usedMemories.map(({ storeRef }) => blobOf(service, storeRef)));
    const { packageId } = await client.getTrustRoot();
    const fetchers = {
      packageId: async () => packageId,
      object: async (id: string) => (await service.tenant.ledger.find(id)) ?? ("missing" as const),
      blob: async (id: string) => new TextEncoder().encode(await blobOf(service, id)),
    };
    const { signal } = new AbortController();
    const verify = (document: Parameters<typeof openingText>[0]) =>
      verifyInBrowser(receiptId, fetchers, { signal, opening: openingText(document) });
    const held = { question: ASK.query, answer, blobs };
    return { receipt: receipt as AnswerReceipt, seed: opening.seed, held, verify };
  }

  test("the page's verifier checks everything as usual, and confirms it", async () => {
    const { receipt, seed, held, verify } = await sealedOnLedger();
    const whole = openingOfAll(receipt, seed, held);
    expect(Object.keys(whole.values ?? {})).toHaveLength(7);
    const { progress } = await verify(whole);
    expect(progress.verdict).toBe("verified");
    expect(progress.receipt).toEqual(receipt);
  });

  test("a sealed memory is checked by a stranger, to whom the service gives no blob of it, if the opening brings it", async () => {
    const { admin, as, tenant, adminKey, url } = await keyedServiceForTest({
      environment: { ...FEW.environment, SEED: "none", ENCRYPTION_KEY: "5e".repeat(32) },
    });
    await admin.putNamespace({ name: "diary" }, { encrypted: true });
    await admin.setAccess({ agentId: "assistant", namespace: "diary", allowed: true });
    const content = "On Friday there is fish.";
    const { memory } = await admin.capture({ namespace: "diary", content, sourceAgent: "assistant" });
    const { receipt, opening } = await admin.chat(ASK);
    const { receiptId } = await admin.anchorOnChain({ answerId: receipt.answerId });
    const stranger = await fetch(`${url}/v1/blobs/${memory.storeRef}`);
    expect(stranger.status).toBe(404);
    const { packageId } = await as().getTrustRoot();
    const fetchers = {
      packageId: async () => packageId,
      object: async (id: string) => (await tenant.ledger.find(id)) ?? ("missing" as const),
      async blob(id: string) {
        const response = await fetch(`${url}/v1/blobs/${id}`);
        return response.ok ? new Uint8Array(await response.arrayBuffer()) : ("missing" as const);
      },
    };
    const { signal } = new AbortController();
    const verify = (held: Parameters<typeof openingOfAll>[2]) =>
      verifyInBrowser(receiptId, fetchers, {
        signal,
        opening: openingText(openingOfAll(receipt as AnswerReceipt, opening.seed, held)),
      }).then(({ progress }) => progress);
    const own = await fetch(`${url}/v1/blobs/${memory.storeRef}`, { headers: { authorization: `Bearer ${adminKey}` } });
    const blobs = [JSON.stringify({ content, namespace: "diary", sourceAgent: "assistant" })];
    const without = await verify({ blobs });
    expect(without.verdict).toBe("unknown");
    expect(without.checks.find(({ name }) => name === "memory")).toMatchObject({
      code: "memory-missing",
      sentence: expect.stringContaining("The opening does not bring this memory’s blob"),
    });
    const whole = await verify({ blobs, encrypted: [await own.text()] });
    expect([whole.verdict, whole.checks.find(({ name }) => name === "memory")?.status]).toEqual(["verified", "pass"]);
  });

  test("question, prompt and answer may stay sealed, and the opening then gives no seed", async () => {
    const { receipt, seed, verify } = await sealedOnLedger();
    const part = openingOfAll(receipt, seed, {});
    expect(JSON.stringify(part)).not.toContain(seed);
    const { progress } = await verify(part);
    expect([progress.verdict, Object.keys(progress.sealed?.disclosed ?? {}).length]).toEqual(["verified", 4]);
  });

  test("a single field can be disclosed alone, and the verdict stays unknown", async () => {
    const { receipt, seed, verify } = await sealedOnLedger();
    const { progress } = await verify(openingOfSome(seed, [["/agentId", receipt.agentId]]));
    expect(progress.verdict).toBe("unknown");
    expect(progress.sealed?.disclosed).toEqual({ "/agentId": "assistant" });
    expect(statuses(progress.checks)).toMatchObject({ opening: "unknown", agent: "pass", claims: "unknown" });
  });
});

describe("the open form is refused to whoever holds the whole receipt", () => {
  const SEALING = { ...FEW.environment, SEED: "none", ENCRYPTION_KEY: "5e".repeat(32) };

  async function answered(isSealed: boolean, database = ":memory:") {
    const service = await serviceForTest({ environment: SEALING, database });
    const { client } = service;
    await client.setAccess({ agentId: "assistant", namespace: "diary", allowed: true });
    if (isSealed) await client.putNamespace({ name: "diary" }, { encrypted: true });
    const fact = { namespace: "diary", content: "On Friday there is fish.", sourceAgent: "assistant" };
    const { memoryId } = (await client.capture(fact)).memory;
    const { receipt } = await client.chat(ASK);
    expect(receipt.usedMemories).toMatchObject([{ memoryId, snippet: fact.content }]);
    return { ...service, receipt, memoryId };
  }

  async function expectOnlySealed({ client, tenant }: Service, receipt: object) {
    const given = { receipt: receipt as AnswerReceipt };
    for (const form of [{}, { sealed: false }])
      for (const anchoring of [
        client.anchorReceipt({ ...given, ...form }),
        client.anchorOnChain({ ...given, ...form }),
      ])
        await expect(anchoring).rejects.toMatchObject({ code: "memory-forgotten" });
    await client.anchorReceipt({ ...given, sealed: true });
    const bodies = (await tenant.records.anchors.page({ limit: 10 })).map(({ body }) => body);
    expect(bodies).toEqual([sealedText(receipt)]);
  }

  test.for([false, true])("when a memory was forgotten; sealed before: %s", async (isSealed) => {
    const { receipt, memoryId, ...service } = await answered(isSealed);
    await service.client.forgetMemory({ memoryId });
    await expectOnlySealed(service, receipt);
  });

  test("when its namespace was encrypted since", async () => {
    const { receipt, ...service } = await answered(false);
    await service.client.putNamespace({ name: "diary" }, { encrypted: true });
    await expectOnlySealed(service, receipt);
  });

  test("when a memory is sealed and the key is not here: the sealed form is taken", async () => {
    const database = `${await directoryForTest()}/records.db`;
    const first = await answered(true, database);
    await first.stop();
    const { client, tenant } = await serviceForTest({ environment: { ...FEW.environment, SEED: "none" }, database });
    await client.anchorReceipt({ receipt: first.receipt, sealed: false });
    const [anchored] = await tenant.records.anchors.page({ limit: 1 });
    expect(anchored?.body).toBe(sealedText(first.receipt));
  });
});

describe("is refused with a sentence", () => {
  test("for a receipt that this service did not issue word for word", async () => {
    const { client, url } = await serviceForTest();
    const { receipt } = await client.chat(ASK);
    const body = { receipt: { ...receipt, blockedNamespaces: [] }, sealed: true };
    const refused = await post(`${url}/api/anchor`, body);
    expect([refused.status, problemIn(refused).code]).toEqual([409, "cannot-be-sealed"]);
  });

  test("for a foreign receipt when ANCHOR_SEALED is set, and all of our own are sealed then", async () => {
    const service = await serviceForTest({ environment: { ANCHOR_SEALED: "true" } });
    const { client } = service;
    const { receipt } = await client.chat(ASK);
    const { blobId } = await client.anchorReceipt({ receipt });
    expect(await blobOf(service, blobId)).toBe(sealedText(receipt));
    await expect(client.anchorReceipt({ receipt: { ...receipt, blockedNamespaces: [] } })).rejects.toThrow(
      "word for word",
    );
  });
});
