// Proofs of receipts in the transparency log, and what an auditor reads of it.
import { join } from "node:path";
import { describe, expect, onTestFinished, test } from "vitest";
import { digestHex } from "#core/encoding/digest.ts";
import { fromBase64 } from "#core/log/base64.ts";
import { parseCheckpoint, provenCheckpoint } from "#core/log/checkpoint.ts";
import { CHAIN_START, entryOfDisclosed, nextChain } from "#core/log/entry.ts";
import { isConsistent, isIncluded, leafHash } from "#core/log/merkle-tree.ts";
import { sha256 } from "#core/log/sha256.ts";
import { checkSignature, parseVkey } from "#core/log/signed-note.ts";
import { sealedFormOf, signedBytes } from "#core/receipt/sealed-form.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import { tombstoneBytes } from "#core/tombstone.ts";
import { datesIn } from "#core/verify/checks/log-entries.ts";
import { checkTombstone } from "#core/verify/checks/memories.ts";
import { addSigningKey } from "#service/receipts/receipt-signer.ts";
import { databaseForTest } from "#test/adapters/postgres/fixture.ts";
import { parseProofFile } from "#test/support/read-proof-file.ts";
import { directoryForTest, serviceForTest, startService } from "#test/support/service.ts";

const ASK = { agentId: "assistant", query: "peanut allergy" };
const hashOf = (base64: string) => fromBase64(base64) ?? expect.fail("no hash");
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString("hex");

function signedTree(vkey: string, note: string) {
  const checkpoint = parseCheckpoint(note) ?? expect.fail("no checkpoint");
  const key = parseVkey(vkey) ?? expect.fail("no key");
  expect(checkpoint.origin).toBe(key.name);
  expect(checkSignature(checkpoint.note, key)).toBe("valid");
  return checkpoint;
}

