// Proofs of receipts in the transparency log, and what an auditor reads of it.
import { describe, expect, test } from "vitest";
import { digestHex } from "#core/encoding/digest.ts";
import { fromBase64 } from "#core/log/base64.ts";
import { parseCheckpoint } from "#core/log/checkpoint.ts";
import { CHAIN_START, entryOfDisclosed, nextChain } from "#core/log/entry.ts";
import { isConsistent, isIncluded, leafHash } from "#core/log/merkle-tree.ts";
import { parseProofFile, provenCheckpoint } from "#core/log/proof-file.ts";
import { sha256 } from "#core/log/sha256.ts";
import { checkSignature, parseVkey } from "#core/log/signed-note.ts";
import { sealedFormOf, signedBytes } from "#core/receipt/sealed-form.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import { databaseForTest } from "#test/adapters/postgres/fixture.ts";
import { serviceForTest } from "#test/support/service.ts";

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
