// Verification: what a stranger can check of a receipt, from the objects on the ledger and the raw bytes of the blobs.
// It hashes bytes as they came, and uses what they say only if they are the bytes that were anchored.
import { contentAddress } from "#core/encoding/digest.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { disclosedMemories } from "#core/receipt/opening.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { privatePathsOf, type SealedReceipt } from "#core/receipt/receipt-shape.ts";
import { type Check, type CheckName, type Verdict, verdictOf } from "./check.ts";
import { checkBlob, checkDerivedIds, checkDigest, checkReceiptText } from "./checks/blob.ts";
import { checkAgent, checkClaims, checkPolicy, checkTime } from "./checks/chain-receipt.ts";
import { checkEvidence, checkLoggedSignature, checkSignature } from "./checks/evidence.ts";
import { checkClosing, checkGate } from "./checks/gate.ts";
import { checkLog } from "./checks/log.ts";
import { checkMemories } from "./checks/memories.ts";
import { checkIdentity, checkObject } from "./checks/object.ts";
import { checkOpening } from "./checks/opening.ts";
import { checkStatements, checkStored } from "./checks/statements.ts";
import { checkTrust } from "./checks/trust.ts";
import { disclosedBy, disclosedIn, ledgerNames } from "./disclosed.ts";
import type { Observation } from "./observation.ts";

export interface VerificationResult {
  readonly verdict: Verdict;
  readonly checks: readonly Check[];
  readonly chain?: ChainReceipt;
  /** The receipt in the blob, if its bytes are the ones that were anchored. Of a sealed one: its open form, if it is disclosed. */
  readonly receipt?: ForeignReceipt;
  /** Present if the blob is a sealed receipt, and its bytes are the ones that were anchored. */
  readonly sealed?: SealedView;
  /** Whether agents and namespaces stand on the gate under pseudonyms, if the gate is ours. */
  readonly hasPseudonyms?: boolean;
}

export interface SealedView {
  readonly receipt: SealedReceipt;
  readonly fields: number;
  readonly disclosed: Readonly<Record<string, unknown>>;
}

