// The receipt's blob: it can be fetched, its digest is the one on the ledger, and it is the text of a receipt.
import { isDerivedBlobId } from "#core/blob-id.ts";
import { readCanonical } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type ForeignReceipt, LARGEST_RECEIPT } from "#core/receipt/receipt.ts";
import {
  isReceipt,
  looksSealed,
  receiptFault,
  type SealedReceipt,
  sealedReceiptFault,
} from "#core/receipt/receipt-shape.ts";
import { type Check, fail, pass, unknown } from "#core/verify/check.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";

/** The bytes are present if the check passed. */
export function checkBlob(chain: ChainReceipt | undefined, blob: FetchedBlob): { check: Check; bytes?: Uint8Array } {
  if (chain === undefined)
    return { check: unknown("blob", "needs-object", "Not checked: only a receipt of ours names its blob.") };
  if (blob === "unreachable")
    return { check: unknown("blob", "blob-unreachable", "The blob store did not answer, or refused to for now.") };
  if (blob === "missing") {
    const sentence = "The blob store has no blob with the id on the ledger: it is gone, or never was there.";
    return { check: fail("blob", "blob-missing", sentence) };
  }
  const sentence = `The blob store has the blob that the ledger names, ${blob.byteLength} bytes.`;
  return { check: pass("blob", sentence), bytes: blob };
}

export function checkDigest(chain: ChainReceipt | undefined, bytes: Uint8Array | undefined): Check {
  if (chain === undefined || bytes === undefined)
    return unknown("digest", "needs-blob", "Not checked: the check needs both the object and the blob.");
  const compared = { expected: chain.digest.toLowerCase(), actual: digestHex(bytes) };
  if (compared.actual === compared.expected) {
    const sentence =
      "blake2b256 of the raw bytes is the digest on the ledger: this is what was anchored, byte for byte.";
    return pass("digest", sentence, compared);
  }
  const sentence = "blake2b256 of the raw bytes is not the digest on the ledger: this is not what was anchored.";
  return fail("digest", "digest-differs", sentence, compared);
}

interface ReadReceipt {
  readonly check: Check;
  /** One of the two is present if the check passed. It may not be the one that was anchored: the digest decides that. */
  readonly receipt?: ForeignReceipt;
  readonly sealed?: SealedReceipt;
}

export function checkReceiptText(bytes: Uint8Array | undefined): ReadReceipt {
  if (bytes === undefined)
    return { check: unknown("receipt", "needs-blob", "Not checked: there are no bytes to read.") };
  const reading = readCanonical(bytes, LARGEST_RECEIPT);
  if ("fault" in reading)
    return { check: fail("receipt", "receipt-malformed", `The blob ${reading.fault}.`, reading.compared) };
  const { value } = reading;
  if (looksSealed(value)) {
    const fault = sealedReceiptFault(value);
    if (fault !== undefined) {
      const sentence = `The blob is canonical JSON, but not a sealed receipt: ${fault}.`;
      return { check: fail("receipt", "receipt-malformed", sentence) };
    }
    const sentence = "The bytes are the canonical JSON (RFC 8785) of a sealed receipt, with all required fields.";
    return { check: pass("receipt", sentence), sealed: value as SealedReceipt };
  }
  if (!isReceipt(value)) {
    const sentence = `The blob is canonical JSON, but not a receipt: ${receiptFault(value)}.`;
    return { check: fail("receipt", "receipt-malformed", sentence) };
  }
  const sentence = "The bytes are the canonical JSON (RFC 8785) of a receipt, with all required fields.";
  return { check: pass("receipt", sentence), receipt: value };
}

/** In a deep verification the blob store is not trusted either: each id must follow from the bytes fetched under it. */
export function checkDerivedIds(
  chain: ChainReceipt | undefined,
  receipt: ForeignReceipt | undefined,
  derivedIds: ReadonlyMap<string, string> | undefined,
): Check[] {
  if (derivedIds === undefined) return [];
  const named = [chain?.blobId, ...(receipt?.usedMemories.map(({ storeRef }) => storeRef) ?? [])];
  return [...new Set(named)].map((expected) => checkId(expected, derivedIds));
}

const NO_RULE = "Not checked: the store’s ids do not follow from the bytes by a rule that this verifier knows.";

function checkId(expected: string | undefined, derivedIds: ReadonlyMap<string, string>): Check {
  if (expected !== undefined && !isDerivedBlobId(expected)) return unknown("id", "id-unknown", NO_RULE);
  const actual = expected === undefined ? undefined : derivedIds.get(expected);
  if (expected === undefined || actual === undefined)
    return unknown("id", "id-unknown", "Not checked: the blob’s id could not be derived from its bytes.");
  const compared = { expected, actual };
  return actual === expected
    ? pass("id", "The blob’s id follows from its bytes: not even the blob store has to be trusted.", compared)
    : fail(
        "id",
        "id-differs",
        "The blob’s id does not follow from its bytes: they are not what was stored under it.",
        compared,
      );
}
