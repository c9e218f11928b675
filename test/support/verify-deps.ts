// A ledger and a blob store that hold what a test says, and tell what they were asked.
import type { Seen } from "#core/verify/verify-receipt.ts";
import type { VerifyDeps } from "#service/verification/verify.ts";
import { TX_DIGEST } from "./anchored-receipt.ts";

export function worldOf(
  { receiptId, object, blob, memories, packageId }: Seen,
  ledger: Partial<VerifyDeps["ledger"]> = {},
): { readonly deps: VerifyDeps; readonly asked: readonly string[] } {
  const asked: string[] = [];
  const blobs = new Map<string, Seen["blob"]>(memories);
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
