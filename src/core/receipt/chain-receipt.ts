// The receipt on the ledger: the Move struct `Receipt` of `portcullis::gate`, decoded from BCS.
import { bytesToHex } from "@noble/hashes/utils.js";
import { bcsReader } from "#core/encoding/bcs.ts";
import { orUndefined } from "#core/or-undefined.ts";

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
  return orUndefined(() => {
    const reader = bcsReader(content);
    reader.address(); // The object's own id.
    // In the order of the struct.
    const receipt = {
      gate: reader.address(),
      agent: reader.string(),
      blobId: reader.string(),
      digest: bytesToHex(reader.bytes()),
      claimed: reader.vector(reader.string),
      allAuthorized: reader.bool(),
      issued: reader.bool(),
      policyVersion: String(reader.u64()),
      anchoredAtMs: Number(reader.u64()),
    };
    reader.end();
    return receipt;
  });
}
