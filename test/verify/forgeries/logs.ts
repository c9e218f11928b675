// Lies about the transparency log, of an operator who has the database and all keys but those of the witnesses. Each is a
// bundle's `log`, and is judged by a policy that asks for two witnesses of three.
import type { CheckCode } from "#core/verify/check.ts";
import type { FetchedObject } from "#core/verify/observation.ts";
import { goodReceipt } from "#test/support/anchored-receipt.ts";
import {
  anchoredLogOf,
  checkpointOf,
  keyBody,
  LOG,
  leafOf,
  logProofOf,
  noteKey,
  POLICY,
  SALT,
  WITNESSES,
} from "#test/support/log-proof.ts";
import { SERVICE_KEY, signingPair } from "#test/support/signed-receipt.ts";
import { altered, another, leavesOf, textOf, without } from "./forgery.ts";

export interface ForgedLog {
  readonly name: string;
  /** Undefined: the bundle has none. */
  readonly log: unknown;
  /** The object that the proof names. By default the ledger has none. */
  readonly anchored?: FetchedObject | "unreachable" | undefined;
  readonly code: CheckCode;
  readonly status?: "fail" | "unknown";
  /** By default `promised`. */
  readonly receipt?: ReturnType<typeof goodReceipt>;
  readonly witnesses?: string;
  /** One that the reader has from elsewhere. */
  readonly checkpoint?: string;
}

const BY = "2026-05-01T10:01:00.000Z";
const LATER = "2026-05-01T10:06:01.000Z";
export const promised = goodReceipt({ evidence: { log: { by: BY, origin: LOG.name } } });
const LONG_AGO = "2026-04-01T10:00:00.000Z";
const longAgo = (evidence: Readonly<Record<string, unknown>>) =>
  goodReceipt({ alter: (receipt) => ({ ...receipt, createdAt: LONG_AGO }), evidence });
const backdated = longAgo({ log: { by: BY, origin: LOG.name } });
const unpromised = longAgo({});
export const goodLog = logProofOf(promised);
export const anchoredLog = anchoredLogOf(promised, 6);

const body = (of: "entry" | "opened" | "key", from: string | RegExp, to: string) => ({
  ...goodLog,
  [of]: { ...goodLog[of], body: goodLog[of].body.replace(from, to) },
});
const note = (from: RegExp | string, to: string) => ({
  ...goodLog,
  checkpoint: goodLog.checkpoint.replace(from, to),
});
const entry = (changes: object) => ({ ...goodLog, entry: { ...goodLog.entry, ...changes } });
const cosignaturesOf = (checkpoint: string) => checkpoint.slice(checkpoint.indexOf("— one.test/w"));
const others = (...bytes: number[]) => bytes.map(leafOf);
const { vkey, checkpoint } = goodLog;
const ownWitnesses = WITNESSES.map(({ name }, i) => noteKey(name, 4, 31 + i));
const operatorsOwn = noteKey(LOG.name, 1, 8);
const begunAnew = noteKey("log.test/anew", 1, 7);
const otherTree = logProofOf(promised, { tree: ["key", 1, "opened", 2, "entry", 3, 9] });
const rotated = signingPair(9);
const keyEntry = (changes: object) => ({ ...keyBody(rotated, "begun", BY), ...changes });
export const datedLog = logProofOf(promised, { dated: [keyEntry({}), keyBody(SERVICE_KEY, "ended", LATER)] });

const forged = (name: string, log: unknown, code: CheckCode, more: Partial<ForgedLog> = {}): ForgedLog => ({
  name,
  log,
  code,
  ...more,
});
const noProof = (name: string, log: unknown, code: CheckCode, more: Partial<ForgedLog> = {}): ForgedLog =>
  forged(name, log, code, { ...more, status: "unknown" });

/** In every value of the proof, one after another. Any of the codes that fail will do. */
export const changedProofs: readonly (readonly [name: string, log: unknown])[] = leavesOf(anchoredLog.log).map(
  (path) => [textOf(path), altered(anchoredLog.log, path, another)],
);

const { anchored: object, log: onLedger } = anchoredLog;
const forgedAnchor = (name: string, anchored: FetchedObject | undefined, code: CheckCode): ForgedLog =>
  forged(name, onLedger, code, { anchored });
const otherFields = (fields: Parameters<typeof anchoredLogOf>[2]) => anchoredLogOf(promised, 6, fields).anchored;

