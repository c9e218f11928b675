import { isSameAddress } from "#core/encoding/address.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type Check, check } from "./check.ts";
import type { FetchedObject, Observation } from "./observation.ts";

interface ObjectCheck {
  readonly check: Check;
  /** Present if the check passed. */
  readonly receipt?: ChainReceipt;
}

export function checkObject({ receiptId, packageId, object }: Observation): ObjectCheck {
  if (object === "unreachable") return { check: check("object", "unknown", "The ledger did not answer.") };
  if (object === "missing") return { check: check("object", "fail", "The ledger has no object with this id.") };
  if (!isSameAddress(object.objectId, receiptId)) {
    const compared = { expected: receiptId, actual: object.objectId };
    return {
      check: check("object", "fail", "The ledger answered with another object than the one asked for.", compared),
    };
  }
  const { receipt } = object;
  const compared = {
    expected: `${packageId}::gate::Receipt, frozen`,
    actual: `${object.type}, ${object.isFrozen ? "frozen" : "not frozen"}`,
  };
  const fault = objectFault(packageId, object);
  if (fault !== undefined || receipt === undefined) {
    const unreadable = "The object has the right type, but cannot be read as a receipt.";
    return { check: check("object", "fail", fault ?? unreadable, compared) };
  }
  const sentence = "The object is a frozen Receipt of our package: nobody can change it.";
  return { check: check("object", "pass", sentence, compared), receipt };
}

function objectFault(packageId: string, { type, isFrozen }: FetchedObject): string | undefined {
  if (!isReceiptOf(packageId, type))
    return "The object is not a Receipt of our package. Anyone can publish a package whose objects look alike.";
  // Not `!isFrozen`: the value comes from outside, and only `true` means frozen.
  if (isFrozen !== true) return "The object is not frozen, so it may change. A receipt of ours never does.";
  return undefined;
}

function isReceiptOf(packageId: string, type: string): boolean {
  const [address = "", module, name, ...more] = type.split("::");
  return isSameAddress(address, packageId) && module === "gate" && name === "Receipt" && more.length === 0;
}
