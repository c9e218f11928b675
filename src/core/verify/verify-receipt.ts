// Verification: what a stranger can check of a receipt, from the objects on the ledger and the raw bytes of the blobs.
// The verifier believes nothing that the other side could have chosen. It hashes bytes as they came, and uses what they
// say only if they are the bytes that were anchored.

import { contentAddress } from "#core/encoding/digest.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { type Check, type Verdict, verdictOf } from "./check.ts";
import { checkBlob, checkDigest, checkReceiptText } from "./checks/blob.ts";
import { checkAgent, checkClaims, checkPolicy, checkTime } from "./checks/chain-receipt.ts";
import { checkDerivedIds } from "./checks/derived-ids.ts";
import { checkEvidence } from "./checks/evidence.ts";
import { checkGate } from "./checks/gate.ts";
import { checkMemories } from "./checks/memories.ts";
import { checkIdentity, checkObject } from "./checks/object.ts";
import { checkPins } from "./checks/pins.ts";
import { checkSignature } from "./checks/signature.ts";
import { checkStatements, checkStored } from "./checks/statements.ts";
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
  const { check: gateCheck, gate } = checkGate(observation, chain, object.packageId);
  const blob = checkBlob(chain, observation.blob);
  const digest = checkDigest(chain, blob.bytes);
  const text = checkReceiptText(blob.bytes);
  const receipt = digest.status === "pass" ? text.receipt : undefined;
  const { check: evidence, signed } = checkEvidence(receipt);
  const isContentAddressed = blob.bytes !== undefined && chain?.blobId === contentAddress(blob.bytes);
  const isSigned = signed !== undefined;
  const isRecalled = signed?.evidence.kind === "recalled";
  const checks = [
    object.check,
    checkIdentity(observation, object),
    gateCheck,
    blob.check,
    digest,
    text.check,
    evidence,
    checkStatements(receipt, isSigned),
    checkAgent(chain, receipt),
    checkPolicy(chain, receipt, signed),
    checkClaims(chain, receipt, signed),
    checkTime(chain, receipt),
    checkStored(receipt),
    checkSignature({ chain, gate, receipt, signed }),
    ...checkMemories(receipt, observation.memories, {
      isContentAddressed,
      isSigned,
      isRecalled,
      keys: gate?.keys,
      tombstones: observation.tombstones ?? new Map(),
    }),
    ...checkDerivedIds(chain, receipt, observation.derivedIds),
    ...checkPins(observation, { chain, signed }),
  ];
  return { verdict: verdictOf(checks), checks, ...(chain && { chain }), ...(receipt && { receipt }) };
}
