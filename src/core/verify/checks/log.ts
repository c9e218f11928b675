// The transparency log: the receipt is in it, under a checkpoint that the log signed, and so are its beginning and the key
// that signed it. Where the reader has a policy, enough witnesses have cosigned that checkpoint.
import { bytesToHex } from "@noble/hashes/utils.js";
import { readAnchoredCheckpoint } from "#core/ledger/checkpoint-object.ts";
import { objectDigest } from "#core/ledger/move-object.ts";
import { cosignedAt, parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { checkSignature, KEY_TYPES, type NoteKey, parseVkey, signaturesOf, vkeyOf } from "#core/log/signed-note.ts";
import type { WitnessPolicy } from "#core/log/witness-policy.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import { type Check, checkOf, withoutReceipt } from "#core/verify/check.ts";
import type { LogToJudge } from "#core/verify/observation.ts";
import type { SignedForm } from "./evidence.ts";
import { checkEntries, type Dates, datesIn, hasEntries, isIn, isLogProof, type LogProof } from "./log-entries.ts";
import { envelopeDifference, isOfType } from "./object.ts";

const ofLog = checkOf("log");

interface CheckedLog {
  readonly checks: readonly Check[];
  /** If the check passed. */
  readonly dates?: Dates;
}

interface Given extends LogToJudge {
  readonly packageId: string;
}

/** The object that a verifier fetches: the tree on the ledger. */
export const anchoredIn = (proof: unknown): string | undefined =>
  hasEntries(proof) ? proof.anchored?.objectId : undefined;

/** No check where there is neither a proof nor a policy. */
export function checkLog(given: Given, signed: SignedForm | undefined): CheckedLog {
  const { proof: shown, policy } = given;
  if (shown === undefined && policy === undefined) return { checks: [] };
  if (signed === undefined) return { checks: [withoutReceipt("log")] };
  if (shown === undefined) return { checks: [ofLog.unknown("log-absent")] };
  const proof = isLogProof(shown) ? shown : undefined;
  const key = proof && parseVkey(proof.vkey);
  const checkpoint = proof && parseCheckpoint(proof.checkpoint);
  if (proof === undefined || key?.type !== KEY_TYPES.signature || checkpoint === undefined)
    return { checks: [ofLog.fail("log-malformed")] };
  const parts = { ...given, proof, key, checkpoint, signed };
  const check =
    checkCheckpoint(parts) ??
    checkEntries(proof, checkpoint, signed) ??
    checkOrigin(parts) ??
    checkTimes(parts) ??
    checkAnchored(parts) ??
    checkWitnesses(parts);
  return { checks: [check], ...(check.status === "pass" && { dates: datesIn(proof) }) };
}

interface Parts extends Given {
  readonly proof: LogProof;
  readonly key: NoteKey;
  readonly checkpoint: SignedCheckpoint;
  readonly signed: SignedForm;
}

function checkCheckpoint({ checkpoint, key, policy, seen }: Parts): Check | undefined {
  if (checkpoint.origin !== key.name || checkSignature(checkpoint.note, key) !== "valid")
    return ofLog.fail("log-checkpoint-wrong");
  const forged = [...(policy?.witnesses.values() ?? [])].some(
    (witness) =>
      signaturesOf(checkpoint.note, witness.key).length > 0 && cosignedAt(checkpoint.note, witness.key) === undefined,
  );
  if (forged) return ofLog.fail("log-cosignature-wrong");
  const isFork = seen?.size === checkpoint.size && bytesToHex(seen.root) !== bytesToHex(checkpoint.root);
  return isFork && isSeenOf(key, seen) ? ofLog.fail("log-forked", { size: seen.size }) : undefined;
}

const isSeenOf = (key: NoteKey, seen: SignedCheckpoint): boolean =>
  seen.origin === key.name && checkSignature(seen.note, key) === "valid";

/** Another log promises nothing: the receipt was imported, or the log begun anew. */
function checkOrigin({ key, signed: { form } }: Parts): Check | undefined {
  const { origin = key.name } = form.log ?? {};
  return origin === key.name ? undefined : ofLog.unknown("log-other-origin", { origin });
}

/** What the receipt promises, and what a later checkpoint shows. Only witnesses say when a checkpoint was there. */
function checkTimes({ proof: { entry, opened }, checkpoint, key, policy, seen, signed }: Parts): Check | undefined {
  const { log: promise, createdAt } = signed.form;
  const latest = (promise === undefined ? Number.POSITIVE_INFINITY : Date.parse(promise.by)) + CLOCK_TOLERANCE_MS;
  const isLater = (note: SignedCheckpoint) => (cosignedTimes(note, policy)?.first ?? 0) > latest;
  const lacking = [checkpoint, ...(seen !== undefined && isSeenOf(key, seen) ? [seen] : [])].find(
    (each) =>
      (entry === undefined || entry.index >= each.size) &&
      isTrusted(key, policy) &&
      policy?.accepts(each) &&
      isLater(each),
  );
  const by = promise?.by;
  if (lacking !== undefined) return ofLog.fail("log-promise-broken", { by, size: lacking.size });
  if (entry === undefined || opened === undefined) return ofLog.unknown("log-entry-absent");
  const [at, begunAt] = [entry, opened].map(({ body }) => JSON.parse(body).at) as [string, string];
  if (Date.parse(at) > latest) return ofLog.fail("log-late", { by, at });
  if (Date.parse(begunAt) > Date.parse(createdAt) + CLOCK_TOLERANCE_MS)
    return ofLog.fail("log-late/backdated", { createdAt, at: begunAt });
  const { last = Number.POSITIVE_INFINITY } = cosignedTimes(checkpoint, policy) ?? {};
  return last + CLOCK_TOLERANCE_MS < Date.parse(at) ? ofLog.fail("log-checkpoint-early") : undefined;
}

/** In milliseconds, by the witnesses of the policy. Undefined if none of them has cosigned. */
function cosignedTimes({ note }: SignedCheckpoint, policy: WitnessPolicy | undefined) {
  const known = [...(policy?.witnesses.values() ?? [])].map(({ key }) => cosignedAt(note, key));
  const times = known.filter((seconds) => seconds !== undefined).map((seconds) => seconds * 1_000);
  return times.length === 0 ? undefined : { first: Math.min(...times), last: Math.max(...times) };
}

const isTrusted = (key: NoteKey, policy: WitnessPolicy | undefined): boolean =>
  policy?.logs.some((log) => vkeyOf(log) === vkeyOf(key)) === true;

/** The tree on the ledger has the entry, and is no other tree of the checkpoint's size. */
function checkAnchored(parts: Parts): Check | undefined {
  const { proof, checkpoint, key, anchored: object } = parts;
  if (proof.anchored === undefined || proof.entry === undefined) return undefined;
  const isAbsent = typeof object === "object" && (object.bcs === undefined || object.digest === undefined);
  if (object === undefined || object === "unreachable" || isAbsent) return ofLog.unknown("log-anchor-absent");
  const tree = anchoredTree(parts);
  if (tree?.objectId !== proof.anchored.objectId || tree.origin !== key.name) return ofLog.fail("log-anchor-wrong");
  const isOther = tree.size === checkpoint.size && bytesToHex(tree.root) !== bytesToHex(checkpoint.root);
  return isOther || !isIn(tree, { ...proof.entry, hashes: proof.anchored.hashes })
    ? ofLog.fail("log-anchor-differs", { size: tree.size })
    : undefined;
}

/** Undefined for anything but a frozen checkpoint of the package. */
export function anchoredTree({ anchored, packageId }: Pick<Given, "anchored" | "packageId">) {
  if (anchored === undefined || typeof anchored === "string" || anchored.bcs === undefined) return undefined;
  const { type, owner, bcs, content } = anchored;
  const isOurs = isOfType(type, packageId, "Checkpoint") && owner === "immutable";
  const isWhole = envelopeDifference(anchored, bcs) === undefined && objectDigest(bcs) === anchored.digest;
  return isOurs && isWhole ? readAnchoredCheckpoint(content) : undefined;
}

function checkWitnesses(parts: Parts): Check {
  const { checkpoint, key, policy, proof, seen } = parts;
  const origin = key.name;
  if (seen?.origin === origin && !isSeenOf(key, seen)) return ofLog.unknown("log-untrusted/other-key");
  if (policy !== undefined && !isTrusted(key, policy)) return ofLog.unknown("log-untrusted", { origin });
  if (policy !== undefined && !policy.accepts(checkpoint)) return ofLog.unknown("log-not-witnessed");
  const tree = proof.anchored && anchoredTree(parts);
  const since =
    tree && ` The ledger has had its tree of ${tree.size} since ${new Date(tree.anchoredAtMs).toISOString()}.`;
  const told = { origin, size: checkpoint.size, since: since ?? "" };
  return ofLog.pass(policy === undefined ? "unwitnessed" : "witnessed", told);
}
