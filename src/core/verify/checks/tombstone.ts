// The tombstone of a memory whose blob is gone: the service's signed word that it was forgotten.
import type { GateKey } from "#core/ledger/gate-object.ts";
import { isSignatureBy } from "#core/receipt/disclosure/verify-signature.ts";
import type { Signature } from "#core/receipt/receipt.ts";
import { type Tombstone, tombstoneBytes } from "#core/tombstone.ts";
import { type Check, fail, pass, unknown } from "#core/verify/check.ts";

/** What the receipt says of the memory, and the keys of the gate. */
interface Context {
  readonly memoryId: unknown;
  readonly namespace: string;
  /** Of the receipt. */
  readonly createdAt: string;
  readonly keys: readonly GateKey[] | undefined;
  /** The receipt was anchored sealed, which publishes no memory. */
  readonly isSealed: boolean;
}

/** The clocks of replicas may differ by so much. */
const TOLERANCE_MS = 5 * 60_000;

/** The check of a memory whose blob is missing. `given` is what the service answered, if anything. */
export function checkTombstone(given: unknown, { memoryId, namespace, createdAt, keys, isSealed }: Context): Check {
  const tombstone = readTombstone(given);
  if (tombstone === undefined || tombstone.memoryId !== memoryId || tombstone.namespace !== namespace)
    return unknown("memory", "memory-missing", isSealed ? NOT_IN_OPENING : MISSING);
  const { keyId, value } = tombstone.signature;
  const key = keys?.find((each) => each.keyId === keyId);
  const isSigned = key !== undefined && isSignatureBy(value, tombstoneBytes(tombstone), key.publicKey);
  if (!isSigned) return unknown("memory", "tombstone-not-signed", NOT_SIGNED);
  if (key.endedAtMs !== undefined) return unknown("memory", "tombstone-key-ended", KEY_ENDED);
  if (Date.parse(tombstone.forgottenAt) + TOLERANCE_MS < Date.parse(createdAt)) {
    const times = { expected: `after ${createdAt}`, actual: tombstone.forgottenAt };
    return fail("memory", "memory-forgotten-before", FORGOTTEN_BEFORE, times);
  }
  const sentence = `Forgotten, by the service’s word, on ${tombstone.forgottenAt}. Its text is not checked: only its digest in the receipt is left.`;
  return { ...pass("memory", sentence), isForgotten: true };
}

const MISSING =
  "The blob store has no blob with the id that the receipt gives for this memory, and no tombstone says that it was forgotten.";
const NOT_IN_OPENING =
  "The opening does not bring this memory’s blob, the blob store gives none to strangers, and no tombstone says that it was forgotten. A sealed receipt publishes no memory: whoever may read the memory can share the proof with it.";
const NOT_SIGNED = "The blob store has no blob of this memory, and its tombstone is not signed by a key of the gate.";
const KEY_ENDED = "The blob store has no blob of this memory, and its tombstone is signed by a key that has ended.";
const FORGOTTEN_BEFORE =
  "The memory was forgotten before the answer was made, so the answer cannot have been given it.";

interface SignedTombstone extends Tombstone {
  readonly signature: Signature;
}

const TEXTS = ["memoryId", "namespace", "cause", "forgottenBy", "forgottenAt"] as const;

function readTombstone(given: unknown): SignedTombstone | undefined {
  if (typeof given !== "object" || given === null) return undefined;
  const fields = given as Partial<Record<keyof SignedTombstone, unknown>>;
  const signature = fields.signature as Partial<Signature> | undefined;
  const isWhole =
    TEXTS.every((name) => typeof fields[name] === "string") &&
    (fields.reason === undefined || typeof fields.reason === "string") &&
    typeof signature?.keyId === "string" &&
    typeof signature.value === "string" &&
    !Number.isNaN(Date.parse(String(fields.forgottenAt)));
  return isWhole ? (fields as SignedTombstone) : undefined;
}
