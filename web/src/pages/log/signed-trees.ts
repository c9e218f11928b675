import { fromBase64 } from "#core/log/base64.ts";
import type { SignedCheckpoint } from "#core/log/checkpoint.ts";
import { checkSignature, parseVkey } from "#core/log/signed-note.ts";

export function isSignedBy(vkey: string, tree: SignedCheckpoint | undefined): boolean {
  const key = parseVkey(vkey);
  return tree !== undefined && key !== undefined && checkSignature(tree.note, key) === "valid";
}

export const bytesOf = (hashes: readonly string[]) => hashes.map((hash) => fromBase64(hash) ?? new Uint8Array());
