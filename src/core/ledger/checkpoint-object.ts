// A checkpoint of a transparency log on the ledger: the Move struct `Checkpoint` of `portcullis::gate`, decoded from BCS.
import { decoded } from "#core/encoding/bcs.ts";
import type { Checkpoint } from "#core/log/checkpoint.ts";

export interface AnchoredCheckpoint extends Checkpoint {
  readonly objectId: string;
  readonly anchoredAtMs: number;
}

const ROOT_BYTES = 32;

/** The id of the last checkpoint, in the dynamic field that a gate has of each log. Undefined for other bytes. */
export function readLogField(content: Uint8Array): string | undefined {
  return decoded(content, (reader) => {
    reader.address();
    reader.string(); // The origin.
    reader.u64(); // The size.
    return reader.address();
  });
}

/** Undefined for bytes that are no checkpoint, or one that the module could not have made. */
export function readAnchoredCheckpoint(content: Uint8Array): AnchoredCheckpoint | undefined {
  return decoded(content, (reader) => {
    const objectId = reader.address();
    reader.address(); // The gate.
    const [origin, size, root] = [reader.string(), Number(reader.u64()), reader.bytes()];
    const anchoredAtMs = Number(reader.u64());
    if (origin === "" || size === 0 || !Number.isSafeInteger(size) || root.length !== ROOT_BYTES)
      throw new Error("not a checkpoint");
    return { objectId, origin, size, root, anchoredAtMs };
  });
}
