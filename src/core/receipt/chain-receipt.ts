// The receipt on the ledger: the Move struct `Receipt` of `portcullis::gate`, decoded from BCS.
import { bytesToHex } from "@noble/hashes/utils.js";
import { type BcsReader, bcsReader } from "#core/encoding/bcs.ts";
import { orUndefined } from "#core/or-undefined.ts";

export interface ChainReceipt {
  readonly gate: string;
  readonly agent: string;
  readonly blobId: string;
  /** Hex. */
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly allAuthorized: boolean;
  /** The version of the policy that the claims were judged by. */
  readonly policyVersion: string;
  /** When that version was closed, by the ledger's clock. Absent on receipts of releases up to 0.1. */
  readonly closedAtMs?: number;
  readonly anchoredAtMs: number;
  /** Only on receipts of releases up to 0.1: the service said that it had issued it. */
  readonly issued?: boolean;
}

/** Undefined for bytes that are no receipt: another package may have a type of this name. */
export function readChainReceipt(content: Uint8Array): ChainReceipt | undefined {
  return orUndefined(() => {
    const reader = bcsReader(content);
    reader.address(); // The object's own id.
    // In the order of the struct.
    const head = {
      gate: reader.address(),
      agent: reader.string(),
      blobId: reader.string(),
      digest: bytesToHex(reader.bytes()),
      claimed: reader.vector(reader.string),
      allAuthorized: reader.bool(),
    };
    const rest = reader.left() === FORMER_REST ? readFormerRest(reader) : readRest(reader);
    reader.end();
    return { ...head, ...rest };
  });
}

function readRest(reader: BcsReader) {
  return {
    policyVersion: String(reader.u64()),
    closedAtMs: Number(reader.u64()),
    anchoredAtMs: Number(reader.u64()),
  };
}

/** How many bytes the last fields have on receipts of releases up to 0.1: a boolean and two numbers. */
const FORMER_REST = 17;

function readFormerRest(reader: BcsReader) {
  return {
    issued: reader.bool(),
    policyVersion: String(reader.u64()),
    anchoredAtMs: Number(reader.u64()),
  };
}
