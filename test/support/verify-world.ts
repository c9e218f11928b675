// A ledger and a blob store that hold what a test says, and tell what they were asked.
import type { Observation } from "#core/verify/observation.ts";
import type { VerifierDeps } from "#service/verification/verifier.ts";
import { TX_DIGEST } from "./verification.ts";

export function worldOf(
  { receiptId, object, blob, memories, packageId }: Observation,
  ledger: Partial<VerifierDeps["ledger"]> = {},
): { readonly deps: VerifierDeps; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const blobs = new Map<string, Observation["blob"]>(memories);
  if (typeof object === "object" && object.receipt !== undefined) blobs.set(object.receipt.blobId, blob);

  async function look<T extends object>(
    id: string,
    has: (id: string) => T | string | undefined,
  ): Promise<T | undefined> {
    asked.push(id);
    const found = has(id);
    if (found === "unreachable") throw new Error("down");
    return typeof found === "object" ? found : undefined;
  }

  const stored =
    typeof object === "object" ? { content: new Uint8Array(), previousTransaction: TX_DIGEST, ...object } : object;
  return {
    asked,
    deps: {
      ledger: {
        network: "testnet",
        packageId: async () => packageId,
        find: (id) => look(id, (wanted) => (wanted === receiptId ? stored : undefined)),
        explorerUrl: (txDigest) => `https://explorer.test/tx/${txDigest}`,
        ...ledger,
      },
      blobs: { get: (id) => look(id, (wanted) => blobs.get(wanted)) },
    },
  };
}
