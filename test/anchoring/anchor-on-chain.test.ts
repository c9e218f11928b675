// POST /api/anchor-chain and the verification of its receipts, over real HTTP, on the local ledger.
import { stat } from "node:fs/promises";
import { join } from "node:path";
import { inspect } from "node:util";
import { describe, expect, test } from "vitest";
import { loadOrCreateKeypair } from "#adapters/ledger/local/keypair.ts";
import { createVerifier } from "#service/anchoring/verifier.ts";
import { RECEIPT } from "#test/support/bodies.ts";
import { digest, sortedJson } from "#test/support/reference-encoding.ts";
import { post, problemIn, send } from "#test/support/send.ts";
import { changingNothing, directoryForTest, serviceForTest, sharedService } from "#test/support/service.ts";

const ASK = { agentId: "assistant", query: "What is planned for dinner on Friday?" };

test("an issued receipt is anchored with the fields of the specification and the end of its leases, and verifies", async () => {
  const { client, url } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const anchored = await client.anchorOnChain({ receipt });
  expect(anchored).toEqual({
    txDigest: expect.stringMatching(/^[1-9A-HJ-NP-Za-km-z]{43,44}$/),
    receiptId: expect.stringMatching(/^0x[0-9a-f]{64}$/),
    allAuthorized: true,
    explorerUrl: `${url}/ledger/tx/${anchored.txDigest}`,
    verifyPath: `/verify/${anchored.receiptId}`,
    storeBlob: expect.any(String),
    digestHex: digest(new TextEncoder().encode(sortedJson(receipt))),
    storedUntil: null,
  });
  const verification = await client.verify({ receiptId: anchored.receiptId });
  expect(verification.verdict).toBe("verified");
  expect(verification.checks.every(({ status }) => status === "pass")).toBe(true);
  expect(verification.receipt).toEqual(receipt);
  for (const path of [anchored.verifyPath, `/ledger/tx/${anchored.txDigest}`, `/ledger/object/${anchored.receiptId}`]) {
    const page = await send(`${url}${path}`, { headers: { accept: "text/html" } });
    expect(page).toMatchObject({ status: 200 });
    expect(page.headers["content-type"]).toBe("text/html; charset=utf-8");
    expect(page.headers["content-security-policy"]).not.toContain("unsafe-inline");
  }
});

test("the same receipt with the same claims under the same policy gives the same result, and mints no second one", async () => {
  const { client } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const first = await client.anchorOnChain({ receipt, claimNamespaces: ["diet", "health"] });
  const before = await client.ledgerTransactions();
  expect(await client.anchorOnChain({ receipt, claimNamespaces: ["health", "diet", "health"] })).toEqual(first);
  expect(await client.ledgerTransactions()).toEqual(before);
});

test("no anchor is taken while a thousand wait for the ledger, and nothing is stored of it", async () => {
  const service = await serviceForTest();
  const { receipt } = await service.client.chat(ASK);
  const { chainAnchors, anchors } = service.tenant.records;
  const waiting = { agentId: "a", blobId: "b", claimed: [], policyVersion: "newest" as const };
  const requests = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => chainAnchors.request({ ...waiting, digest: String(i) }, "now")),
  );
  const refused = await post(`${service.url}/api/anchor-chain`, { receipt });
  expect(refused.status).toBe(503);
  expect(problemIn(refused).code).toBe("overloaded");
  expect(await anchors.page({ limit: 10 })).toEqual([]);
  for (const { id } of requests) await chainAnchors.drop(id);
  await service.client.anchorOnChain({ receipt });
});

test("a claim of a blocked namespace is not authorized, and its verification fails", async () => {
  const { client } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const { allAuthorized, receiptId } = await client.anchorOnChain({ receipt, claimNamespaces: ["diet", "finance"] });
  expect(allAuthorized).toBe(false);
  const { verdict, checks } = await client.verify({ receiptId });
  expect(verdict).toBe("failed");
  expect(checks.filter(({ status }) => status === "fail").map(({ name }) => name)).toEqual(["claims"]);
});

test("a revoke after the answer does not change its verdict, whether it was anchored before or after", async () => {
  const { client } = await serviceForTest();
  const [{ receipt: first }, { receipt: second }] = [await client.chat(ASK), await client.chat(ASK)];
  const before = await client.anchorOnChain({ receipt: first });
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  const after = await client.anchorOnChain({ receipt: second });
  expect([before.allAuthorized, after.allAuthorized]).toEqual([true, true]);
  for (const { receiptId } of [before, after]) {
    const { verdict, chain } = await client.verify({ receiptId });
    expect([verdict, chain?.policyVersion]).toEqual(["verified", String(first.evidence.policyVersion)]);
  }
});

