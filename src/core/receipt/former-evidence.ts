/**
 * The evidence of receipts of format 1, which releases up to 0.1 issued: plain digests (blake2b256, hex) and no signature.
 * Such receipts stay on record, and can be verified as what they are.
 */
export interface FormerEvidence {
  readonly policyVersion: number;
  readonly policyDigest: string;
  /** Of the canonical JSON of the prompt, `{system, user}`. Null, as the model, if no model was asked. */
  readonly promptDigest: string | null;
  /** Of the answer's UTF-8 bytes. When memories were the answer: of the canonical JSON of their list. Absent until the answer is complete. */
  readonly answerDigest?: string;
  readonly model: string | null;
}
