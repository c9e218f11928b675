// Whether an answer is in the log: its proof, checked here. Loaded when somebody asks.
import { digestHex } from "#core/encoding/digest.ts";
import { readAnchoredCheckpoint } from "#core/ledger/checkpoint-object.ts";
import { fromBase64 } from "#core/log/base64.ts";
import { provenCheckpoint } from "#core/log/checkpoint.ts";
import { entryOfDisclosed } from "#core/log/entry.ts";
import { isIncluded, leafHash } from "#core/log/merkle-tree.ts";
import { type AnswerReceipt, isComplete } from "#core/receipt/receipt.ts";
import { sealedFormOf, signedBytes } from "#core/receipt/sealed-form.ts";
import { client } from "#web/api/client.ts";
import { bytesOf, isSignedBy } from "./signed-trees.ts";

export async function findAnswer(id: string) {
  const [{ entry, checkpoint, vkey, anchored }, { receipt }] = await Promise.all([
    client.getReceiptProof({ answerId: id }),
    client.getReceipt({ answerId: id }),
  ]);
  const leaf = leafHash(entryOfDisclosed(entry));
  const proven = provenCheckpoint(leaf, { index: entry.index, hashes: bytesOf(entry.hashes), checkpoint });
  const own = isComplete(receipt) && digestHex(signedBytes(sealedFormOf(receipt as AnswerReceipt)));
  const isOwn = JSON.parse(entry.body).receipt === own;
  const onLedger = anchored && (await anchoredWith(leaf, entry.index, anchored));
  return { id, entry, isOwn, onLedger, proven: isSignedBy(vkey, proven) ? proven : undefined };
}

/** The tree on the ledger that a proof names, if it has the leaf. Undefined where this service is not asked for it. */
async function anchoredWith(
  leaf: Uint8Array,
  index: number,
  { objectId, hashes }: { objectId: string; hashes: string[] },
) {
  const object = await client.ledgerObject({ objectId }).catch(() => undefined);
  if (object === undefined) return undefined;
  const tree = readAnchoredCheckpoint(fromBase64(object.content) ?? new Uint8Array());
  return {
    objectId,
    size: tree?.size ?? 0,
    isIn: tree !== undefined && isIncluded(leaf, index, tree, bytesOf(hashes)),
  };
}
