// Checks the signatures of a transaction.
import { refusal } from "./failure.ts";
import type { ReadTransaction } from "./transaction.ts";

/** Requires the sender's signature, and the sponsor's when the gas has another owner, and no others. */
export async function refuseWrongSignatures(
  { bytes, sender, gasOwner }: ReadTransaction,
  signatures: readonly string[],
): Promise<void> {
  const required = new Set([sender, gasOwner]);
  if (signatures.length !== required.size) {
    throw refusal(`Invalid user signature: Expect ${required.size} signer signatures but got ${signatures.length}`);
  }
  for (const signature of signatures) {
    const signer = await signerOf(bytes, signature);
    if (!required.delete(signer)) {
      throw refusal(`Invalid user signature: ${signer} signed, and is neither the sender nor the sponsor`);
    }
  }
}

async function signerOf(bytes: Uint8Array, signature: string): Promise<string> {
  // Loaded on demand, because it takes a quarter of a second, zkLogin included.
  const { verifyTransactionSignature } = await import("@mysten/sui/verify");
  try {
    return (await verifyTransactionSignature(bytes, signature)).toSuiAddress();
  } catch (cause) {
    throw refusal("Invalid user signature: it does not belong to these bytes", "INVALID_ARGUMENT", cause);
  }
}
