// The object on the ledger: it is a frozen receipt of our package, and its id and its bytes are what they must be.
import { bytesToHex } from "@noble/hashes/utils.js";
import { orUndefined } from "#core/defined.ts";
import { isSameAddress } from "#core/encoding/address.ts";
import { objectDigest, readMoveObject } from "#core/ledger/move-object.ts";
import { type ChainReceipt, impossibility, readChainReceipt, receiptIdOf } from "#core/receipt/chain-receipt.ts";
import { type Check, type Compared, checkOf } from "#core/verify/check.ts";
import type { FetchedObject, Observation } from "#core/verify/observation.ts";

const [ofObject, ofIdentity] = [checkOf("object"), checkOf("identity")];

interface ReadObject {
  readonly check: Check;
  readonly receipt?: ChainReceipt;
}

export function checkObject(observation: Observation): ReadObject {
  const { receiptId, packageId, object, unanchored } = observation;
  if (unanchored !== undefined) return { check: ofObject.unknown("not-anchored") };
  if (object === "unreachable") return { check: ofObject.unknown("ledger-unreachable") };
  if (object === "missing") return { check: ofObject.fail("object-missing") };
  const { objectId, type, owner, content } = object;
  if (!isSameAddress(objectId, receiptId))
    return { check: ofObject.fail("object-other-id", { compared: { expected: receiptId, actual: objectId } }) };
  const compared = {
    expected: `${packageId}::gate::Receipt, frozen`,
    actual: `${type}, ${owner === "immutable" ? "frozen" : "not frozen"}`,
  };
  if (!isOfType(type, packageId, "Receipt")) return { check: ofObject.fail("object-other-type", { compared }) };
  if (owner !== "immutable") return { check: ofObject.fail("object-not-frozen", { compared }) };
  const receipt = readChainReceipt(content);
  if (receipt === undefined) return { check: ofObject.fail("object-malformed", { compared }) };
  const why = impossibility(receipt);
  if (why !== undefined) return { check: ofObject.fail("object-malformed/impossible", { compared, why }) };
  return { check: ofObject.pass("frozen", { compared }), receipt };
}

/** Whether the type is this one of the module `gate` of the package. Nodes write addresses in different ways. */
export function isOfType(type: string, packageId: string, name: string): boolean {
  const [address = "", module, typeName, ...more] = type.split("::");
  return isSameAddress(address, packageId) && module === "gate" && typeName === name && more.length === 0;
}

const ID_BYTES = 32;

/** The module derives the id from digest, claims and version, so a receipt that says something else has another id. */
export function checkIdentity({ receiptId, packageId, object }: Observation, { receipt }: ReadObject): Check {
  if (receipt === undefined || typeof object === "string") return ofIdentity.unknown("needs-object");
  const derived = orUndefined(() =>
    receiptIdOf({ ...receipt, packageId, policyVersion: BigInt(receipt.policyVersion) }),
  );
  const stated = `0x${bytesToHex(object.content.subarray(0, ID_BYTES))}`;
  const wrong = [derived ?? "none", stated].find((id) => !isSameAddress(id, receiptId));
  if (wrong !== undefined)
    return ofIdentity.fail("id-not-derived", { compared: { expected: receiptId, actual: wrong } });
  if (object.bcs === undefined || object.digest === undefined) return ofIdentity.unknown("object-bytes-absent");
  const difference = envelopeDifference(object, object.bcs);
  if (difference !== undefined) return ofIdentity.fail("object-bytes-differ", { ...difference });
  const compared = { expected: object.digest, actual: objectDigest(object.bcs) };
  if (compared.actual !== compared.expected) return ofIdentity.fail("object-digest-differs", { compared });
  return ofIdentity.pass("derived", { compared });
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