export function verifyReceipt(observation: Observation): VerificationResult {
  const object = checkObject(observation);
  const chain = object.receipt;
  const { check: gateCheck, gate } = checkGate(observation, chain);
  const blob = checkBlob(chain, observation.blob);
  const digest = checkDigest(chain, blob.bytes);
  const { unanchored } = observation;
  const text = checkReceiptText(unanchored ?? blob.bytes);
  const read: Omit<typeof text, "check"> = unanchored !== undefined || digest.status === "pass" ? text : {};
  const { receipt: anchored, sealed } = read;
  const isSealed = sealed !== undefined;
  const { check: evidence, signed } = checkEvidence(read);
  const { checks: opening, ...disclosed } = checkOpening(observation.opening, {
    chain,
    gate,
    receipt: anchored ?? sealed,
    isSealed,
    signed,
  });
  const receipt = anchored ?? disclosed.open;
  const known = receipt ? disclosedBy(receipt) : sealed && disclosedIn(sealed, disclosed.fields);
  const names = ledgerNames(gate, disclosed.names);
  const isContentAddressed = blob.bytes !== undefined && chain?.blobId === contentAddress(blob.bytes);
  const isSigned = signed !== undefined;
  const isRecalled = signed?.form.kind === "recalled";
  const log = checkLog({ ...observation.log, packageId: observation.packageId }, signed);
  const options = {
    isContentAddressed,
    isSigned,
    isRecalled,
    isSealed,
    given: disclosed.fields,
    keys: gate?.keys,
    dates: log.dates,
    tombstones: observation.tombstones ?? new Map<string, unknown>(),
    nowMs: observation.nowMs,
  };
  const key = gate?.keys.find(({ keyId }) => keyId === signed?.signature.keyId);
  const checks = [
    object.check,
    checkIdentity(observation, object),
    gateCheck,
    checkClosing(observation, chain, gate),
    blob.check,
    digest,
    text.check,
    evidence,
    ...opening,
    checkStatements(known, isSigned),
    checkAgent(chain, known, names),
    checkPolicy(chain, known, signed, observation.policyHolder),
    checkClaims(chain, known, { signed, names, policyHolder: observation.policyHolder }),
    checkTime(chain, known, key),
    checkStored(known),
    unanchored === undefined
      ? checkSignature({ chain, gate, receipt: anchored ?? sealed, signed })
      : checkLoggedSignature(anchored ?? sealed, signed, log.dates?.keys[0]?.publicKey),
    ...checkMemories(known, observation.memories, options),
    ...log.checks,
    ...checkDerivedIds(chain, receipt, observation.derivedIds),
    ...checkTrust(observation, { chain, signed }),
  ];
  const view = sealed && { sealed: sealedView(sealed, disclosed.fields.values) };
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

const sealedView = (receipt: SealedReceipt, disclosed: ReadonlyMap<string, unknown>): SealedView => ({
  receipt,
  fields: privatePathsOf(receipt).length,
  disclosed: Object.fromEntries(disclosed),
});

// A verification in progress. Pending data may still arrive; unknown data was asked for and did not.

type Awaited = "gate" | "closing" | "policyHolder" | "blob";

export interface PendingFetches extends Readonly<Record<"object" | Awaited, boolean>> {
  readonly memories: ReadonlySet<string>;
}

export const NOTHING_PENDING: PendingFetches = {
  object: false,
  gate: false,
  closing: false,
  policyHolder: false,
  blob: false,
  memories: new Set(),
};

export type CheckInProgress = Check | { readonly name: CheckName; readonly index?: number; readonly status: "pending" };

export interface Progress extends Omit<VerificationResult, "verdict" | "checks"> {
  readonly checks: readonly CheckInProgress[];
  /** Absent until no check is pending. */
  readonly verdict?: VerificationResult["verdict"];
}

export function progressOf(observation: Observation, pending: PendingFetches): Progress {
  const { verdict, checks, ...receipts } = verifyReceipt(observation);
  const refs = refsOf(receipts);
  const shown = checks.map((check): CheckInProgress => {
    const { name, index } = check;
    if (!isPending(name, index === undefined ? undefined : refs[index], pending)) return check;
    return { name, status: "pending", ...(index !== undefined && { index }) };
  });
  const isDone = shown.every(({ status }) => status !== "pending");
  return { ...receipts, checks: shown, ...(isDone && { verdict }) };
}

/** The blobs of the used memories, by their place; undefined for one that is sealed. */
function refsOf({ receipt, sealed }: Pick<VerificationResult, "receipt" | "sealed">): (string | undefined)[] {
  if (receipt !== undefined) return receipt.usedMemories.map(({ storeRef }) => storeRef);
  if (sealed === undefined) return [];
  const values = new Map(Object.entries(sealed.disclosed));
  return disclosedMemories(sealed.receipt, { values }).map((memory) => memory?.storeRef);
}

/** What a check waits for beside the object, where that is not the blob alone. */
const AWAITED: Partial<Record<CheckName, readonly Awaited[]>> = {
  object: [],
  identity: [],
  gate: ["gate"],
  closing: ["gate", "closing"],
  policy: ["blob", "policyHolder"],
  claims: ["gate", "blob", "policyHolder"],
  signature: ["gate", "blob"],
  time: ["gate", "blob"],
  // Names on the ledger may be pseudonyms, and the gate says whether they are.
  opening: ["gate", "blob"],
  agent: ["gate", "blob"],
};

function isPending(name: CheckName, ref: string | undefined, pending: PendingFetches): boolean {
  if (ref !== undefined) return pending.memories.has(ref);
  return pending.object || (AWAITED[name] ?? (["blob"] as const)).some((each) => pending[each]);
}
