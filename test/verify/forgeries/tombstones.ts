// Lies about forgotten memories: a tombstone must be the service's, of this memory, and not older than the answer.
import type { FetchedBlob } from "#core/verify/observation.ts";
import { anchored, gateObject, goodReceipt } from "#test/support/anchored-receipt.ts";
import { sortedJson } from "#test/support/reference-encoding.ts";
import { SERVICE_KEY, type SigningPair, signingPair } from "#test/support/signed-receipt.ts";
import { altered, another, type Forgery, forgery, leavesOf, noProof, textOf } from "./forgery.ts";

const good = anchored();
const [first] = goodReceipt().usedMemories as readonly Readonly<Record<string, string>>[];
const { memoryId = "", namespace = "", storeRef = "" } = first ?? {};

const SAID = {
  cause: "forgotten",
  forgottenAt: "2999-01-01T00:00:00.000Z",
  forgottenBy: "ada",
  memoryId,
  namespace,
  reason: "asked for",
};

function tombstone(fields: object = {}, pair: SigningPair = SERVICE_KEY) {
  const said = { ...SAID, ...fields };
  const bytes = Buffer.concat([Buffer.from("portcullis/tombstone/v1\0"), Buffer.from(sortedJson(said))]);
  return { ...said, signature: { keyId: pair.keyId, value: pair.sign(bytes) } };
}

const forgotten = (given: unknown, more: object = {}) => ({
  ...good,
  memories: new Map<string, FetchedBlob>(good.memories).set(storeRef, "missing"),
  tombstones: new Map([[memoryId, given]]),
  ...more,
});

const whole = tombstone();
const ended = { publicKey: SERVICE_KEY.publicKey, addedAtMs: 1, endedAtMs: 2 ** 50 };

export const tombstoneForgeries: Forgery[] = [
  noProof("tombstone: none", forgotten(undefined), "memory-missing"),
  noProof("tombstone: a word instead", forgotten("forgotten"), "memory-missing"),
  noProof("tombstone: of another memory", forgotten(tombstone({ memoryId: "mem_other" })), "memory-missing"),
  noProof("tombstone: of another namespace", forgotten(tombstone({ namespace: "other" })), "memory-missing"),
  noProof("tombstone: by a stranger's key", forgotten(tombstone({}, signingPair(9))), "tombstone-not-signed"),
  noProof(
    "tombstone: by a stranger in the name of the service's key",
    forgotten({ ...whole, signature: { ...tombstone({}, signingPair(9)).signature, keyId: SERVICE_KEY.keyId } }),
    "tombstone-not-signed",
  ),
  ...leavesOf(SAID)
    .filter(([name]) => name !== "memoryId" && name !== "namespace" && name !== "forgottenAt")
    .map((path) =>
      noProof(`tombstone: another ${textOf(path)}`, forgotten(altered(whole, path, another)), "tombstone-not-signed"),
    ),
  noProof(
    "tombstone: another /forgottenAt",
    forgotten({ ...whole, forgottenAt: "2999-01-01T00:00:00.001Z" }),
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
