import { refusal } from "./failure.ts";
import type { ReadTransaction } from "./transaction.ts";

/** Refuses what is not signed by the sender, and by the sponsor when somebody else is to pay, and by nobody else. */
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
  // Takes a quarter of a second to load, with zkLogin and all: not while the service starts.
  const { verifyTransactionSignature } = await import("@mysten/sui/verify");
  try {
    return (await verifyTransactionSignature(bytes, signature)).toSuiAddress();
  } catch (cause) {
    throw refusal("Invalid user signature: it is not one of these bytes", "INVALID_ARGUMENT", cause);
  }
}