describe.each(["SQLite", "PostgreSQL"])("a proof in %s", (name) => {
  const serviceOf = async () => serviceForTest(name === "SQLite" ? {} : { database: (await databaseForTest()).url });

  test("leads from the receipt to a signed checkpoint, as soon as the answer is given", async () => {
    const { client } = await serviceOf();
    const { receipt } = await client.chat(ASK);
    const { answerId } = receipt;
    const { vkey, entry, opened, key, checkpoint } = await client.getReceiptProof({ answerId });
    const tree = signedTree(vkey, checkpoint);
    const leaf = leafHash(entryOfDisclosed(entry));
    for (const each of [entry, opened, key])
      expect(isIncluded(leafHash(entryOfDisclosed(each)), each.index, tree, each.hashes.map(hashOf))).toBe(true);
    const { kind, state, publicKey } = JSON.parse(key.body);
    expect([kind, state, keyIdOf(Buffer.from(publicKey, "hex"))]).toEqual([
      "signing-key",
      "begun",
      receipt.signature.keyId,
    ]);
    expect(key.index).toBeLessThan(entry.index);
    const [begun, issued] = [opened, entry].map(({ body }) => JSON.parse(body));
    const signed = signedBytes(sealedFormOf(receipt));
    expect(issued).toMatchObject({
      kind: "issued",
      slot: begun.slot,
      receipt: digestHex(signed),
      signature: hex(sha256(Buffer.from(receipt.signature.value, "base64url"))),
    });
    expect(begun).toMatchObject({ kind: "opened", policyVersion: receipt.evidence.policyVersion });
    expect(opened.index).toBeLessThan(entry.index);

    const file = parseProofFile(await client.getReceiptProofFile({ answerId })) ?? expect.fail("no file");
    expect(provenCheckpoint(leaf, file)).toMatchObject({ size: tree.size, origin: tree.origin });
  });

  test("dates the tombstones of used memories, for whoever may read them, and says which keys have ended", async () => {
    const { client, tenant } = await serviceOf();
    const { receipt } = await client.chat(ASK);
    const { answerId, usedMemories } = receipt;
    expect(await client.getReceiptProof({ answerId })).not.toHaveProperty("dated");
    const { memoryId } = usedMemories[0] ?? expect.fail("no memory");
    await client.forgetMemory({ memoryId });
    const rotated = await addSigningKey(tenant.records, new Date());
    await tenant.records.signingKeys.end(receipt.signature.keyId, new Date().toISOString());
    await tenant.log.sequence();
    const { vkey, checkpoint, dated = [] } = await client.getReceiptProof({ answerId });
    const tree = signedTree(vkey, checkpoint);
    for (const each of dated)
      expect(isIncluded(leafHash(entryOfDisclosed(each)), each.index, tree, each.hashes.map(hashOf))).toBe(true);
    const { tombstone } = await client.getTombstone({ memoryId });
    const bodies = dated.map(({ body }) => JSON.parse(body));
    expect(
      bodies.map(({ kind, state = "", publicKey = "" }) => [kind, state, keyIdOf(Buffer.from(publicKey, "hex"))]),
    ).toEqual([
      ["signing-key", "begun", rotated.keyId],
      ["signing-key", "ended", receipt.signature.keyId],
      ["forgotten", "", expect.anything()],
    ]);
    expect(bodies[2].tombstone).toBe(digestHex(tombstoneBytes(tombstone)));
  });

  test("dates what a reset forgot, all of it by one entry, which no other reset stands in for", async () => {
    const { client, tenant } = await serviceOf();
    await client.resetDemo();
    const { receipt } = await client.chat(ASK);
    const { answerId, usedMemories } = receipt;
    expect(usedMemories.length).toBeGreaterThan(0);
    for (let i = 0; i < 2; i += 1) await client.resetDemo();
    const given = await Promise.all(usedMemories.map(({ memoryId }) => client.getTombstone({ memoryId })));
    await addSigningKey(tenant.records, new Date());
    await tenant.records.signingKeys.end(receipt.signature.keyId, new Date().toISOString());
    await tenant.log.sequence();
    const { vkey, checkpoint, key, dated = [] } = await client.getReceiptProof({ answerId });
    const tree = signedTree(vkey, checkpoint);
    const resets = dated.filter(({ body }) => JSON.parse(body).kind === "reset");
    expect(resets).toHaveLength(1);
    for (const each of resets)
      expect(isIncluded(leafHash(entryOfDisclosed(each)), each.index, tree, each.hashes.map(hashOf))).toBe(true);
    for (const { tombstone } of given) {
      const { memoryId, namespace } = tombstone;
      expect(tombstone).toMatchObject({ cause: "reset", signature: { keyId: receipt.signature.keyId } });
      const context = { memoryId, namespace, createdAt: receipt.createdAt, keys: [], isSealed: false };
      const judged = (shown: typeof dated) =>
        checkTombstone(tombstone, {
          ...context,
          dates: datesIn({ vkey, checkpoint, key, dated: shown }),
          nowMs: Date.now(),
        });
      expect(judged(dated)).toMatchObject({
        code: "memory-forgotten",
        sentence: expect.stringContaining(", the reset is in the log since "),
      });
      const others = dated.filter((each) => !resets.includes(each));
      expect(judged(others)).toMatchObject({ code: "tombstone-key-ended" });
    }
  });

  test("is refused while there is no end, and for a receipt that is not there", async () => {
    const { client } = await serviceOf();
    await expect(client.getReceiptProof({ answerId: "ans_unknown" })).rejects.toMatchObject({ code: "not-found" });
  });

  test("has an auditor's chain beside it, without gaps, and consistent trees", async () => {
    const { client, tenant } = await serviceOf();
    await tenant.log.sequence();
    const before = await client.getLog();
    for (let i = 0; i < 3; i += 1) await client.chat(ASK);
    await client.capture({ namespace: "health", content: "No more than one coffee.", sourceAgent: "assistant" });
    await tenant.log.sequence();
    const after = await client.getLog();
    const { entries } = await client.listLogEntries({ limit: 1_000 });
    expect(entries.map(({ number }) => number)).toEqual(entries.map((_, i) => i + 1));
    const chain = entries.reduce((last, entry) => nextChain(last, entryOfDisclosed(entry)), CHAIN_START);
    expect(after).toMatchObject({ number: entries.length, chain: hex(chain) });
    const kinds = entries.map(({ body }) => JSON.parse(body).kind);
    expect(kinds.slice(before.number)).toEqual([...Array(3).fill(["opened", "issued"]).flat(), "captured"]);
    const rest = await client.listLogEntries({ after: before.number, limit: 2 });
    expect(rest.entries).toEqual(entries.slice(before.number, before.number + 2));
    const own = await client.listLogEntries({ chain: "deployment" });
    expect(own.entries.map(({ body }) => JSON.parse(body).kind)).toContain("signing-key");
    const [from, to] = [signedTree(before.vkey, before.checkpoint), signedTree(after.vkey, after.checkpoint)];
    const { hashes } = await client.getLogConsistency({ from: from.size, to: to.size });
    expect(isConsistent(from, to, hashes.map(hashOf))).toBe(true);
    await expect(client.getLogConsistency({ from: 0, to: to.size + 1 })).rejects.toMatchObject({ code: "not-found" });
  });
});

test("what was promised to a log that has another name now is shown by its last checkpoint", async () => {
  const database = join(await directoryForTest(), "records.db");
  const start = (LOG_ORIGIN: string) => startService({ database, environment: { LOG_ORIGIN } });
  const first = await start("log.test/first");
  const { receipt } = await first.client.chat(ASK);
  await first.tenant.log.sequence();
  const { receipt: late } = await first.client.chat(ASK);
  await first.stop();
  const second = await start("log.test/second");
  onTestFinished(() => second.stop());
  await second.tenant.log.sequence();
  const { vkey, checkpoint, entry } = await second.client.getReceiptProof(receipt);
  const tree = signedTree(vkey, checkpoint);
  expect(tree.origin).toBe("log.test/first");
  expect(isIncluded(leafHash(entryOfDisclosed(entry)), entry.index, tree, entry.hashes.map(hashOf))).toBe(true);
  // The first log never signed a tree with this one.
  const behind = await second.client.getReceiptProof(late);
  expect(signedTree(behind.vkey, behind.checkpoint).origin).toBe("log.test/second");
});
