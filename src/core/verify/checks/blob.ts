// The receipt's blob: it can be fetched, its digest is the one on the ledger, and it is the text of a receipt.
import { isDerivedBlobId } from "#core/blob-id.ts";
import { readCanonical } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type ForeignReceipt, LARGEST_RECEIPT } from "#core/receipt/receipt.ts";
import * as shape from "#core/receipt/receipt-shape.ts";
import { type Check, type Compared, checkOf } from "#core/verify/check.ts";
import type { FetchedBlob } from "#core/verify/observation.ts";

const [ofBlob, ofDigest, ofReceipt, ofId] = [checkOf("blob"), checkOf("digest"), checkOf("receipt"), checkOf("id")];

/** The bytes are present if the check passed. */
export function checkBlob(chain: ChainReceipt | undefined, blob: FetchedBlob): { check: Check; bytes?: Uint8Array } {
  if (chain === undefined) return { check: ofBlob.unknown("needs-object") };
  if (blob === "unreachable") return { check: ofBlob.unknown("blob-unreachable") };
  if (blob === "missing") return { check: ofBlob.fail("blob-missing") };
  return { check: ofBlob.pass("found", { bytes: blob.byteLength }), bytes: blob };
}

export function checkDigest(chain: ChainReceipt | undefined, bytes: Uint8Array | undefined): Check {
  if (chain === undefined || bytes === undefined) return ofDigest.unknown("needs-blob");
  const compared = { expected: chain.digest.toLowerCase(), actual: digestHex(bytes) };
  if (compared.actual === compared.expected) return ofDigest.pass("same", { compared });
  return ofDigest.fail("digest-differs", { compared });
}

export interface ReadReceipt {
  readonly check: Check;
  /** One of the two is present if the check passed. It may not be the one that was anchored: the digest decides that. */
  readonly receipt?: ForeignReceipt;
  readonly sealed?: shape.SealedReceipt;
}

export function checkReceiptText(bytes: Uint8Array | undefined): ReadReceipt {
  if (bytes === undefined) return { check: ofReceipt.unknown("needs-blob") };
  const malformed = (fault: string, compared?: Compared): ReadReceipt => ({
    check: ofReceipt.fail("receipt-malformed", { fault, compared }),
  });
  const reading = readCanonical(bytes, LARGEST_RECEIPT);
  if ("fault" in reading) return malformed(reading.fault, reading.compared);
  const { value } = reading;
  if (shape.looksSealed(value)) {
    const fault = shape.sealedReceiptFault(value);
    if (fault !== undefined) return malformed(`is canonical JSON, but not a sealed receipt: ${fault}`);
    return { check: ofReceipt.pass("sealed"), sealed: value as shape.SealedReceipt };
  }
  if (!shape.isReceipt(value)) return malformed(`is canonical JSON, but not a receipt: ${shape.receiptFault(value)}`);
  return { check: ofReceipt.pass("open"), receipt: value };
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

function checkId(expected: string | undefined, derivedIds: ReadonlyMap<string, string>): Check {
  if (expected !== undefined && !isDerivedBlobId(expected)) return ofId.unknown("id-unknown/no-rule");
  const actual = expected === undefined ? undefined : derivedIds.get(expected);
  if (expected === undefined || actual === undefined) return ofId.unknown("id-unknown");
  const compared = { expected, actual };
  return actual === expected ? ofId.pass("derived", { compared }) : ofId.fail("id-differs", { compared });
}
