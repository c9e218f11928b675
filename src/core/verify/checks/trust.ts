// What the reader once decided to trust, against what is there now. The operator cannot change it unnoticed.
import { isSameAddress } from "#core/encoding/address.ts";
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import { type Check, fail, pass, unknown } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { SignedForm } from "./evidence.ts";

interface Parts {
  readonly chain: ChainReceipt | undefined;
  readonly signed: SignedForm | undefined;
}

/** No check if the reader named nothing. */
export function checkTrust({ packageId, trusted, unanchored }: Observation, { chain, signed }: Parts): Check[] {
  if (trusted === undefined) return [];
  const { packageId: trustedPackage, gateId, keyIds } = trusted;
  if (trustedPackage === undefined && gateId === undefined && keyIds === undefined) return [];
  if (trustedPackage !== undefined && !isSameAddress(trustedPackage, packageId)) {
    const compared = { expected: trustedPackage, actual: packageId };
    return [
      fail(
        "trust",
        "trusted-package-differs",
        "The service names another package than the one that you trust.",
        compared,
      ),
    ];
  }
  if (chain === undefined && (unanchored === undefined || gateId !== undefined))
    return [unknown("trust", "needs-object", "Not checked: the check needs a receipt on the ledger.")];
  if (gateId !== undefined && chain !== undefined && !isSameAddress(gateId, chain.gate)) {
    const compared = { expected: gateId, actual: chain.gate };
    return [
      fail(
        "trust",
        "trusted-gate-differs",
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
    return [unknown("trust", "trusted-key-differs", sentence, compared)];
  }
  return [pass("trust", "Package, policy object and key are the ones that you trust, as far as you named them.")];
}
