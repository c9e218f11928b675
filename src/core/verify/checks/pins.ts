// What the reader once pinned, against what is there now. The operator cannot change it unnoticed.
import { isSameAddress } from "#core/encoding/address.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type Check, fail, pass, unknown } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { SignedForm } from "./evidence.ts";

interface Parts {
  readonly chain: ChainReceipt | undefined;
  readonly signed: SignedForm | undefined;
}

/** No check if nothing is pinned. */
export function checkPins({ packageId, pins }: Observation, { chain, signed }: Parts): Check[] {
  if (pins === undefined) return [];
  const { packageId: pinnedPackage, gateId, keyIds } = pins;
  if (pinnedPackage === undefined && gateId === undefined && keyIds === undefined) return [];
  if (pinnedPackage !== undefined && !isSameAddress(pinnedPackage, packageId)) {
    const compared = { expected: pinnedPackage, actual: packageId };
    return [
      fail(
        "pins",
        "pinned-package-differs",
        "The service names another package than the one that you trust.",
        compared,
      ),
    ];
  }
  if (chain === undefined)
    return [unknown("pins", "needs-object", "Not checked: the check needs a receipt on the ledger.")];
  if (gateId !== undefined && !isSameAddress(gateId, chain.gate)) {
    const compared = { expected: gateId, actual: chain.gate };
    return [
      fail(
        "pins",
        "pinned-gate-differs",
        "The receipt was judged by another policy object than the one that you trust.",
        compared,
      ),
    ];
  }
  const keyId = signed?.signature.keyId;
  if (keyIds !== undefined && keyId !== undefined && !keyIds.includes(keyId)) {
    const compared = { expected: keyIds.join(", "), actual: keyId };
    const sentence =
      "The receipt is signed by a key that you do not trust yet. Keys are replaced now and then: ask the operator.";
    return [unknown("pins", "pinned-key-differs", sentence, compared)];
  }
  return [pass("pins", "Package, policy object and key are the ones that you trust, as far as you named them.")];
}
