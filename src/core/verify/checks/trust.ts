// What the reader once decided to trust, against what is there now. The operator cannot change it unnoticed.
import { isSameAddress } from "#core/encoding/address.ts";
import { type Check, checkOf } from "#core/verify/check.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { SignedParts } from "./evidence.ts";

const ofTrust = checkOf("trust");

/** No check if the reader named nothing. */
export function checkTrust(
  { packageId, trusted, unanchored }: Observation,
  { chain, signed }: Pick<SignedParts, "chain" | "signed">,
): Check[] {
  if (trusted === undefined) return [];
  const { packageId: trustedPackage, gateId, keyIds } = trusted;
  if (trustedPackage === undefined && gateId === undefined && keyIds === undefined) return [];
  if (trustedPackage !== undefined && !isSameAddress(trustedPackage, packageId))
    return [ofTrust.fail("trusted-package-differs", { compared: { expected: trustedPackage, actual: packageId } })];
  if (chain === undefined && (unanchored === undefined || gateId !== undefined))
    return [ofTrust.unknown("needs-object")];
  if (gateId !== undefined && chain !== undefined && !isSameAddress(gateId, chain.gate))
    return [ofTrust.fail("trusted-gate-differs", { compared: { expected: gateId, actual: chain.gate } })];
  const keyId = signed?.signature.keyId;
  if (keyIds === undefined || keyId === undefined || keyIds.includes(keyId)) return [ofTrust.pass("trusted")];
  return [ofTrust.unknown("trusted-key-differs", { compared: { expected: keyIds.join(", "), actual: keyId } })];
}
