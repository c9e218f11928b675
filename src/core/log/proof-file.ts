// Files that end in `.tlog-proof` (C2SP tlog-proof): an entry's place in a log, for somebody who has the entry.
import { toBase64 } from "./base64.ts";
import { parseCheckpoint, type SignedCheckpoint } from "./checkpoint.ts";
import { isIncluded } from "./merkle-tree.ts";

const HEADER = "c2sp.org/tlog-proof@v1";

export interface LogProof {
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The note, with all its signatures. */
  readonly checkpoint: string;
}

export function proofFile({ index, hashes, checkpoint }: LogProof): string {
  return `${[HEADER, `index ${index}`, ...hashes.map(toBase64)].join("\n")}\n\n${checkpoint}`;
}

/** The checkpoint of the proof, if it leads there from the leaf. Its signatures are not checked. */
export function provenCheckpoint(
  leaf: Uint8Array,
  { index, hashes, checkpoint }: LogProof,
): SignedCheckpoint | undefined {
  const tree = parseCheckpoint(checkpoint);
  return tree && isIncluded(leaf, index, tree, hashes) ? tree : undefined;
}