test("a gate that is opened after the answer authorizes nothing that was closed before", async () => {
  const { client } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  await client.setAccess({ agentId: "assistant", namespace: "finance", allowed: true });
  expect((await client.anchorOnChain({ receipt, claimNamespaces: ["finance"] })).allAuthorized).toBe(false);
  const later = (await client.chat(ASK)).receipt;
  expect((await client.anchorOnChain({ receipt: later, claimNamespaces: ["finance"] })).allAuthorized).toBe(true);
});

test("a receipt that we did not issue is judged by the newest version, whatever it states", async () => {
  const { client } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  await client.setAccess({ agentId: "assistant", namespace: "health", allowed: false });
  const foreign = { ...receipt, blockedNamespaces: [] };
  const { receiptId, allAuthorized } = await client.anchorOnChain({ receipt: foreign, claimNamespaces: ["health"] });
  expect(allAuthorized).toBe(false);
  const { chain, checks } = await client.verify({ receiptId });
  expect(checks.find(({ name }) => name === "signature")?.code).toBe("signature-wrong");
  expect([chain?.claimed, chain?.policyVersion]).toEqual([["health"], String(receipt.evidence.policyVersion + 1)]);
});

test("a receipt of ours claims all that it used, and what the caller names", async () => {
  const { client } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const used = receipt.usedMemories.map(({ namespace }) => namespace);
  const { receiptId } = await client.anchorOnChain({ receipt, claimNamespaces: ["finance"] });
  const { chain } = await client.verify({ receiptId });
  expect(chain?.claimed).toEqual([...new Set([...used, "finance"])].sort());
});

/** Nothing is ever anchored on its ledger. */
const withoutAnchors = sharedService();

describe("claimNamespaces", () => {
  test.for([
    ["empty", [], true],
    ["with repeats", ["diet", "diet", "diet"], true],
    ["with an unknown namespace", ["no such namespace"], false],
    ["with names that objects inherit", ["__proto__", "constructor"], false],
    ["1,000 entries, 6 of them different", Array.from({ length: 1_000 }, (_, i) => `n${i % 6}`), false],
  ] as const)("is judged: %s", async ([, claimNamespaces, authorized]) => {
    const { client } = await serviceForTest();
    const { receipt } = await client.chat(ASK);
    const { allAuthorized } = await client.anchorOnChain({ receipt, claimNamespaces: [...claimNamespaces] });
    expect(allAuthorized).toBe(authorized);
  });

  test.for([
    ["1,000 different ones", Array.from({ length: 1_000 }, (_, i) => `n${i}`), "#/claimNamespaces"],
    ["65 different ones", Array.from({ length: 65 }, (_, i) => `n${i}`), "#/claimNamespaces"],
    ["1,001 entries", Array.from({ length: 1_001 }, () => "n"), "#/claimNamespaces"],
    ["not an array", "diet", "#/claimNamespaces"],
    ["null", null, "#/claimNamespaces"],
    ["a number in it", ["diet", 1], "#/claimNamespaces/1"],
    ["an empty name", [""], "#/claimNamespaces/0"],
  ] as const)("is refused with a pointer, and changes nothing: %s", async ([, claimNamespaces, pointer]) => {
    const service = withoutAnchors();
    const answer = await changingNothing(service, () =>
      post(`${service.url}/api/anchor-chain`, { receipt: RECEIPT, claimNamespaces }),
    );
    expect(problemIn(answer)).toMatchObject({ status: 400, code: "invalid-request", errors: [{ pointer }] });
    expect((await service.client.ledgerTransactions()).transactions).toHaveLength(1); // The genesis.
  });
});

