// Verification: what a stranger can check of a receipt, from the objects on the ledger and the raw bytes of the blobs.
// The verifier believes nothing that the other side could have chosen. It hashes bytes as they came, and uses what they
// say only if they are the bytes that were anchored.

import { contentAddress } from "#core/encoding/digest.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { privatePathsOf, type SealedReceipt } from "#core/receipt/disclosure/sealed-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { type Check, type Verdict, verdictOf } from "./check.ts";
import { checkBlob, checkDigest, checkReceiptText } from "./checks/blob.ts";
import { checkAgent, checkClaims, checkPolicy, checkTime } from "./checks/chain-receipt.ts";
import { checkDerivedIds } from "./checks/derived-ids.ts";
import { checkEvidence, checkSealedEvidence } from "./checks/evidence.ts";
import { checkGate } from "./checks/gate.ts";
import { checkMemories } from "./checks/memories.ts";
import { checkIdentity, checkObject } from "./checks/object.ts";
import { checkOpening } from "./checks/opening.ts";
import { checkPins } from "./checks/pins.ts";
import { checkSignature } from "./checks/signature.ts";
import { checkStatements, checkStored } from "./checks/statements.ts";
import { disclosedBy, disclosedIn } from "./disclosed.ts";
import { ledgerNames } from "./ledger-names.ts";
import type { Observation } from "./observation.ts";

export interface VerificationResult {
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  /** The receipt on the ledger, if the object is one of ours. */
  readonly chain?: ChainReceipt;
  /** The receipt in the blob, if its bytes are the ones that were anchored. Of a sealed one: its open form, if it is opened. */
  readonly receipt?: ForeignReceipt;
  /** Present if the blob is a sealed receipt, and its bytes are the ones that were anchored. */
  readonly sealed?: SealedView;
  /** Whether agents and namespaces stand on the gate under pseudonyms, if the gate is ours. */
  readonly hasPseudonyms?: boolean;
}

export interface SealedView {
  readonly receipt: SealedReceipt;
  /** How many private fields it has. */
  readonly fields: number;
  /** By path: what was opened. */
  readonly opened: Readonly<Record<string, unknown>>;
}

export function verifyReceipt(observation: Observation): VerificationResult {
  const object = checkObject(observation);
  const chain = object.receipt;
  const { check: gateCheck, gate } = checkGate(observation, chain, object.packageId);
  const blob = checkBlob(chain, observation.blob);
  const digest = checkDigest(chain, blob.bytes);
  const text = checkReceiptText(blob.bytes);
  const { receipt: anchored, sealed } = digest.status === "pass" ? text : {};
  const isSealed = sealed !== undefined;
  const { check: evidence, signed } = isSealed ? checkSealedEvidence(sealed) : checkEvidence(anchored);
  const { checks: opening, ...opened } = checkOpening(observation.opening, {
    chain,
    gate,
    receipt: anchored ?? sealed,
    isSealed,
    signed,
  });
  const receipt = anchored ?? opened.open;
  const known = receipt ? disclosedBy(receipt) : sealed && disclosedIn(sealed, opened.fields);
  const names = ledgerNames(gate, opened.names);
  const isContentAddressed = blob.bytes !== undefined && chain?.blobId === contentAddress(blob.bytes);
  const isSigned = signed !== undefined;
  const isRecalled = signed?.form.kind === "recalled";
  const options = {
    isContentAddressed,
    isSigned,
    isRecalled,
    isSealed,
    given: opened.fields,
    keys: gate?.keys,
    tombstones: observation.tombstones ?? new Map<string, unknown>(),
  };
  const checks = [
    object.check,
    checkIdentity(observation, object),
    gateCheck,
    blob.check,
    digest,
    text.check,
    evidence,
    ...opening,
    checkStatements(known, isSigned),
    checkAgent(chain, known, names),
    checkPolicy(chain, known, signed),
    checkClaims(chain, known, signed, names),
    checkTime(chain, known),
    checkStored(known),
    checkSignature({ chain, gate, receipt: anchored ?? sealed, signed }),
    ...checkMemories(known, observation.memories, options),
    ...checkDerivedIds(chain, receipt, observation.derivedIds),
    ...checkPins(observation, { chain, signed }),
  ];
  const view = sealed && { sealed: sealedView(sealed, opened.fields.values) };
  const gateView = gate && { hasPseudonyms: gate.hasPseudonyms };
  return {
    verdict: verdictOf(checks),
    checks,
    ...(chain && { chain }),
    ...(receipt && { receipt }),
    ...view,
    ...gateView,
  };
}

const sealedView = (receipt: SealedReceipt, opened: ReadonlyMap<string, unknown>): SealedView => ({
  receipt,
  fields: privatePathsOf(receipt).length,
  opened: Object.fromEntries(opened),
});
