// The receipt on the ledger: the Move struct `Receipt` of `portcullis::gate`, decoded from BCS.
import { bytesToHex } from "@noble/hashes/utils.js";
import { type BcsReader, bcsReader } from "#core/encoding/bcs.ts";

export interface ChainReceipt {
  readonly gate: string;
  readonly agent: string;
  readonly blobId: string;
  /** Hex. */
  readonly digest: string;
  readonly claimed: readonly string[];
  readonly allAuthorized: boolean;
  readonly issued: boolean;
  readonly policyVersion: string;
  readonly anchoredAtMs: number;
}

/** Undefined for bytes that are no receipt: another package may have a type of this name. */
export function readChainReceipt(content: Uint8Array): ChainReceipt | undefined {
  try {
    const reader = bcsReader(content);
    const receipt = fieldsOf(reader);
    reader.end();
    return receipt;
  } catch {
    return undefined;
  }
}

/** Fields in the order of the struct. */
function fieldsOf(reader: BcsReader): ChainReceipt {
  reader.address(); // The object's own id.
  return {
    gate: reader.address(),
    agent: reader.string(),
    blobId: reader.string(),
    digest: bytesToHex(reader.bytes()),
    claimed: reader.vector((element) => element.string()),
    allAuthorized: reader.bool(),
    issued: reader.bool(),
    policyVersion: String(reader.u64()),
    anchoredAtMs: Number(reader.u64()),
  };
}
