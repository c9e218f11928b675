// The seal of a receipt: its salts follow from its seed, and a key of the service signed its sealed form.
import { createPublicKey, type KeyObject, verify } from "node:crypto";
import { saltOf } from "#core/receipt/disclosure/commitment.ts";
import { snippetPath } from "#core/receipt/disclosure/private-fields.ts";
import { sealedFormOf, signedBytes } from "#core/receipt/disclosure/sealed-form.ts";
import { signedReceiptFault } from "#core/receipt/disclosure/signed-receipt-shape.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import type { PublicSigningKey } from "#ports.ts";

export type KeysById = ReadonlyMap<string, KeyObject>;

export function keysById(keys: readonly PublicSigningKey[]): KeysById {
  return new Map(keys.map(({ keyId, publicKey }) => [keyId, keyObjectOf(publicKey)]));
}

/** What is wrong with the seal; undefined if nothing is. Throws for a receipt that is not whole. */
export function sealFault(receipt: AnswerReceipt, seed: string | "locked" | null, keys: KeysById): string | undefined {
  const shapeFault = signedReceiptFault(withSnippetPaths(receipt));
  if (shapeFault !== undefined) return `its seal is malformed: ${shapeFault}`;
  const { evidence, signature } = receipt;
  const seedBytes = Buffer.from(seed ?? "", "hex");
  const isOpened = Object.entries(evidence.salts).every(([path, salt]) => hex(saltOf(seedBytes, path)) === salt);
  if (seed !== "locked" && (seedBytes.length !== SEED_BYTES || !isOpened)) return "its seed does not open it";
  const key = keys.get(signature.keyId);
  if (key === undefined) return "it is signed with a key that is not on record";
  const bytes = signedBytes(sealedFormOf(receipt));
  const isSigned = verify(null, bytes, key, Buffer.from(signature.value, "base64url"));
  return isSigned ? undefined : "its signature does not fit it";
}

/**
 * The shape that the receipt has with its snippets, which are withheld on record. Salts and commitments are of one form,
 * so that the commitments stand in for the salts.
 */
function withSnippetPaths(receipt: AnswerReceipt): AnswerReceipt {
  const { evidence, usedMemories } = receipt;
  const [commitments, salts] = [new Map(Object.entries(evidence.commitments)), new Map(Object.entries(evidence.salts))];
  const whole = usedMemories.map((memory, i) => {
    const path = snippetPath(i);
    const commitment = commitments.get(path);
    if (memory.snippet !== undefined || commitment === undefined) return memory;
    salts.set(path, commitment);
    commitments.delete(path);
    return { ...memory, snippet: "" };
  });
  const paths = { commitments: Object.fromEntries(commitments), salts: Object.fromEntries(salts) };
  return { ...receipt, usedMemories: whole, evidence: { ...evidence, ...paths } };
}

const SEED_BYTES = 32;
const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** What DER puts before the 32 bytes of an Ed25519 public key (RFC 8410). */
const SPKI_HEAD = Buffer.from("302a300506032b6570032100", "hex");

function keyObjectOf(publicKey: Uint8Array): KeyObject {
  return createPublicKey({ key: Buffer.concat([SPKI_HEAD, publicKey]), format: "der", type: "spki" });
}
