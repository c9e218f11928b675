// The object on the ledger: it is a frozen receipt of our package, and its id and its bytes are what they must be.
import { bytesToHex } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/defined.ts";
import { isSameAddress } from "#core/encoding/address.ts";
import { objectDigest, readMoveObject } from "#core/ledger/move-object.ts";
import { type ChainReceipt, impossibility, readChainReceipt, receiptIdOf } from "#core/receipt/chain-receipt.ts";
import { type Check, type Compared, fail, pass, unknown } from "#core/verify/check.ts";
import type { FetchedObject, Observation } from "#core/verify/observation.ts";

interface ReadObject {
  readonly check: Check;
  readonly receipt?: ChainReceipt;
}

export function checkObject(observation: Observation): ReadObject {
  const { receiptId, packageId, object, unanchored } = observation;
  if (unanchored !== undefined)
    return { check: unknown("object", "not-anchored", "The receipt is not on the ledger, so nothing there dates it.") };
  if (object === "unreachable") return { check: unknown("object", "ledger-unreachable", "The ledger did not answer.") };
  if (object === "missing")
    return { check: fail("object", "object-missing", "The ledger has no object with this id.") };
  const { objectId, type, owner, content } = object;
  if (!isSameAddress(objectId, receiptId)) {
    const compared = { expected: receiptId, actual: objectId };
    const sentence = "The ledger answered with another object than the one asked for.";
    return { check: fail("object", "object-other-id", sentence, compared) };
  }
  const compared = {
    expected: `${packageId}::gate::Receipt, frozen`,
    actual: `${type}, ${owner === "immutable" ? "frozen" : "not frozen"}`,
  };
  if (!isOfType(type, packageId, "Receipt")) return { check: fail("object", "object-other-type", NOT_OURS, compared) };
  if (owner !== "immutable") {
    const sentence = "The object is not frozen, so it may change. A receipt of ours never does.";
    return { check: fail("object", "object-not-frozen", sentence, compared) };
  }
  const receipt = readChainReceipt(content);
  if (receipt === undefined) {
    const sentence = "The object has the right type, but cannot be read as a receipt.";
    return { check: fail("object", "object-malformed", sentence, compared) };
  }
  const impossible = impossibility(receipt);
  if (impossible !== undefined) {
    const sentence = `The ledger’s rules do not allow such a receipt: ${impossible}.`;
    return { check: fail("object", "object-malformed", sentence, compared) };
  }
  return { check: pass("object", "The object is a frozen Receipt of our package.", compared), receipt };
}

const NOT_OURS = "The object is not a Receipt of our package. Anyone can publish a package whose objects look alike.";

/** Whether the type is this one of the module `gate` of the package. Nodes write addresses in different ways. */
export function isOfType(type: string, packageId: string, name: string): boolean {
  const [address = "", module, typeName, ...more] = type.split("::");
  return isSameAddress(address, packageId) && module === "gate" && typeName === name && more.length === 0;
}

const ID_BYTES = 32;

/** The module derives the id from digest, claims and version, so a receipt that says something else has another id. */
export function checkIdentity({ receiptId, packageId, object }: Observation, { receipt }: ReadObject): Check {
  if (receipt === undefined || typeof object === "string")
    return unknown("identity", "needs-object", "Not checked: only a receipt of ours has an id that can be derived.");
  const derived = orUndefined(() =>
    receiptIdOf({ ...receipt, packageId, policyVersion: BigInt(receipt.policyVersion) }),
  );
  const stated = `0x${bytesToHex(object.content.subarray(0, ID_BYTES))}`;
  const wrong = [derived ?? "none", stated].find((id) => !isSameAddress(id, receiptId));
  if (wrong !== undefined) {
    const compared = { expected: receiptId, actual: wrong };
    const sentence =
      "The id does not follow from what the object says. A ledger that keeps its rules has no such object.";
    return fail("identity", "id-not-derived", sentence, compared);
  }
  if (object.bcs === undefined || object.digest === undefined) {
    const sentence =
      "The id follows from what the object says. The ledger did not return the bytes of the whole object.";
    return unknown("identity", "object-bytes-absent", sentence);
  }
  const difference = envelopeDifference(object, object.bcs);
  if (difference !== undefined) {
    const sentence = `The bytes of the whole object and what the ledger says about it differ: ${difference.what}.`;
    return fail("identity", "object-bytes-differ", sentence, difference.compared);
  }
  const compared = { expected: object.digest, actual: objectDigest(object.bcs) };
  if (compared.actual !== compared.expected) {
    const sentence = "blake2b256 of the object’s bytes is not the digest that the ledger names.";
    return fail("identity", "object-digest-differs", sentence, compared);
  }
  const sentence =
    "The id follows from policy object, digest, claims and policy version, and the digest from the object’s bytes.";
  return pass("identity", sentence, compared);
}

interface Difference {
  readonly what: string;
  readonly compared?: Compared;
}

/** What the ledger states of an object, against the object's own bytes. */
export function envelopeDifference(object: FetchedObject, bcs: Uint8Array): Difference | undefined {
  const envelope = readMoveObject(bcs);
  if (envelope === undefined) return { what: "they are not an object" };
  const [address = "", ...name] = object.type.split("::");
  const [ownAddress = "", ...ownName] = envelope.type.split("::");
  if (!isSameAddress(address, ownAddress) || name.join("::") !== ownName.join("::"))
    return { what: "its type", compared: { expected: object.type, actual: envelope.type } };
  if (envelope.owner !== object.owner)
    return { what: "its owner", compared: { expected: object.owner, actual: envelope.owner } };
  if (bytesToHex(envelope.content) !== bytesToHex(object.content)) return { what: "its contents" };
  if (envelope.previousTransaction !== object.previousTransaction) {
    const compared = { expected: object.previousTransaction ?? "none", actual: envelope.previousTransaction };
    return { what: "the transaction that wrote it", compared };
  }
  return undefined;
}
