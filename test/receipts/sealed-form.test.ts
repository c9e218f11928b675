// Format 2 of receipts: salted commitments, a signature over the sealed form, and fields that can be withheld.
import { createPublicKey, verify } from "node:crypto";
import fc from "fast-check";
import { describe, expect, onTestFinished, test } from "vitest";
import { commitmentTo, saltOf } from "#core/receipt/commitment.ts";
import type { AnswerReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import { sealedFormOf, signedBytes, withoutSnippets } from "#core/receipt/sealed-form.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";
import type { Tenant } from "#service/tenant.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { isCommitted } from "#test/support/reference-encoding.ts";
import { serviceForTest } from "#test/support/service.ts";

const ASK = { agentId: "assistant", query: "What about dinner on Friday?" };

async function isSigned(
  { records }: Tenant,
  receipt: Parameters<typeof sealedFormOf>[0] & Pick<AnswerReceipt, "signature">,
) {
  const key = (await records.signingKeys.list()).find(({ keyId }) => keyId === receipt.signature.keyId);
  const jwk = { kty: "OKP", crv: "Ed25519", x: Buffer.from(key?.publicKey ?? []).toString("base64url") };
  const value = Buffer.from(receipt.signature.value, "base64url");
  return verify(null, signedBytes(sealedFormOf(receipt)), createPublicKey({ key: jwk, format: "jwk" }), value);
}

const DATABASES = {
  SQLite: async () => ":memory:",
  async PostgreSQL() {
    const { url, drop } = await freshDatabase();
    onTestFinished(drop);
    return url;
  },
};

describe.each(Object.entries(DATABASES))("on %s", (_, database) => {
  test("every receipt is signed when it is issued, and the seed opens question, prompt and answer", async () => {
    const { client, tenant } = await serviceForTest({ database: await database() });
    const answered = await client.chat(ASK);
    const { receipt, opening } = answered;
    expect(await isSigned(tenant, receipt)).toBe(true);
    expect(isCommitted(answered, "/question", ASK.query)).toBe(true);
    expect(isCommitted(answered, "/answer", answered.answer)).toBe(true);
    expect(JSON.stringify(receipt)).not.toContain(opening.seed);
    expect(Object.keys(receipt.evidence.salts)).not.toContain("/question");
    expect(await client.getReceipt(receipt)).toMatchObject({ receipt, opening });
  });

  test("a rotated key signs from then on, and an ended one loses its private half", async () => {
    const { client, tenant } = await serviceForTest({ database: await database() });
    const { receipt: first } = await client.chat(ASK);
    const { keyId } = await addSigningKey(tenant.records, new Date());
    expect((await tenant.records.signingKeys.signing())?.keyId).toBe(keyId);
    expect(await tenant.records.signingKeys.end(first.signature.keyId, "2026-01-02T00:00:00.000Z")).toBe(true);
    expect(await tenant.records.signingKeys.end(first.signature.keyId, "2027-01-02T00:00:00.000Z")).toBe(false);
    const keys = await tenant.records.signingKeys.list();
    expect(keys.map((key) => [key.keyId, key.endedAt])).toEqual([
      [first.signature.keyId, "2026-01-02T00:00:00.000Z"],
      [keyId, undefined],
    ]);
    expect(keys.every((key) => key.publicKey.length === 32 && !("privateKey" in key))).toBe(true);
    expect(await isSigned(tenant, first)).toBe(true);
  });
});

test("a rotated key signs also when the clock is behind, and there are as many keys as a gate holds", async () => {
  const { tenant } = await serviceForTest();
  const first = await addSigningKey(tenant.records, new Date("2026-01-02T03:04:05.678Z"));
  const second = await addSigningKey(tenant.records, new Date("2026-01-02T03:04:03.000Z"));
  expect(second.createdAt > first.createdAt).toBe(true);
  expect((await tenant.records.signingKeys.signing())?.keyId).toBe(second.keyId);
  for (let count = (await tenant.records.signingKeys.list()).length; count < 32; count++)
    await addSigningKey(tenant.records, new Date());
  await expect(addSigningKey(tenant.records, new Date())).rejects.toMatchObject({ code: "limit-reached" });
});

test("a change of anything that the sealed form covers breaks the signature", async () => {
  const { client, tenant } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const [used, ...others] = receipt.usedMemories;
  const { pinned, ...unpinned } = used ?? {};
  expect(pinned).toBe(true);
  const changed: AnswerReceipt[] = [
    { ...receipt, agentId: "companion" },
    { ...receipt, answerId: `${receipt.answerId}x` },
    { ...receipt, createdAt: new Date(0).toISOString() },
    { ...receipt, blockedNamespaces: receipt.blockedNamespaces.slice(1) },
    { ...receipt, blockedCount: 3, blockedDigest: "" },
    { ...receipt, usedMemories: others },
    { ...receipt, usedMemories: [...receipt.usedMemories].reverse() },
    ...(used === undefined
      ? []
      : [
          { ...used, snippet: `${used.snippet}.` },
          { ...used, verified: !used.verified },
          { ...used, given: used.given + 1 },
          unpinned as UsedMemory,
          { ...used, contentDigest: "0".repeat(64) },
        ].map((other) => ({ ...receipt, usedMemories: [other, ...others] }))),
    ...[
      { kind: "recalled" as const },
      { model: "another" },
      { template: "companion/1" },
      { policyVersion: receipt.evidence.policyVersion + 1 },
      { ledgerVersion: 1 },
      { commitments: { ...receipt.evidence.commitments, "/answer": "0".repeat(64) } },
      { commitments: { ...receipt.evidence.commitments, "/more": "0".repeat(64) } },
    ].map((other) => ({ ...receipt, evidence: { ...receipt.evidence, ...other } })),
  ];
  expect(await isSigned(tenant, receipt)).toBe(true);
  for (const other of changed) expect(await isSigned(tenant, other)).toBe(false);
});

test("a snippet can be withheld, and the signature holds", async () => {
  const { client, tenant } = await serviceForTest();
  const { receipt } = await client.chat(ASK);
  const partial = withoutSnippets(receipt, ({ namespace }) => namespace === "health") as AnswerReceipt;
  expect(partial.usedMemories.some((used) => !("snippet" in used))).toBe(true);
  expect(JSON.stringify(partial)).not.toContain(
    receipt.usedMemories.find(({ namespace }) => namespace === "health")?.snippet,
  );
  expect(await isSigned(tenant, partial)).toBe(true);
});

test("salts of two fields, or of two seeds, differ, and a commitment opens with its own salt and value only", () => {
  const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });
  fc.assert(
    fc.property(seeds, seeds, fc.string(), fc.string(), fc.jsonValue(), (one, other, path, otherPath, value) => {
      fc.pre(path !== otherPath && Buffer.compare(one, other) !== 0);
      const salt = saltOf(one, path);
      expect(salt).not.toEqual(saltOf(one, otherPath));
      expect(salt).not.toEqual(saltOf(other, path));
      expect(commitmentTo(salt, value)).not.toBe(commitmentTo(saltOf(one, otherPath), value));
      expect(commitmentTo(salt, value)).not.toBe(commitmentTo(salt, [value]));
    }),
  );
});
