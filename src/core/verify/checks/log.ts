// The transparency log: the receipt is in it, under a checkpoint that the log signed, and so are its beginning and the key
// that signed it. Where the reader has a policy, enough witnesses have cosigned that checkpoint.
import { bytesToHex, hexToBytes, utf8ToBytes } from "@noble/hashes/utils.js";
import { readCanonical } from "#core/encoding/canonical-json.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { count, exactFields, listOf, matching, oneOf, type Rule, string } from "#core/encoding/json-shape.ts";
import { readAnchoredCheckpoint } from "#core/ledger/checkpoint-object.ts";
import { objectDigest } from "#core/ledger/move-object.ts";
import { fromBase64 } from "#core/log/base64.ts";
import { cosignedAt, parseCheckpoint, type SignedCheckpoint } from "#core/log/checkpoint.ts";
import { type DisclosedEntry, entryOfDisclosed } from "#core/log/entry.ts";
import { isIncluded, leafHash, type Tree } from "#core/log/merkle-tree.ts";
import { sha256 } from "#core/log/sha256.ts";
import { checkSignature, KEY_TYPES, type NoteKey, parseVkey, signaturesOf, vkeyOf } from "#core/log/signed-note.ts";
import type { WitnessPolicy } from "#core/log/witness-policy.ts";
import { CLOCK_TOLERANCE_MS } from "#core/receipt/chain-receipt.ts";
import { digest, time } from "#core/receipt/receipt-shape.ts";
import { signedBytes } from "#core/receipt/sealed-form.ts";
import { keyIdOf } from "#core/receipt/signature.ts";
import { type Check, type FailCode, fail, pass, unknown, withoutReceipt } from "#core/verify/check.ts";
import type { FetchedObject, LogToJudge } from "#core/verify/observation.ts";
import type { SignedForm } from "./evidence.ts";
import { envelopeDifference, isOfType } from "./object.ts";

/** As `GET /api/receipts/<answerId>/proof` gives it; without entries when the log has none of the receipt. */
interface LogProof extends Partial<Readonly<Record<"entry" | "opened" | "key", ProvenEntry>>> {
  readonly vkey: string;
  readonly checkpoint: string;
  readonly anchored?: { readonly objectId: string; readonly hashes: readonly string[] };
}

interface ProvenEntry extends DisclosedEntry {
  readonly hashes: readonly string[];
}

const words = string(() => undefined);
const hash = string((text) => (fromBase64(text)?.length === 32 ? undefined : "must be 32 bytes in base64"));
const hashes = listOf(hash, 63);
const entry = exactFields({ number: count, index: count, body: words, salt: digest, hashes });
const anchored = exactFields({ objectId: matching(/^0x[0-9a-f]{64}$/, "0x and 64 hex digits"), hashes });
const head = { vkey: words, checkpoint: words };
const withEntries = exactFields({ ...head, entry, opened: entry, key: entry }, { anchored });
const withoutEntries = exactFields(head);

const slot = matching(/^[A-Za-z0-9_-]{43}$/, "32 bytes in base64url");
const common = { at: time, number: count };
const issued = exactFields({ ...common, kind: oneOf("issued"), receipt: digest, signature: digest, slot });
const opened = exactFields({ ...common, kind: oneOf("opened"), inForce: count, policyVersion: count, slot });
const begunKey = exactFields({
  ...common,
  kind: oneOf("signing-key"),
  publicKey: digest,
  state: oneOf("begun"),
});

interface Body {
  readonly at: string;
  readonly number: number;
  readonly slot: string;
  readonly receipt: string;
  readonly signature: string;
  readonly policyVersion: number;
  readonly publicKey: string;
}

const LARGEST_BODY = 20_000;

/** `publicKey` is the one of the log's entry of the key that signed, if the check passed. */
interface CheckedLog {
  readonly checks: readonly Check[];
  readonly publicKey?: Uint8Array;
}

interface Given extends LogToJudge {
  readonly packageId: string;
}

/** The object that a verifier fetches: the tree on the ledger. */
export const anchoredIn = (proof: unknown): string | undefined =>
  withEntries(proof) === undefined ? (proof as LogProof).anchored?.objectId : undefined;

