// What both databases share about the facts of forgotten memories that receipts name.
import { type Fact, factText } from "#core/memory.ts";

/** Of a row of `proof_facts`: whether a receipt names it that is anchored, and so never pruned. */
export const IS_ANCHORED_FACT = `
  EXISTS (SELECT 1 FROM proof_fact_receipts AS named WHERE named.blob_id = proof_facts.blob_id AND (named.answer_id = ''
    OR EXISTS (SELECT 1 FROM anchors WHERE issued_answer = named.answer_id)))`;

/** How many blobs are renewed. */
export const COUNT_BLOBS = `
  SELECT (SELECT count(*) FROM memories) + (SELECT count(*) FROM anchors)
    + (SELECT count(*) FROM proof_facts WHERE ${IS_ANCHORED_FACT}) AS n`;

export type ForgottenRow = Fact & { readonly blobId: string };

export const toForgotten = ({ blobId, ...fact }: ForgottenRow) => ({ blobId, text: factText(fact) });
