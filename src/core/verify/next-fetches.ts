// What a verifier fetches next, given what is certain so far. Server and browser use the same rules. The verifier
// follows no reference from an object that is not ours, or from a blob that was not anchored.
import { closingIdOf } from "#core/ledger/gate-object.ts";
import { disclosedMemories } from "#core/receipt/opening.ts";
import type { ForeignReceipt, UsedMemory } from "#core/receipt/receipt.ts";
import { checkBlob, checkDigest, checkReceiptText, type ReadReceipt } from "./checks/blob.ts";
import { checkEvidence } from "./checks/evidence.ts";
import { checkGate } from "./checks/gate.ts";
import { checkObject } from "./checks/object.ts";
import { checkOpening } from "./checks/opening.ts";
import type { Observation } from "./observation.ts";

/** Our own answers use no more. A foreign receipt may name hundreds; blobs past this limit stay unknown. */
const BLOBS_AT_MOST = 64;

/** The gate and the receipt's blob, if the object is a receipt of ours. */
export function namedByObject(observation: Observation) {
  const { receipt } = checkObject(observation);
  return receipt && { gate: receipt.gate, blobId: receipt.blobId };
}

/** The gate's entry of the receipt's version, if object and gate are ours. */
export function closingToFetch(observation: Observation): string | undefined {
  const { receipt: chain } = checkObject(observation);
  const { gate } = checkGate(observation, chain);
  if (chain === undefined || gate === undefined) return undefined;
  return closingIdOf({ tableId: gate.closedId, version: BigInt(chain.policyVersion) });
}

export interface AnchorToJudge {
  readonly txDigest: string;
  readonly packageId: string;
}

/** If the receipt says that another than its signer keeps the policy: the verifier asks who holds the `PolicyCap`. */
export function anchorToJudge(observation: Observation): AnchorToJudge | undefined {
  const { packageId, object } = observation;
  const { receipt: chain } = checkObject(observation);
  const { signed } = checkEvidence(anchoredIn(observation));
  if (signed?.form.ledgerVersion === undefined || chain === undefined || typeof object === "string") return undefined;
  return object.previousTransaction === null ? undefined : { txDigest: object.previousTransaction, packageId };
}

/** Of the used memories, if the receipt is the anchored one; of a sealed one, what the opening lacks. */
export function memoryBlobsToFetch(observation: Observation): string[] {
  const refs = new Set(usedMemoriesIn(observation).map(({ storeRef }) => storeRef));
  return [...refs].slice(0, BLOBS_AT_MOST);
}

/** The ids of the used memories whose blobs are missing: the service may have a tombstone. */
export function tombstonesToFetch(observation: Observation): string[] {
  const missing = usedMemoriesIn(observation).filter(
    ({ storeRef }) => observation.memories.get(storeRef) === "missing",
  );
  const ids = missing.flatMap((memory) => ("memoryId" in memory ? String(memory.memoryId) : []));
  return [...new Set(ids)].filter((id) => MEMORY_ID.test(id)).slice(0, BLOBS_AT_MOST);
}

const MEMORY_ID = /^[\w-]{1,64}$/;

function anchoredIn(observation: Observation): Omit<ReadReceipt, "check"> {
  if (observation.unanchored !== undefined) return checkReceiptText(observation.unanchored);
  const chain = checkObject(observation).receipt;
  const { bytes } = checkBlob(chain, observation.blob);
  return checkDigest(chain, bytes).status === "pass" ? checkReceiptText(bytes) : {};
}

function usedMemoriesIn(observation: Observation): ForeignReceipt["usedMemories"] {
  const chain = checkObject(observation).receipt;
  const { receipt, sealed } = anchoredIn(observation);
  if (sealed === undefined) return receipt?.usedMemories ?? [];
  const { signature, ...form } = sealed;
  const signed = { form, signature };
  const { fields } = checkOpening(observation.opening, {
    chain,
    gate: undefined,
    receipt: sealed,
    isSealed: true,
    signed,
  });
  const disclosed = disclosedMemories(form, fields).filter((memory) => memory?.snippet !== undefined) as UsedMemory[];
  return disclosed.filter(({ contentDigest }) => !fields.blobs.has(contentDigest));
}
