// Forgotten memories, and lies about them: a tombstone must be the service's, of this memory, whole, and of a time between
// the answer and now. It is the service's word even then, and shows nothing.
import type { FetchedBlob } from "#core/verify/observation.ts";
import { anchored, gateObject, goodReceipt } from "#test/support/anchored-receipt.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import { SERVICE_KEY, type SigningPair, signingPair } from "#test/support/signed-receipt.ts";
import { altered, another, type Forgery, forgery, leavesOf, noProof, textOf, without } from "./forgery.ts";

const good = anchored();
const [first] = goodReceipt().usedMemories as readonly Readonly<Record<string, string>>[];
const { memoryId = "", namespace = "", storeRef = "" } = first ?? {};

export const SAID = {
  cause: "forgotten",
  forgottenAt: "2026-05-01T12:00:00.000Z",
  forgottenBy: "ada",
  memoryId,
  namespace,
  reason: "asked for",
};

export function tombstone(fields: object = {}, pair: SigningPair = SERVICE_KEY, base: object = SAID) {
  const said = { ...base, ...fields };
  const bytes = Buffer.concat([Buffer.from("portcullis/tombstone/v1\0"), Buffer.from(sortedJson(said))]);
  return { ...said, signature: { keyId: pair.keyId, value: pair.sign(bytes) } };
}

export const forgotten = (given: unknown, more: object = {}) => ({
  ...good,
  memories: new Map<string, FetchedBlob>(good.memories).set(storeRef, "missing"),
  tombstones: new Map([[memoryId, given]]),
  ...more,
});

const whole = tombstone();
const withoutReason = tombstone({}, SERVICE_KEY, without(SAID, "reason"));
const ended = { publicKey: SERVICE_KEY.publicKey, addedAtMs: 1, endedAtMs: 2 ** 50 };

const malformed = (name: string, given: unknown): Forgery =>
  noProof(`tombstone: ${name}`, forgotten(given), "tombstone-malformed");

export const tombstoneForgeries: Forgery[] = [
  noProof("tombstone: the service's own, whole", forgotten(whole), "memory-forgotten"),
  noProof("tombstone: the service's own, without a reason", forgotten(withoutReason), "memory-forgotten"),
  malformed("with a member that is not signed", { ...whole, note: "nobody's word" }),
  malformed("with a member of the signature that is not signed", {
    ...whole,
    signature: { ...whole.signature, note: 1 },
  }),
  malformed("with a cause that nobody knows", tombstone({ cause: "because" })),
  malformed("with a cause that every object has", tombstone({ cause: "toString" })),
  malformed("with a reason that is no text", tombstone({ reason: null })),
  malformed("with a reason that is too long", tombstone({ reason: "x".repeat(201) })),
  malformed("without who forgot it", without(whole, "forgottenBy")),
  malformed("by nobody", tombstone({ forgottenBy: "" })),
  ...["2026-05-01T12:00:00Z", "2026-05-01", "1 May 2026 12:00 UTC", "2026-02-31T12:00:00.000Z", "soon"].map(
    (forgottenAt) => malformed(`with the time ${forgottenAt}`, tombstone({ forgottenAt })),
  ),
  noProof("tombstone: of 2031", forgotten(tombstone({ forgottenAt: "2031-01-01T00:00:00.000Z" })), "tombstone-later"),
  noProof(
    "tombstone: of a moment more than five minutes from now",
    forgotten(tombstone({ forgottenAt: new Date(good.nowMs + 5 * 60_000 + 1).toISOString() })),
    "tombstone-later",
  ),
  noProof("tombstone: none", forgotten(undefined), "memory-missing"),
  malformed("a word instead", "forgotten"),
  noProof("tombstone: of another memory", forgotten(tombstone({ memoryId: "mem_other" })), "memory-missing"),
  noProof("tombstone: of another namespace", forgotten(tombstone({ namespace: "other" })), "memory-missing"),
  noProof("tombstone: by a stranger's key", forgotten(tombstone({}, signingPair(9))), "tombstone-not-signed"),
  noProof(
    "tombstone: by a stranger in the name of the service's key",
    forgotten({ ...whole, signature: { ...tombstone({}, signingPair(9)).signature, keyId: SERVICE_KEY.keyId } }),
    "tombstone-not-signed",
  ),
  ...leavesOf(SAID)
    .filter(([name]) => name === "forgottenBy" || name === "reason")
    .map((path) =>
      noProof(`tombstone: another ${textOf(path)}`, forgotten(altered(whole, path, another)), "tombstone-not-signed"),
    ),
  noProof("tombstone: another /cause", forgotten({ ...whole, cause: "expired" }), "tombstone-not-signed"),
  noProof(
    "tombstone: another /forgottenAt",
    forgotten({ ...whole, forgottenAt: "2026-05-01T12:00:00.001Z" }),
    "tombstone-not-signed",
  ),
  noProof(
    "tombstone: by a key that has ended",
    forgotten(whole, { gate: gateObject({ keys: [ended] }) }),
    "tombstone-key-ended",
  ),
  forgery(
    "tombstone: older than the answer",
    forgotten(tombstone({ forgottenAt: "2000-01-01T00:00:00.000Z" })),
    "memory-forgotten-before",
  ),
];
