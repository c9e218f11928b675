// The sealed form of a receipt of format 2, its commitments and its signature, by the section "Receipt, format 2" of
// docs/proof.md.
import { createPublicKey, verify } from "node:crypto";
import { blake2b } from "@noble/hashes/blake2.js";
import { canonicalJson, type Json } from "./canonical-json.ts";
import { data } from "./proof-page.ts";

type JsonObject = { readonly [key: string]: Json };

export interface OpenReceipt {
  readonly answerId: string;
  readonly createdAt: string;
  readonly agentId?: string;
  readonly blockedNamespaces?: readonly string[];
  readonly blockedCount?: number;
  readonly blockedDigest?: string;
  readonly usedMemories: readonly JsonObject[];
  readonly evidence: {
    readonly v: number;
    readonly kind: string;
    readonly model: string | null;
    readonly template: string | null;
    readonly policyVersion: number;
    readonly policyDigest: string;
    readonly ledgerVersion?: number;
    readonly log?: { readonly by: string; readonly origin: string };
    readonly commitments: { readonly [path: string]: string };
    readonly salts: { readonly [path: string]: string };
  };
  readonly signature: { readonly keyId: string; readonly value: string };
}

const text = (value: string): Uint8Array => new TextEncoder().encode(value);
const hash = (...parts: readonly Uint8Array[]): Buffer => Buffer.from(blake2b(Buffer.concat(parts), { dkLen: 32 }));

export const digestHex = (bytes: Uint8Array): string => hash(bytes).toString("hex");

export function saltOf(seedHex: string, path: string): string {
  return Buffer.from(blake2b(text(path), { dkLen: 32, key: Buffer.from(seedHex, "hex") })).toString("hex");
}

export function commitment(saltHex: string, value: Json): string {
  return hash(text("portcullis/commit/v2\0"), Buffer.from(saltHex, "hex"), text(canonicalJson(value))).toString("hex");
}

/** The private fields that an open form shows, by path. */
function shownFields(receipt: OpenReceipt): Map<string, Json> {
  const fields = new Map<string, Json>();
  const { agentId, blockedNamespaces, blockedCount, blockedDigest } = receipt;
  if (agentId !== undefined) fields.set("/agentId", agentId);
  if (blockedNamespaces !== undefined) {
    const cut = blockedCount === undefined ? {} : { blockedCount, blockedDigest: blockedDigest ?? "" };
    fields.set("/blockedNamespaces", { blockedNamespaces, ...cut });
  }
  for (const [i, { snippet, ...rest }] of receipt.usedMemories.entries()) {
    if (snippet !== undefined) fields.set(`/usedMemories/${i}/snippet`, snippet);
    fields.set(`/usedMemories/${i}/rest`, rest);
  }
  return fields;
}

const TOP = ["answerId", "createdAt", "agentId", "blockedNamespaces", "usedMemories", "evidence", "signature"];
const BLOCKED = ["blockedCount", "blockedDigest"];
const MEMORY = ["authorized", "contentDigest", "given", "intact", "memoryId", "namespace", "storeRef", "verified"];
const HEAD = ["v", "kind", "model", "template", "policyVersion", "policyDigest"];

function requireMembers(object: object, required: readonly string[], optional: readonly string[]): void {
  const names = Object.keys(object);
  const missing = required.find((name) => !names.includes(name));
  const unknown = names.find((name) => !required.includes(name) && !optional.includes(name));
  if (missing !== undefined) throw new Error(`${missing} is missing`);
  if (unknown !== undefined) throw new Error(`${unknown} is not signed`);
}

function requireSense(receipt: OpenReceipt): void {
  const { blockedCount, blockedDigest, blockedNamespaces, evidence, usedMemories } = receipt;
  const { kind, model, template } = evidence;
  if ((blockedCount === undefined) !== (blockedDigest === undefined)) throw new Error("half of a cut list");
  if (blockedCount !== undefined && (blockedNamespaces?.length !== 1_000 || blockedCount <= 1_000))
    throw new Error("a list that is not cut");
  if ((model === null) !== (template === null)) throw new Error("only one of model and template");
  if (kind === "recalled" && model !== null) throw new Error("a model that was not needed");
  if (kind === "recalled" && usedMemories.some((memory) => "cited" in memory)) throw new Error("cited by nobody");
  if (kind === "answered" && model === null && usedMemories.length > 0) throw new Error("memories used by no model");
}

/** The paths of all private fields. */
function pathsOf({ evidence, usedMemories }: OpenReceipt): string[] {
  const memories = usedMemories.flatMap((_, i) => [`/usedMemories/${i}/snippet`, `/usedMemories/${i}/rest`]);
  const prompt = evidence.model === null ? [] : ["/prompt"];
  return ["/agentId", "/blockedNamespaces", "/question", ...prompt, "/answer", ...memories];
}

/** Throws for a receipt that must be refused. */
export function sealedForm(receipt: OpenReceipt): JsonObject {
  const { evidence, answerId, createdAt } = receipt;
  requireMembers(receipt, TOP, BLOCKED);
  requireMembers(evidence, [...HEAD, "commitments", "salts"], ["ledgerVersion", "log"]);
  if (evidence.log !== undefined) requireMembers(evidence.log, ["by", "origin"], []);
  for (const memory of receipt.usedMemories) requireMembers(memory, MEMORY, ["cited", "pinned", "snippet"]);
  if (receipt.usedMemories.some(({ pinned = true }) => pinned !== true)) throw new Error("pinned, and not true");
  if (new Date(createdAt).toISOString() !== createdAt) throw new Error("not a time in UTC with milliseconds");
  requireSense(receipt);
  const { commitments, salts, ...head } = evidence;
  const shown = shownFields(receipt);
  const all = new Map(Object.entries(commitments));
  for (const [path, salt] of Object.entries(salts)) {
    const value = shown.get(path);
    if (value === undefined) throw new Error(`${path} has a salt and is not shown`);
    if (all.has(path)) throw new Error(`${path} has a salt and a commitment`);
    if (!/^[0-9a-f]{64}$/.test(salt)) throw new Error(`${path} has a salt that is not one`);
    all.set(path, commitment(salt, value));
  }
  for (const path of shown.keys()) if (!(path in salts)) throw new Error(`${path} is shown without its salt`);
  requireMembers(Object.fromEntries(all), pathsOf(receipt), ["/filters"]);
  if (![...all.values()].every((digest) => /^[0-9a-f]{64}$/.test(digest))) throw new Error("not a commitment");
  return { answerId, createdAt, ...head, commitments: Object.fromEntries(all) };
}

export function keyIdOf(publicKey: Uint8Array): string {
  return hash(text("portcullis/key/v1\0"), publicKey).toString("hex").slice(0, 32);
}

const SMALL_ORDER = new Set(data.smallOrder);

export function isSigned(receipt: OpenReceipt, publicKey: Uint8Array): boolean {
  const { keyId, value } = receipt.signature;
  const signature = Buffer.from(value, "base64url");
  if (SMALL_ORDER.has(Buffer.from(publicKey).toString("hex"))) return false;
  if (keyId !== keyIdOf(publicKey) || signature.length !== 64 || signature.toString("base64url") !== value)
    return false;
  const key = createPublicKey({
    key: { kty: "OKP", crv: "Ed25519", x: Buffer.from(publicKey).toString("base64url") },
    format: "jwk",
  });
  const message = Buffer.concat([text("portcullis/receipt/v2\0"), text(canonicalJson(sealedForm(receipt)))]);
  return verify(null, message, key, signature);
}
