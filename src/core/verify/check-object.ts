import { isSameAddress } from "#core/encoding/address.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type Check, type Compared, check } from "./check.ts";
import type { Observation } from "./observation.ts";

/** The receipt is present if the check passed. */
export function checkObject(observation: Observation): { check: Check; receipt?: ChainReceipt } {
  const { receiptId, packageId, formerPackageId, object } = observation;
  if (object === "unreachable") return { check: check("object", "unknown", "The ledger did not answer.") };
  if (object === "missing") return fail("The ledger has no object with this id.");
  const { objectId, type, isFrozen, receipt } = object;
  if (!isSameAddress(objectId, receiptId)) {
    const compared = { expected: receiptId, actual: objectId };
    return fail("The ledger answered with another object than the one asked for.", compared);
  }
  const compared = {
    expected: `${packageId}::gate::Receipt, frozen`,
    actual: `${type}, ${isFrozen ? "frozen" : "not frozen"}`,
  };
  const isFormer = formerPackageId !== undefined && isReceiptOf(formerPackageId, type);
  if (!isFormer && !isReceiptOf(packageId, type)) return fail(NOT_OURS, compared);
  // Not `!isFrozen`: the value comes from outside, and only `true` means frozen.
  if (isFrozen !== true)
    return fail("The object is not frozen, so it may change. A receipt of ours never does.", compared);
  if (receipt === undefined || (isFormer && receipt.issued === undefined))
    return fail("The object has the right type, but cannot be read as a receipt.", compared);
  const sentence = `The object is a frozen Receipt of our ${isFormer ? "former " : ""}package: nobody can change it.`;
  return { check: check("object", "pass", sentence, compared), receipt };
}

const NOT_OURS = "The object is not a Receipt of our package. Anyone can publish a package whose objects look alike.";

const fail = (sentence: string, compared?: Compared) => ({ check: check("object", "fail", sentence, compared) });

function isReceiptOf(packageId: string, type: string): boolean {
  const [address = "", module, name, ...more] = type.split("::");
  return isSameAddress(address, packageId) && module === "gate" && name === "Receipt" && more.length === 0;
}
