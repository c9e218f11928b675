// Checkpoints and proofs of inclusion, as an implementation reads them that is not ours.
import { createPublicKey } from "node:crypto";
import { createRequire } from "node:module";
import type * as Checkpoints from "@sigstore/verify/dist/tlog/checkpoint.js";
import type * as Merkle from "@sigstore/verify/dist/tlog/merkle.js";
import { expect, test } from "vitest";
import { entryOfDisclosed } from "#core/log/entry.ts";
import { keyIdOf, type NoteKey, parseVkey } from "#core/log/signed-note.ts";
import { serviceForTest } from "#test/support/service.ts";

const require = createRequire(import.meta.url);
const { verifyCheckpoint }: typeof Checkpoints = require("@sigstore/verify/dist/tlog/checkpoint.js");
const { verifyMerkleInclusion }: typeof Merkle = require("@sigstore/verify/dist/tlog/merkle.js");

type Given = Parameters<typeof verifyCheckpoint>[0];

/** A line by a witness, whom it does not know. */
const COSIGNATURE = `— witness.example/w ${Buffer.alloc(76, 1).toString("base64")}\n`;
const SPKI = Buffer.from("302a300506032b6570032100", "hex");
const ASK = { agentId: "assistant", query: "peanut allergy" };

const authorityOf = (key: NoteKey) => ({
  logID: Buffer.from(keyIdOf(key), "hex"),
  baseURL: key.name,
  publicKey: createPublicKey({ key: Buffer.concat([SPKI, key.publicKey]), format: "der", type: "spki" }),
  validFor: { start: new Date(0), end: new Date() },
});

test("@sigstore/verify accepts each checkpoint and each proof of a log that grows, and nothing that was changed", async () => {
  const { client } = await serviceForTest();
  const answers: string[] = [];
  const sizes = new Set<bigint>();
  for (let i = 0; i < 8; i += 1) {
    const { receipt } = await client.chat(ASK);
    answers.push(receipt.answerId);
    for (const answerId of answers.slice(i % 3)) {
      const { vkey, checkpoint, entry, opened, key } = await client.getReceiptProof({ answerId });
      const own = parseVkey(vkey) ?? expect.fail("no key");
      for (const { index, hashes, ...said } of [entry, opened, key]) {
        const given = {
          canonicalizedBody: Buffer.from(entryOfDisclosed(said)),
          inclusionProof: {
            checkpoint: { envelope: checkpoint + COSIGNATURE },
            hashes: hashes.map((hash) => Buffer.from(hash, "base64")),
            logIndex: String(index),
          },
        } as Given;
        const tree = verifyCheckpoint(given, [authorityOf(own)]);
        verifyMerkleInclusion(given, tree);
        sizes.add(tree.logSize);
        const other = { ...given, canonicalizedBody: Buffer.alloc(32) };
        expect(() => verifyMerkleInclusion(other, tree)).toThrow(/root hash does not match/);
        const stranger = { ...own, publicKey: Uint8Array.from(own.publicKey, (byte) => byte ^ 1) };
        const forged = { ...authorityOf(stranger), logID: authorityOf(own).logID };
        expect(() => verifyCheckpoint(given, [forged])).toThrow(/invalid checkpoint signature/);
      }
    }
  }
  expect(sizes.size).toBeGreaterThan(5);
});