describe("the ledger's explorer", () => {
  test("shows an object and a transaction, decoded and as BCS", async () => {
    const { client } = await serviceForTest();
    const { receipt } = await client.chat(ASK);
    const { receiptId, txDigest, storeBlob, digestHex } = await client.anchorOnChain({ receipt });
    const object = await client.ledgerObject({ objectId: receiptId });
    expect(object).toMatchObject({ objectId: receiptId, previousTransaction: txDigest });
    expect(object.fields).toMatchObject({
      agent: "assistant",
      blob_id: storeBlob,
      digest: digestHex,
      all_authorized: true,
    });
    const transaction = await client.ledgerTransaction({ digest: txDigest });
    expect(transaction.functions).toMatchObject({ anchor_receipt: 1 });
    expect(transaction.changedObjects.map(({ objectId }) => objectId)).toContain(receiptId);
    expect(Buffer.from(transaction.bcs, "base64").length).toBeGreaterThan(100);
  });

  test.for([
    ["/api/ledger/objects/0x123", 404],
    ["/api/ledger/objects/zebra", 400],
    [`/api/ledger/objects/0x${"1".repeat(65)}`, 400],
    [`/api/ledger/transactions/${"1".repeat(43)}`, 404],
    ["/api/ledger/transactions/0O", 400],
    ["/api/ledger/transactions?limit=0", 400],
    [`/api/verify/0x${"g".repeat(64)}`, 400],
  ] as const)("answers %s with a problem of status %i", async ([path, status]) => {
    const { url } = withoutAnchors();
    expect(problemIn(await send(`${url}${path}`)).status).toBe(status);
  });
});

describe("a verification fails at the object, and passes no check, for", () => {
  test.for([
    ["an unknown id", `0x${"12".repeat(32)}`],
    ["the clock, which is not a receipt", "0x6"],
  ] as const)("%s", async ([, receiptId]) => {
    const { client } = withoutAnchors();
    const { verdict, checks } = await client.verify({ receiptId });
    expect(verdict).toBe("failed");
    expect(checks.map(({ name, status }) => `${name} ${status}`)).toContain("object fail");
    expect(checks.filter(({ status }) => status === "pass")).toEqual([]);
  });
});

test("after a restart, anchors verify and are not minted again", async () => {
  const database = join(await directoryForTest(), "memories.db");
  const first = await serviceForTest({ database });
  const { receipt } = await first.client.chat(ASK);
  const anchored = await first.client.anchorOnChain({ receipt });
  const transactions = await first.client.ledgerTransactions();
  await first.stop();

  const second = await serviceForTest({ database });
  expect(await second.client.ledgerTransactions()).toEqual(transactions);
  expect((await second.client.verify({ receiptId: anchored.receiptId })).verdict).toBe("verified");
  const again = await second.client.anchorOnChain({ receipt });
  expect([again.receiptId, again.txDigest]).toEqual([anchored.receiptId, anchored.txDigest]);
  expect(await second.client.ledgerTransactions()).toEqual(transactions);
});

test("the ledger's key is in a file that only its owner can read, and in no object or log", async () => {
  const directory = await directoryForTest();
  const service = await serviceForTest({ database: join(directory, "memories.db") });
  const { receipt } = await service.client.chat(ASK);
  await service.client.anchorOnChain({ receipt });
  const path = join(directory, "memories.db.ledger-key");
  expect((await stat(path)).mode & 0o777).toBe(0o600);

  const exported = loadOrCreateKeypair(path).getSecretKey();
  const inspected = inspect([service.app, service.tenant], { depth: 12, showHidden: true, maxArrayLength: 1_000 });
  expect(inspected).toContain("ledgerLog"); // The inspection does reach inside.
  for (const secret of [exported, exported.slice(12, 40)]) {
    expect(inspected).not.toContain(secret);
    expect(service.logLines.join()).not.toContain(secret);
  }
});

test("a deep verification derives every blob's id from its bytes, and fails when a store returned another id", async () => {
  const { client, tenant, url } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const { receiptId } = await client.anchorOnChain({ receipt });
  const deep = await client.verify({ receiptId }, { deep: "1" });
  expect(deep.verdict).toBe("verified");
  const ids = deep.checks.filter(({ name }) => name === "id");
  expect(ids).toHaveLength(1 + new Set(receipt.usedMemories.map(({ storeRef }) => storeRef)).size);
  expect((await client.verify({ receiptId })).checks.some(({ name }) => name === "id")).toBe(false);
  expect((await send(`${url}/verify/${receiptId}?deep=1`, { headers: { accept: "text/html" } })).text).toContain(
    "follow",
  );

  const withLyingStore = createVerifier({ ...tenant, deriveBlobId: async () => "another id" });
  const lying = await withLyingStore.verify(receiptId, { deep: true });
  expect(lying.verdict).toBe("failed");
  const { deriveBlobId: _, ...without } = tenant;
  expect((await createVerifier(without).verify(receiptId, { deep: true })).verdict).toBe("unknown");
});
