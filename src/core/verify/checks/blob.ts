// The receipt's blob: it can be fetched, its digest is the one on the ledger, and it is the text of a receipt.
import { digestHex } from "#core/encoding/digest.ts";
import { readCanonical } from "#core/encoding/read-canonical-json.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { looksSealed, type SealedReceipt, sealedReceiptFault } from "#core/receipt/disclosure/sealed-receipt.ts";
import { type ForeignReceipt, LARGEST_RECEIPT } from "#core/receipt/receipt.ts";
import { isReceipt, receiptFault } from "#core/receipt/receipt-shape.ts";
import { type Check, fail, pass, unknown } from "#core/verify/check.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";

/** The bytes are present if the check passed. */
export function checkBlob(chain: ChainReceipt | undefined, blob: FetchedBlob): { check: Check; bytes?: Uint8Array } {
  if (chain === undefined)
    return { check: unknown("blob", "needs-object", "Not checked: only a receipt of ours names its blob.") };
  if (blob === "unreachable") return { check: unknown("blob", "blob-unreachable", "The blob store did not answer.") };
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
