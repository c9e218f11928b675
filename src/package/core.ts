// `portcullis/core`: the gate, recall and verification as pure functions. No I/O and no clock: they also run in a browser.

/** RFC 8785: the one JSON text of a value, which digests and signatures are made of. */
export { canonicalJson } from "#core/encoding/canonical-json.ts";
/** blake2b256: of bytes in hex, and as the blob id that the service's own blob store gives. */
export { contentAddress, digestHex } from "#core/encoding/digest.ts";
/** `recall` is the definition of the gate: the memories that an agent may use for a question, best first. */
export { type AllowedMemory, admit, divide, type Recall, type RecallQuery, recall } from "#core/gate/gate.ts";
/** Whether a policy lets an agent use a namespace, and a policy from rules. Everything else is denied. */
export { type AccessRule, isAllowed, type Policy, policyFrom } from "#core/gate/policy.ts";
/** A fact, its bytes as they are stored, and a memory. */
export { type Fact, factBytes, type Memory } from "#core/memory.ts";
export type { AnswerReceipt } from "#core/receipt/receipt.ts";
/** Whether the receipt of an answer was signed with a key (Ed25519, 32 bytes). */
export { isSignedBy } from "#core/receipt/signature.ts";
/** One thing that was examined, with its result, and the result of all. */
export type { Check, Verdict } from "#core/verify/check.ts";
/** What a verifier fetches next, given what it has. */
export {
  anchorToJudge,
  closingToFetch,
  memoryBlobsToFetch,
  namedByObject,
  tombstonesToFetch,
} from "#core/verify/next-fetches.ts";
/** What a verifier fetched. Nothing in it has been checked. */
export type { FetchedBlob, FetchedObject, Observation, TrustedIds } from "#core/verify/observation.ts";
/** Checks an anchored receipt, from the objects on the ledger and the raw bytes of the blobs. */
export { type VerificationResult, verifyReceipt } from "#core/verify/verify-receipt.ts";