/** No check where there is neither a proof nor a policy. */
export function checkLog(given: Given, signed: SignedForm | undefined): CheckedLog {
  const { proof: shown, policy } = given;
  if (shown === undefined && policy === undefined) return { checks: [] };
  if (signed === undefined) return { checks: [withoutReceipt("log")] };
  if (shown === undefined) return { checks: [unknown("log", "log-absent", NOTHING_SHOWN)] };
  const isProof = withEntries(shown) === undefined || withoutEntries(shown) === undefined;
  const proof = isProof ? (shown as LogProof) : undefined;
  const key = proof && parseVkey(proof.vkey);
  const checkpoint = proof && parseCheckpoint(proof.checkpoint);
  if (proof === undefined || key?.type !== KEY_TYPES.signature || checkpoint === undefined)
    return { checks: [no("log-malformed", "What is given as a proof of the transparency log is none.")] };
  const parts = { ...given, proof, key, checkpoint, signed };
  const check =
    checkCheckpoint(parts) ?? checkEntries(parts) ?? checkTimes(parts) ?? checkAnchored(parts) ?? checkWitnesses(parts);
  const named = check.status === "pass" && proof.key && bodyIn(proof.key, begunKey);
  return { checks: [check], ...(named && { publicKey: hexToBytes(named.publicKey) }) };
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

function checkEntries({ proof, checkpoint, signed }: Parts): Check | undefined {
  const { entry, opened: before, key } = proof;
  if (entry === undefined || before === undefined || key === undefined) return undefined;
  const { form, signature } = signed;
  const own = bodyIn(entry, issued);
  const isOurs =
    own?.receipt === digestHex(signedBytes(form)) && own.signature === bytesToHex(sha256(bytesOf(signature.value)));
  if (own === undefined || !isOurs)
    return no("log-entry-differs", "The entry of the transparency log is not that of this receipt.");
  const begun = bodyIn(before, opened);
  const isBefore = begun !== undefined && begun.number < own.number && begun.at <= own.at && before.index < entry.index;
  if (!isBefore || begun.slot !== own.slot || begun.policyVersion !== form.policyVersion)
    return no(
      "log-opened-differs",
      "The log has no entry of this answer from before it, under this version of the policy.",
    );
  const made = bodyIn(key, begunKey);
  if (made === undefined || keyIdOf(hexToBytes(made.publicKey)) !== signature.keyId)
    return no("log-key-differs", "The log’s entry of a signing key is not that of the key which signed the receipt.");
  if (key.index >= entry.index)
    return no(
      "log-key-later",
      "The key signed this receipt before the log had it: this is evidence against the operator.",
    );
  return [entry, before, key].every((each) => isIn(checkpoint, each))
    ? undefined
    : no("log-not-included", "An entry is not in the tree of the log’s checkpoint.");
}

/** What the receipt promises, and what a later checkpoint shows. Only witnesses say when a checkpoint was there. */
function checkTimes({ proof: { entry }, checkpoint, key, policy, seen, signed }: Parts): Check | undefined {
  const promise = signed.form.log;
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
  if (entry === undefined)
    return unknown("log", "log-entry-absent", "The file has no entry of the receipt in the transparency log.");
  const { at } = JSON.parse(entry.body) as Body;
  if (Date.parse(at) > latest)
    return no(
      "log-late",
      `The receipt promises to be in the log by ${promise?.by}, and was entered at ${at}: this is evidence against the operator.`,
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
  if (object === undefined || object === "unreachable" || (object !== "missing" && !hasBytes(object)))
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

const hasBytes = ({ bcs, digest }: FetchedObject): boolean => bcs !== undefined && digest !== undefined;

/** Undefined for anything but a frozen checkpoint of the package. */
export function anchoredTree({ anchored, packageId }: Pick<Given, "anchored" | "packageId">) {
  if (anchored === undefined || typeof anchored === "string" || anchored.bcs === undefined) return undefined;
  const { type, owner, bcs, content } = anchored;
  const isOurs = isOfType(type, packageId, "Checkpoint") && owner === "immutable";
  const isWhole = envelopeDifference(anchored, bcs) === undefined && objectDigest(bcs) === anchored.digest;
  return isOurs && isWhole ? readAnchoredCheckpoint(content) : undefined;
}

function checkWitnesses(parts: Parts): Check {
  const { checkpoint, key, policy, signed, proof } = parts;
  const { form } = signed;
  if (form.log !== undefined && form.log.origin !== key.name)
    return unknown(
      "log",
      "log-other-origin",
      `The receipt promises to be in the log ${form.log.origin}: this is another.`,
    );
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

const ONLY_ITSELF = "Only this service vouches for the log: you have named no witnesses.";

/** Undefined if the entry's body is none of this kind, or has another number. */
function bodyIn({ body, number }: ProvenEntry, rule: Rule): Body | undefined {
  const reading = readCanonical(utf8ToBytes(body.toWellFormed()), LARGEST_BODY);
  if ("fault" in reading || rule(reading.value) !== undefined) return undefined;
  const read = reading.value as Body;
  return read.number === number ? read : undefined;
}

const isIn = (tree: Tree, entry: ProvenEntry): boolean =>
  isIncluded(leafHash(entryOfDisclosed(entry)), entry.index, tree, entry.hashes.map(hashOf));

const hashOf = (base64: string): Uint8Array => fromBase64(base64) ?? new Uint8Array();

const bytesOf = (base64url: string): Uint8Array => hashOf(`${base64url.replaceAll("-", "+").replaceAll("_", "/")}==`);

const no = (code: FailCode<"log">, sentence: string): Check => fail("log", code, sentence);
