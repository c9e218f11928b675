// What whoever follows a log checks of each checkpoint, against the one that was seen before. Who saw the log grow knows
// between which times an entry was placed.
import { parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { isConsistent } from "#core/log/merkle-tree.ts";
import { checkSignature, parseVkey } from "#core/log/signed-note.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import type { AuditedEntry, Bounds, Report } from "./chain-audit.ts";

/** The size of a checkpoint, and when it was seen. */
export interface Sight {
  readonly size: number;
  readonly at: number;
}

/** Undefined if the key of the log has not signed it. A log that goes on under another name keeps its key. */
export function readCheckpoint(note: string, vkey: string, report: Report): SignedCheckpoint | undefined {
  const checkpoint = parseCheckpoint(note);
  const key = parseVkey(vkey);
  const isSigned =
    key && checkpoint && checkSignature(checkpoint.note, { ...key, name: checkpoint.origin }) === "valid";
  if (isSigned) return checkpoint;
  report("signature", "The checkpoint is not signed with the key of the log.");
  return undefined;
}

/**
 * Whether the checkpoint takes the place of the one that was seen before: one tree is the beginning of the other, and it is
 * not the smaller one. A cache may give one that is older. The proof is from the smaller size to the greater one.
 */
export function continues(
  before: SignedCheckpoint,
  next: SignedCheckpoint,
  proof: readonly Uint8Array[] | undefined,
  report: Report,
): boolean {
  const isOlder = next.size < before.size;
  const [small, large] = isOlder ? [next, before] : [before, next];
  if (isConsistent(small, large, proof ?? [])) return !isOlder;
  const sizes = `The trees of ${small.size} and of ${large.size} entries are both signed`;
  if (before.origin !== next.origin)
    report("begun-anew", `The log was begun anew as ${next.origin}, without entries that were published before.`);
  else if (isOlder) report("shrunk", `${sizes}, and the log does not show the greater one any more.`);
  else report("fork", `${sizes}, and one is not the beginning of the other: the log shows two histories.`);
  return false;
}

export interface Followed {
  readonly vkey: string;
  readonly checkpoint: SignedCheckpoint;
  /** Under which name the log was seen before, and when. */
  readonly before?: { readonly origin: string; readonly at: number } | undefined;
  readonly consistency: (from: number, to: number) => Promise<readonly Uint8Array[]>;
}

type Restored = Pick<AuditedEntry, "index" | "at" | "number" | "checkpoint" | "cosigned">;

/**
 * That each entry `restored` names the last tree of a log with another name, which this one continues. It is what excuses
 * that versions of the policy are skipped.
 */
export async function checkRestored(entries: readonly Restored[], followed: Followed, report: Report): Promise<void> {
  const { vkey, checkpoint, before, consistency } = followed;
  const ignore: Report = () => undefined;
  const nameIn = (entry: Restored | undefined) => parseCheckpoint(entry?.checkpoint ?? "")?.origin;
  const isSince = ({ at }: Restored) => before !== undefined && Date.parse(at) > before.at + CLOCK_TOLERANCE_MS;
  const first = entries.find((entry) => entry.checkpoint !== "" && isSince(entry));
  for (const [i, entry] of entries.entries()) {
    // What was never signed was published to nobody, and excuses nothing.
    if (entry.checkpoint === "" || entry.index >= checkpoint.size) continue;
    const notes = [entry.checkpoint, entry.cosigned ?? entry.checkpoint];
    const trees = notes.map((note) => readCheckpoint(note, vkey, ignore));
    const isOfName = trees.every((tree) => tree?.origin === trees[0]?.origin);
    const next = i + 1 < entries.length ? nameIn(entries[i + 1]) : checkpoint.origin;
    const wasSeen = entry !== first || trees[0]?.origin === before?.origin;
    const isBegun = trees.map(async (tree) => {
      if (tree === undefined || tree.size > entry.index) return false;
      return isConsistent(tree, checkpoint, await consistency(tree.size, checkpoint.size));
    });
    if (isOfName && wasSeen && trees[0]?.origin !== next && !(await Promise.all(isBegun)).includes(false)) continue;
    report(
      "not-restored",
      "The log does not go on with what its entry says that it was begun anew from.",
      entry.number,
    );
  }
}

/** A service that comes back from an outage places what waits within this time. */
const SETTLED_MS = 10_000;

/** The last two sights that lie far enough apart. */
export function addSight([first, second]: readonly Sight[], sight: Sight): readonly Sight[] {
  if (first === undefined) return [sight];
  if (second !== undefined && sight.at - second.at >= SETTLED_MS) return [second, sight];
  return sight.at - first.at >= SETTLED_MS ? [first, sight] : [first];
}

/**
 * What was not in the log at the second sight, was not recorded longer than the delay before the first one: the log has run
 * in between, and would have placed it.
 */
export const boundsOf =
  ([first, second]: readonly Sight[], now: number, delayMs: number): Bounds =>
  (index) => ({
    notBefore:
      first !== undefined && second !== undefined && index >= second.size
        ? first.at - delayMs - CLOCK_TOLERANCE_MS
        : undefined,
    notAfter: now + CLOCK_TOLERANCE_MS,
  });
