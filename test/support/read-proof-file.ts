// Reads a file that ends in `.tlog-proof` (C2SP tlog-proof), as whoever holds one does.
import { fromBase64 } from "#core/log/base64.ts";
import type { LogProof } from "#core/log/checkpoint.ts";
import { parseSize } from "#core/log/checkpoint.ts";
import { MOST_HASHES } from "#core/log/merkle-tree.ts";

const HEADER = "c2sp.org/tlog-proof@v1";

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
