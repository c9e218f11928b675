// Test data: a receipt of format 2, made and signed as docs/proof.md says, with none of our code.
import { createPrivateKey, createPublicKey, sign } from "node:crypto";
import { blake2b } from "@noble/hashes/blake2.js";
import { digest, sortedJson } from "./reference-encoding.ts";

export interface Fact {
  readonly namespace: string;
  readonly content: string;
  readonly sourceAgent: string;
  readonly occurredAt?: string;
  readonly metadata?: Readonly<Record<string, string | number | boolean>>;
}

type Json = Readonly<Record<string, unknown>>;

/** A receipt as JSON: of any shape, so that it can be forged. */
export interface ReceiptJson extends Json {
  readonly usedMemories: readonly Json[];
  readonly evidence: Json & { readonly commitments: Json; readonly salts: Json };
}

export interface SigningPair {
  readonly publicKey: Uint8Array;
  readonly keyId: string;
  sign(bytes: Uint8Array): string;
}

/** A key pair from a byte, the same one each time. */
export function signingPair(byte: number): SigningPair {
  const head = Buffer.from("302e020100300506032b657004220420", "hex");
  const key = createPrivateKey({ key: Buffer.concat([head, Buffer.alloc(32, byte)]), format: "der", type: "pkcs8" });
  const { x = "" } = createPublicKey(key).export({ format: "jwk" });
  const publicKey = Uint8Array.from(Buffer.from(x, "base64url"));
  const keyId = digest(Buffer.concat([Buffer.from("portcullis/key/v1\0"), publicKey])).slice(0, 32);
  return { publicKey, keyId, sign: (bytes) => sign(null, bytes, key).toString("base64url") };
}

export const SERVICE_KEY = signingPair(7);
/** Of every receipt here. */
export const SEED = Uint8Array.from({ length: 32 }, (_, i) => i + 1);

export const saltOf = (path: string, seed = SEED): string =>
  Buffer.from(blake2b(Buffer.from(path), { key: seed, dkLen: 32 })).toString("hex");

export function commitmentTo(salt: string, value: unknown): string {
  const head = Buffer.from("portcullis/commit/v2\0");
  return digest(Buffer.concat([head, Buffer.from(salt, "hex"), Buffer.from(sortedJson(value))]));
}

export function shownFields(receipt: Json): [path: string, value: unknown][] {
  const { agentId, blockedNamespaces, blockedCount, blockedDigest } = receipt;
  const blocked = { blockedNamespaces, ...(blockedCount !== undefined && { blockedCount, blockedDigest }) };
  const memories = (receipt.usedMemories as readonly Json[]).flatMap((memory, i): [string, unknown][] => {
    const { snippet, ...rest } = memory;
    return [
      [`/usedMemories/${i}/rest`, rest],
      [`/usedMemories/${i}/snippet`, snippet],
    ];
  });
  return [["/agentId", agentId], ["/blockedNamespaces", blocked], ...memories];
}

/** The sealed form that an open form stands for, as far as it has salts. */
function sealed(receipt: ReceiptJson): Json {
  const { commitments, salts = {}, ...head } = receipt.evidence;
  const shown = shownFields(receipt).filter(([path]) => path in salts);
  const own = shown.map(([path, value]) => [path, commitmentTo(String(salts[path]), value)] as const);
  const { answerId, createdAt } = receipt;
  return { ...head, answerId, createdAt, commitments: { ...commitments, ...Object.fromEntries(own) } };
}

/** The sealed form with its signature, as it is anchored. */
export const sealedReceipt = (receipt: ReceiptJson): Json => ({ ...sealed(receipt), signature: receipt.signature });

export const signedBytes = (receipt: ReceiptJson): Uint8Array =>
  Buffer.concat([Buffer.from("portcullis/receipt/v2\0"), Buffer.from(sortedJson(sealed(receipt)))]);

/** Signs what the receipt says. */
export function signed(receipt: ReceiptJson, pair: SigningPair = SERVICE_KEY): ReceiptJson {
  return { ...receipt, signature: { keyId: pair.keyId, value: pair.sign(signedBytes(receipt)) } };
}

/** Salts for everything that the receipt shows, and the signature over it. */
export function sealedAndSigned(receipt: ReceiptJson, pair: SigningPair = SERVICE_KEY): ReceiptJson {
  const salts = Object.fromEntries(shownFields(receipt).map(([path]) => [path, saltOf(path)]));
  return signed({ ...receipt, evidence: { ...receipt.evidence, salts } }, pair);
}

/** What no form of a receipt here shows. */
export const HIDDEN = { "/question": "What may I eat?", "/prompt": { system: "s", user: "u" }, "/answer": "Fish." };

export interface ReceiptOptions {
  readonly agentId?: string;
  readonly facts?: readonly Fact[];
  readonly blockedNamespaces?: readonly string[];
  readonly idOf: (bytes: Uint8Array) => string;
  /** Changes what the service says before it signs. */
  readonly evidence?: Json;
}

/** A receipt before it is sealed: with no salts and no signature. */
export function unsignedReceipt({
  agentId,
  facts = [],
  blockedNamespaces,
  idOf,
  evidence,
}: ReceiptOptions): ReceiptJson {
  const commitments = Object.fromEntries(
    Object.entries(HIDDEN).map(([path, value]) => [path, commitmentTo(saltOf(path), value)]),
  );
  return {
    agentId,
    answerId: "ans_1",
    blockedNamespaces,
    createdAt: "2026-05-01T10:00:00.000Z",
    evidence: {
      commitments,
      kind: "answered",
      model: "built-in",
      policyDigest: digest("the policy"),
      policyVersion: 7,
      salts: {},
      template: "assistant/1",
      v: 2,
      ...evidence,
    },
    usedMemories: facts.map((fact, i) => usedMemory(fact, i, idOf)),
  };
}

function usedMemory(fact: Fact, index: number, idOf: (bytes: Uint8Array) => string): Json {
  const bytes = new TextEncoder().encode(sortedJson(fact));
  return {
    authorized: true,
    contentDigest: digest(bytes),
    given: fact.content.length,
    intact: true,
    memoryId: `mem_${index}`,
    namespace: fact.namespace,
    snippet: snippetOf(fact.content),
    storeRef: idOf(bytes),
    verified: true,
  };
}

/** The first 160 characters, with white space collapsed to one line. */
function snippetOf(content: string): string {
  const characters = Array.from(content.trim().replace(/\s+/gu, " "));
  return characters.length <= 160 ? characters.join("") : `${characters.slice(0, 160).join("").trimEnd()}…`;
}
