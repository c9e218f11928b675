// The transparency log: the receipt is in it, under a checkpoint that the log signed, and so are its beginning and the key
// that signed it. Where the reader has a policy, enough witnesses have cosigned that checkpoint.
import { bytesToHex } from "@noble/hashes/utils.js";
import { readAnchoredCheckpoint } from "#core/ledger/checkpoint-object.ts";
import { objectDigest } from "#core/ledger/move-object.ts";
import { cosignedAt, parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { checkSignature, KEY_TYPES, type NoteKey, parseVkey, signaturesOf, vkeyOf } from "#core/log/signed-note.ts";
import type { WitnessPolicy } from "#core/log/witness-policy.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import { type Check, type FailCode, fail, pass, unknown, withoutReceipt } from "#core/verify/check.ts";
import type { LogToJudge } from "#core/verify/observation.ts";
import type { SignedForm } from "./evidence.ts";
import { checkEntries, type Dates, datesIn, hasEntries, isIn, isLogProof, type LogProof } from "./log-entries.ts";
import { envelopeDifference, isOfType } from "./object.ts";

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
  if (shown === undefined) return { checks: [unknown("log", "log-absent", NOTHING_SHOWN)] };
  const proof = isLogProof(shown) ? shown : undefined;
  const key = proof && parseVkey(proof.vkey);
  const checkpoint = proof && parseCheckpoint(proof.checkpoint);
  if (proof === undefined || key?.type !== KEY_TYPES.signature || checkpoint === undefined)
    return { checks: [no("log-malformed", "What is given as a proof of the transparency log is none.")] };
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

const NOTHING_SHOWN = "Nothing shows that the receipt is in a log that witnesses cosign.";

interface Parts extends Given {
  readonly proof: LogProof;
  readonly key: NoteKey;
  readonly checkpoint: SignedCheckpoint;
  readonly signed: SignedForm;
}

function checkCheckpoint({ checkpoint, key, policy, seen }: Parts): Check | undefined {
  if (checkpoint.origin !== key.name || checkSignature(checkpoint.note, key) !== "valid")
    return no("log-checkpoint-wrong", "The checkpoint is not signed by the log’s key.");
  const forged = [...(policy?.witnesses.values() ?? [])].some(
    (witness) =>
      signaturesOf(checkpoint.note, witness.key).length > 0 && cosignedAt(checkpoint.note, witness.key) === undefined,
  );
  if (forged) return no("log-cosignature-wrong", "A cosignature under a witness’s name is not of this checkpoint.");
  const isFork = seen?.size === checkpoint.size && bytesToHex(seen.root) !== bytesToHex(checkpoint.root);
  return isFork && isSeenOf(key, seen)
    ? no(
        "log-forked",
        `The log has signed two trees of ${seen.size} entries, this one and the one that you have seen: this is evidence against the operator.`,
      )
    : undefined;
}

const isSeenOf = (key: NoteKey, seen: SignedCheckpoint): boolean =>
  seen.origin === key.name && checkSignature(seen.note, key) === "valid";

/** Another log promises nothing: the receipt was imported, or the log begun anew. */
function checkOrigin({ key, signed: { form } }: Parts): Check | undefined {
  const { origin = key.name } = form.log ?? {};
  if (origin === key.name) return undefined;
  return unknown("log", "log-other-origin", `The receipt promises to be in the log ${origin}: this is another.`);
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
  if (lacking !== undefined)
    return no(
      "log-promise-broken",
      `The receipt promises to be in the log by ${promise?.by}. A receipt with a later checkpoint that lacks it is evidence against the operator, and the checkpoint of ${lacking.size} entries, which witnesses cosigned later, lacks it.`,
    );
  if (entry === undefined || opened === undefined)
    return unknown("log", "log-entry-absent", "The file has no entry of the receipt in the transparency log.");
  const [at, begunAt] = [entry, opened].map(({ body }) => JSON.parse(body).at) as [string, string];
  if (Date.parse(at) > latest)
    return no(
      "log-late",
      `The receipt promises to be in the log by ${promise?.by}, and was entered at ${at}: this is evidence against the operator.`,
    );
  if (Date.parse(begunAt) > Date.parse(createdAt) + CLOCK_TOLERANCE_MS)
    return no(
      "log-late",
      `The receipt says that the answer is of ${createdAt}, and the log has its beginning of ${begunAt}: it is backdated, which is evidence against the operator.`,
    );
  const { last = Number.POSITIVE_INFINITY } = cosignedTimes(checkpoint, policy) ?? {};
  return last + CLOCK_TOLERANCE_MS < Date.parse(at)
    ? no("log-checkpoint-early", "Witnesses cosigned the checkpoint before the time of an entry in it.")
    : undefined;
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
  if (object === undefined || object === "unreachable" || isAbsent)
    return unknown(
      "log",
      "log-anchor-absent",
      "The ledger did not return the checkpoint of the log that the proof names.",
    );
  const tree = anchoredTree(parts);
  if (tree?.objectId !== proof.anchored.objectId || tree.origin !== key.name)
    return no("log-anchor-wrong", "What the proof names is no checkpoint of this log on the ledger.");
  const isOther = tree.size === checkpoint.size && bytesToHex(tree.root) !== bytesToHex(checkpoint.root);
  return isOther || !isIn(tree, { ...proof.entry, hashes: proof.anchored.hashes })
    ? no(
        "log-anchor-differs",
        `The ledger has another tree of ${tree.size} entries of this log, or one without the receipt: this is evidence against the operator.`,
      )
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
  if (seen?.origin === key.name && !isSeenOf(key, seen)) return unknown("log", "log-untrusted", OTHER_KEY);
  if (policy !== undefined && !isTrusted(key, policy))
    return unknown("log", "log-untrusted", `Your policy does not name the log ${key.name} with this key.`);
  if (policy !== undefined && !policy.accepts(checkpoint))
    return unknown(
      "log",
      "log-not-witnessed",
      "Fewer witnesses have cosigned the checkpoint than your policy asks for.",
    );
  const vouching = policy === undefined ? ONLY_ITSELF : "Enough witnesses of your policy have cosigned it.";
  const tree = proof.anchored && anchoredTree(parts);
  const since =
    tree && ` The ledger has had its tree of ${tree.size} since ${new Date(tree.anchoredAtMs).toISOString()}.`;
  return pass(
    "log",
    `The receipt is in the log ${key.name}, in its tree of ${checkpoint.size} entries. ${vouching}${since ?? ""}`,
  );
}

const OTHER_KEY =
  "The checkpoint that you have seen has this log’s name, and another key signed it: nothing shows that both are of one log.";
const ONLY_ITSELF = "Only this service vouches for the log: you have named no witnesses.";

const no = (code: FailCode<"log">, sentence: string): Check => fail("log", code, sentence);