export const forgedLogs: readonly ForgedLog[] = [
  // No proof at all.
  noProof("an answer without a proof", undefined, "log-absent"),
  noProof("an answer without an entry", { vkey, checkpoint }, "log-entry-absent"),
  forged(
    "an answer that a later checkpoint lacks",
    { vkey, checkpoint: checkpointOf(others(1, 2, 3), { cosignedAt: LATER }) },
    "log-promise-broken",
  ),
  forged("an entry behind a later checkpoint that the reader has", goodLog, "log-promise-broken", {
    checkpoint: checkpointOf(others(1, 2, 3), { cosignedAt: LATER }),
  }),
  forged("null", null, "log-malformed"),
  forged("a member too many", { ...goodLog, note: 1 }, "log-malformed"),
  forged("a member too few", without(goodLog, "opened"), "log-malformed"),
  forged("a key of another type", { ...goodLog, vkey: WITNESSES[0]?.vkey }, "log-malformed"),
  forged("a checkpoint without a signature", note(/\n—[\s\S]*$/, "\n"), "log-malformed"),
  // Another entry.
  forged("the entry of another answer", logProofOf(goodReceipt({ agentId: "researcher" })), "log-entry-differs"),
  forged("an entry of another signature", body("entry", /"signature":"../, '"signature":"00'), "log-entry-differs"),
  forged("a body in another form", body("entry", ",", ", "), "log-entry-differs"),
  forged("a member in the body", body("entry", "{", '{"a":1,'), "log-entry-differs"),
  forged("an entry of another number", entry({ number: 6 }), "log-entry-differs"),
  forged("opened as the entry", { ...goodLog, entry: goodLog.opened }, "log-entry-differs"),
  forged("another salt", entry({ salt: SALT.replace("5a", "a5") }), "log-not-included"),
  forged("another index", entry({ index: 5 }), "log-not-included"),
  forged("an index beyond the tree", entry({ index: 7 }), "log-not-included"),
  forged("a path that is too short", entry({ hashes: goodLog.entry.hashes.slice(1) }), "log-not-included"),
  forged(
    "a path that is too long",
    entry({ hashes: [...goodLog.entry.hashes, ...goodLog.entry.hashes.slice(1)] }),
    "log-not-included",
  ),
  forged(
    "an entry that was removed from the tree",
    { ...goodLog, checkpoint: checkpointOf(others(1, 2, 3, 4, 5, 6, 7)) },
    "log-not-included",
  ),
  forged("entries in another order", { ...goodLog, checkpoint: otherTree.checkpoint }, "log-not-included"),
  // Another beginning.
  forged(
    "opened under another version",
    body("opened", /"policyVersion":7/, '"policyVersion":6'),
    "log-opened-differs",
  ),
  forged("opened by another answer", body("opened", "sss", "sst"), "log-opened-differs"),
  forged("opened later", body("opened", "10:00:00.000", "10:00:00.001"), "log-opened-differs"),
  forged("issued twice", { ...goodLog, opened: goodLog.entry }, "log-opened-differs"),
  forged(
    "opened behind its end",
    logProofOf(promised, { tree: ["key", 1, "entry", 2, "opened", 3, 4] }),
    "log-opened-differs",
  ),
  // Another key.
  forged("a key that has ended, as the key", body("key", '"begun"', '"ended"'), "log-key-differs"),
  forged(
    "the entry of another key",
    body("key", Buffer.from(SERVICE_KEY.publicKey).toString("hex"), Buffer.from(rotated.publicKey).toString("hex")),
    "log-key-differs",
  ),
  forged(
    "a key that signed before its entry",
    logProofOf(promised, { tree: ["opened", 1, "entry", 2, "key", 3, 4] }),
    "log-key-later",
  ),
  forged(
    "a key that signed after its end",
    logProofOf(promised, { dated: [keyBody(SERVICE_KEY, "ended", "2026-05-01T09:54:59.999Z")] }),
    "log-key-ended",
  ),
  forged(
    "an entry that dates nothing",
    logProofOf(promised, { dated: [keyEntry({ kind: "api-key" })] }),
    "log-dated-differs",
  ),
  forged(
    "a key that was paused",
    logProofOf(promised, { dated: [keyEntry({ state: "paused" })] }),
    "log-dated-differs",
  ),
  forged("a dated entry of another number", altered(datedLog, ["dated", 0, "number"], another), "log-dated-differs"),
  forged("a dated entry that is in no tree", altered(datedLog, ["dated", 0, "index"], another), "log-not-included"),
  forged("too many dated entries", { ...datedLog, dated: Array(513).fill(datedLog.dated?.[0]) }, "log-malformed"),
  // Another checkpoint.
  forged("a checkpoint of another log", logProofOf(promised, { origin: "log.test/others" }), "log-checkpoint-wrong"),
  forged("a checkpoint of another size", note("\n7\n", "\n8\n"), "log-checkpoint-wrong"),
  forged("a checkpoint that is signed twice", note(/(— log.*\n)/, "$1$1"), "log-checkpoint-wrong"),
  forged("a checkpoint that only witnesses signed", note(/— log.*\n/, ""), "log-checkpoint-wrong"),
  forged(
    "cosignatures of another tree",
    { ...otherTree, checkpoint: otherTree.checkpoint.replace(/— one[\s\S]*$/, cosignaturesOf(checkpoint)) },
    "log-cosignature-wrong",
  ),
  forged("two trees of one size", otherTree, "log-forked", { checkpoint }),
  // Another time.
  forged("an entry that is late", logProofOf(promised, { at: LATER, cosignedAt: LATER }), "log-late"),
  forged("an answer that is backdated, and promises to be in the log by today", logProofOf(backdated), "log-late", {
    receipt: backdated,
  }),
  forged("an answer that is backdated, and promises nothing", logProofOf(unpromised), "log-late", {
    receipt: unpromised,
  }),
  forged(
    "a checkpoint from before its entry",
    logProofOf(promised, { cosignedAt: "2026-05-01T09:54:59.000Z" }),
    "log-checkpoint-early",
  ),
  // Another tree on the ledger.
  forgedAnchor("a checkpoint that the ledger does not have", undefined, "log-anchor-wrong"),
  forgedAnchor(
    "a checkpoint of another package",
    otherFields({ packageId: `0x${"ee".repeat(32)}` }),
    "log-anchor-wrong",
  ),
  forgedAnchor("an object of another type", otherFields({ name: "Receipt" }), "log-anchor-wrong"),
  forgedAnchor("a checkpoint that is not frozen", otherFields({ owner: "other" }), "log-anchor-wrong"),
  forgedAnchor("a checkpoint of another log there", otherFields({ origin: "log.test/others" }), "log-anchor-wrong"),
  forgedAnchor("a checkpoint with another id", otherFields({ id: `0x${"cd".repeat(32)}` }), "log-anchor-wrong"),
  forgedAnchor("a root that is too short", otherFields({ root: Buffer.alloc(31) }), "log-anchor-wrong"),
  forgedAnchor("a size beyond 2^53", otherFields({ size: 2 ** 53 }), "log-anchor-wrong"),
  forgedAnchor("bytes of another object", { ...object, bcs: otherFields({ size: 5 }).bcs }, "log-anchor-wrong"),
  forgedAnchor("another digest of the object", { ...object, digest: "1".repeat(44) }, "log-anchor-wrong"),
  forgedAnchor("another root there", otherFields({ root: Buffer.alloc(32, 1) }), "log-anchor-differs"),
  forgedAnchor("a tree on the ledger that lacks the receipt", otherFields({ size: 4 }), "log-anchor-differs"),
  forged("two trees of one size, one of them on the ledger", anchoredLogOf(promised, 7).log, "log-anchor-differs", {
    anchored: anchoredLogOf(promised, 7, { root: Buffer.alloc(32, 1) }).anchored,
  }),
  // Too little.
  noProof("a ledger that does not answer", onLedger, "log-anchor-absent", { anchored: "unreachable" }),
  noProof("a node that does not give the object's bytes", onLedger, "log-anchor-absent", {
    anchored: { ...object, bcs: undefined },
  }),
  noProof(
    "a later checkpoint of another log, which lacks it",
    { vkey: begunAnew.vkey, checkpoint: checkpointOf(others(1, 2, 3), { log: begunAnew, cosignedAt: LATER }) },
    "log-other-origin",
    { witnesses: POLICY.replace(LOG.vkey, begunAnew.vkey) },
  ),
  noProof("a log that was begun anew", logProofOf(promised, { log: begunAnew }), "log-other-origin"),
  noProof("a log of the operator's own, for one reader", logProofOf(promised, { log: operatorsOwn }), "log-untrusted"),
  noProof(
    "a log of the operator's own, where the reader has a checkpoint of the other",
    logProofOf(promised, { log: operatorsOwn }),
    "log-untrusted",
    { checkpoint, witnesses: POLICY.replace(LOG.vkey, operatorsOwn.vkey) },
  ),
  noProof("one witness of two", logProofOf(promised, { witnesses: WITNESSES.slice(0, 1) }), "log-not-witnessed"),
  noProof("no witness", logProofOf(promised, { witnesses: [] }), "log-not-witnessed"),
  noProof("witnesses of the operator's own", logProofOf(promised, { witnesses: ownWitnesses }), "log-not-witnessed"),
  noProof("one witness, three times", note(/(— one.*\n)[\s\S]*$/, "$1$1$1"), "log-not-witnessed"),
  noProof("a policy that asks for more", goodLog, "log-not-witnessed", {
    witnesses: POLICY.replace(
      "group two 2 w0 w1 w2",
      `witness w3 ${noteKey("four.test/w", 4, 40).vkey}\ngroup two all w0 w1 w2 w3`,
    ),
  }),
];
