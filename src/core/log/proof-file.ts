// Files that end in `.tlog-proof` (C2SP tlog-proof): an entry's place in a log, for somebody who has the entry.
import { fromBase64, toBase64 } from "./base64.ts";
import { parseCheckpoint, parseSize, type SignedCheckpoint } from "./checkpoint.ts";
import { isIncluded } from "./merkle-tree.ts";

const HEADER = "c2sp.org/tlog-proof@v1";
const MOST_HASHES = 63;

export interface LogProof {
  readonly index: number;
  readonly hashes: readonly Uint8Array[];
  /** The note, with all its signatures. */
  readonly checkpoint: string;
}

export function proofFile({ index, hashes, checkpoint }: LogProof): string {
  return `${[HEADER, `index ${index}`, ...hashes.map(toBase64)].join("\n")}\n\n${checkpoint}`;
}

/** Undefined if it is malformed. A line `extra` is skipped: nothing vouches for it. */
export function parseProofFile(file: string): LogProof | undefined {
  const end = file.indexOf("\n\n");
  const [header, ...lines] = file.slice(0, Math.max(0, end)).split("\n");
  if (lines[0]?.startsWith("extra ")) lines.shift();
  const [place = "", ...encoded] = lines;
  const index = place.startsWith("index ") ? parseSize(place.slice("index ".length)) : undefined;
  if (header !== HEADER || index === undefined || encoded.length > MOST_HASHES) return undefined;
  const hashes = encoded.map(fromBase64).filter((hash) => hash !== undefined);
  return hashes.length === encoded.length ? { index, hashes, checkpoint: file.slice(end + 2) } : undefined;
}

/** The checkpoint of the proof, if it leads there from the leaf. Its signatures are not checked. */
export function provenCheckpoint(
  leaf: Uint8Array,
  { index, hashes, checkpoint }: LogProof,
): SignedCheckpoint | undefined {
  const tree = parseCheckpoint(checkpoint);
  return tree && isIncluded(leaf, index, tree, hashes) ? tree : undefined;
}
