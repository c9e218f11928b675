// A log that signs what it is told to.
import { generateKeyPairSync, sign } from "node:crypto";
import { checkpointText } from "#core/log/checkpoint.ts";
import type { Tree } from "#core/log/merkle-tree.ts";
import { KEY_TYPES, signatureLine, vkeyOf } from "#core/log/signed-note.ts";

export function signedCheckpoints(origin = "memory.example/log") {
  const { privateKey, publicKey } = generateKeyPairSync("ed25519");
  const bytes = Uint8Array.from(publicKey.export({ format: "der", type: "spki" }).subarray(-32));
  const keyOf = (name: string) => ({ name, type: KEY_TYPES.signature, publicKey: bytes });
  return {
    vkey: vkeyOf(keyOf(origin)),
    sign(tree: Tree, name = origin): string {
      const text = checkpointText({ origin: name, ...tree });
      return `${text}\n${signatureLine(keyOf(name), sign(null, Buffer.from(text), privateKey))}`;
    },
  };
}
