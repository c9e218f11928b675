// Reference implementation of digests, blob ids and canonical JSON, as an auditor would write it: with none of our code.
import { blake2b } from "@noble/hashes/blake2.js";

/** blake2b256 as hex, of bytes or of a text's UTF-8. */
export function digest(data: Uint8Array | string): string {
  return rawDigest(data).toString("hex");
}

/** Whether the receipt is committed to this value of a private field. */
export function isCommitted(
  {
    receipt,
    opening,
  }: { readonly receipt: { readonly evidence: object }; readonly opening?: { readonly seed: string } },
  path: string,
  value: unknown,
): boolean {
  const salt = blake2b(Buffer.from(path), { key: Uint8Array.from(Buffer.from(opening?.seed ?? "", "hex")), dkLen: 32 });
  const bytes = Buffer.concat([Buffer.from("portcullis/commit/v2\0"), salt, Buffer.from(sortedJson(value))]);
  const { commitments } = receipt.evidence as { readonly commitments: Readonly<Record<string, string>> };
  return commitments[path] === digest(bytes);
}

/** The id that the mock store gives to these bytes. */
export function blobIdOf(data: Uint8Array | string): string {
  return rawDigest(data).toString("base64url");
}

function rawDigest(data: Uint8Array | string): Buffer {
  return Buffer.from(blake2b(Uint8Array.from(Buffer.from(data)), { dkLen: 32 }));
}

/** Canonical JSON: members sorted by code unit, no white space. */
export function sortedJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(sortedJson).join(",")}]`;
  if (typeof value !== "object" || value === null) return JSON.stringify(value);
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([key, member]) => `${JSON.stringify(key)}:${sortedJson(member)}`).join(",")}}`;
}
