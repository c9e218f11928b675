// The receipt on the ledger: the Move struct `Receipt` of `portcullis::gate`, decoded from BCS.
import { bytesToHex } from "@noble/hashes/utils.js";
import { type BcsReader, bcsReader } from "#core/encoding/bcs.ts";
import { orUndefined } from "#core/or-undefined.ts";

/** The gate judged the claims as of `policyVersion`, or, before 0.2.0, as of the anchor. */
export type ChainReceipt = ReceiptFields & (ByVersion | ByAnchor);

interface ReceiptFields {
  readonly gate: string;
  readonly agent: string;
  readonly blobId: string;
  /** Hex. */
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly allAuthorized: boolean;
  readonly policyVersion: string;
  readonly anchoredAtMs: number;
}

interface ByVersion {
  /** When `policyVersion` was closed on the ledger. 0 for version 0, in which nothing is allowed. */
  readonly closedAtMs: number;
  /** When the next version was closed there. Absent if `policyVersion` was the last closed one when it was anchored. */
  readonly supersededAtMs?: number;
  readonly issued?: undefined;
}

interface ByAnchor {
  /** Whether the service said that it had issued the receipt. */
  readonly issued: boolean;
  readonly closedAtMs?: undefined;
  readonly supersededAtMs?: undefined;
}

/** Undefined for bytes that are no receipt: another package may have a type of this name. */
export function readChainReceipt(content: Uint8Array): ChainReceipt | undefined {
  return orUndefined(() => {
    const reader = bcsReader(content);
    reader.address(); // The object's own id.
    // In the order of the struct.
    const start = {
      gate: reader.address(),
      agent: reader.string(),
      blobId: reader.string(),
      digest: bytesToHex(reader.bytes()),
      claimed: reader.vector(reader.string),
      allAuthorized: reader.bool(),
    };
    // How many bytes are left tells the two layouts apart: 17 in the former one, 25 or 33 in this one.
    const isFormer = reader.left() === FORMER_END_BYTES;
    const rest = isFormer ? { issued: reader.bool() } : {};
    const policyVersion = String(reader.u64());
    const closed = isFormer ? {} : readClosing(reader);
    const anchoredAtMs = Number(reader.u64());
    reader.end();
    return { ...start, ...rest, policyVersion, ...closed, anchoredAtMs } as ChainReceipt;
  });
}

function readClosing(reader: BcsReader): Pick<ByVersion, "closedAtMs" | "supersededAtMs"> {
  const closedAtMs = Number(reader.u64());
  const [supersededAtMs] = reader.vector(() => Number(reader.u64()), 1);
  return { closedAtMs, ...(supersededAtMs !== undefined && { supersededAtMs }) };
}

/** A boolean and two numbers of 64 bits. */
const FORMER_END_BYTES = 17;
