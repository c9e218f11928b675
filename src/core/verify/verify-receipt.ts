// Verification: what a stranger can check of a receipt, from the object on the ledger and the raw bytes of the blobs.
// The verifier believes nothing that the other side could have chosen. It hashes bytes as they came, and uses what they
// say only if they are the bytes that were anchored.

import { contentAddress } from "#core/encoding/digest.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { type Check, type Verdict, verdictOf } from "./check.ts";
import { checkBlob, checkDigest, checkReceiptText } from "./check-blob.ts";
import { checkAgent, checkClaims } from "./check-chain-receipt.ts";
import { checkDerivedIds } from "./check-derived-ids.ts";
import { checkMemories } from "./check-memories.ts";
import { checkObject } from "./check-object.ts";
import type { Observation } from "./observation.ts";

export interface VerificationResult {
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  /** The receipt on the ledger, if the object is one of ours. */
  readonly chain?: ChainReceipt;
  /** The receipt in the blob, if its bytes are the ones that were anchored. */
  readonly receipt?: ForeignReceipt;
}

export function verifyReceipt(observation: Observation): VerificationResult {
  const object = checkObject(observation);
  const chain = object.receipt;
  const blob = checkBlob(chain, observation.blob);
  const digest = checkDigest(chain, blob.bytes);
  const text = checkReceiptText(blob.bytes);
  const receipt = digest.status === "pass" ? text.receipt : undefined;
  const isContentAddressed = blob.bytes !== undefined && chain?.blobId === contentAddress(blob.bytes);
  const checks = [
    object.check,
    blob.check,
    digest,
    text.check,
    checkAgent(chain, receipt),
    checkClaims(chain, receipt),
    ...checkMemories(receipt, observation.memories, isContentAddressed),
    ...checkDerivedIds(chain, receipt, observation.derivedIds),
  ];
  return { verdict: verdictOf(checks), checks, ...(chain && { chain }), ...(receipt && { receipt }) };
}
