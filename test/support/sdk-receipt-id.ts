// The id of a receipt on the ledger, derived by Sui's SDK. core/receipt/chain-receipt.ts derives it without the SDK, and is
// held to this one.
import { deriveObjectID } from "@mysten/sui/utils";
import { type GateIds, ReceiptKey, typeName } from "#adapters/ledger/gate-module.ts";

export function receiptIdOf(
  { packageId, gateId }: GateIds,
  key: { readonly digest: Uint8Array; readonly claimed: readonly string[]; readonly policyVersion: bigint },
): string {
  const { digest, claimed, policyVersion } = key;
  const bytes = ReceiptKey.serialize({ digest, claimed, policy_version: policyVersion }).toBytes();
  return deriveObjectID(gateId, typeName(packageId, "ReceiptKey"), bytes);
}
