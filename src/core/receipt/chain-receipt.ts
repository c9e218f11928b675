// The Move struct `Receipt` of `portcullis::gate`, as it stands on the ledger.
import { bytesToHex } from "@noble/hashes/utils.js";
import { type BcsReader, bcsReader } from "#core/encoding/bcs.ts";

/** The fields of the Move struct `Receipt`, in JavaScript's words. */
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

/** From an object's BCS. Undefined for other bytes: another package may have a type of this name. */
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

/** In the order of the struct, which is that of the bytes. */
function fieldsOf(reader: BcsReader): ChainReceipt {
  reader.address(); // Its own id, by which it was asked for.
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
