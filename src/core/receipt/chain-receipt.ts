// The receipt on the ledger: the Move struct `Receipt` of `portcullis::gate`, decoded from BCS.
import { bytesToHex } from "@noble/hashes/utils.js";
import { bcsReader } from "#core/encoding/bcs.ts";
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
  readonly issued?: undefined;
}

interface ByAnchor {
  /** Whether the service said that it had issued the receipt. */
  readonly issued: boolean;
  readonly closedAtMs?: undefined;
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
    // The two layouts end in fields of fixed length, and so the length tells them apart.
    const isFormer = reader.left() === FORMER_END_BYTES;
    const rest = isFormer ? { issued: reader.bool() } : {};
    const policyVersion = String(reader.u64());
    const closed = isFormer ? {} : { closedAtMs: Number(reader.u64()) };
    const anchoredAtMs = Number(reader.u64());
    reader.end();
    return { ...start, ...rest, policyVersion, ...closed, anchoredAtMs } as ChainReceipt;
  });
}

/** A boolean and two numbers of 64 bits. */
const FORMER_END_BYTES = 17;
