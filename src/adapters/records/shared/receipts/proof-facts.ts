// What both databases share about the facts of forgotten memories that receipts name. A fact is kept until the last of
// these receipts is pruned: old receipts are pruned in the order of their ids, so that it is enough to remember the
// greatest one. Anchored receipts are never pruned.
import { type Fact, factText } from "#core/memory.ts";

/** In place of the id of a receipt: a foreign receipt names the fact, and was anchored here. It is greater than any id. */
export const FOREIGN = "~foreign";

/** More receipts than are recorded between a reading of all receipts and the moment when nobody records one any more. */
export const NEWEST_RECEIPTS = 5_000;

/** Of a row of `proof_facts`: whether an anchored receipt names it. */
export const IS_ANCHORED_FACT = `
  (last_named = '${FOREIGN}' OR EXISTS (SELECT 1 FROM published_blobs WHERE published_blobs.blob_id = proof_facts.blob_id))`;

/** Whether the last receipt that names it is on record. */
export const IS_NAMED_FACT = `
  (EXISTS (SELECT 1 FROM receipts WHERE receipts.answer_id = last_named)
    OR EXISTS (SELECT 1 FROM opened_receipts WHERE opened_receipts.answer_id = last_named))`;

/** How many blobs are renewed. */
export const COUNT_BLOBS = `
  SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM anchors)
    + (SELECT count(*) FROM proof_facts WHERE ${IS_ANCHORED_FACT}) AS n`;

export type ForgottenRow = Fact & { readonly blobId: string };

export const toForgotten = ({ blobId, ...fact }: ForgottenRow) => ({ blobId, text: factText(fact) });
