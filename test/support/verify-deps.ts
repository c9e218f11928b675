// Test doubles for the ledger and the blob store of a verification. They hold what a case says, and record the ids that
// they are asked for.
import type { Observation } from "#core/verify/observation.ts";
import type { VerifierDeps } from "#service/verification/verifier.ts";
import { TX_DIGEST } from "./anchored-receipt.ts";

export function verifyDepsOf(
  { receiptId, object, blob, memories, packageId }: Observation,
  ledger: Partial<VerifierDeps["ledger"]> = {},
): { readonly deps: VerifierDeps; readonly requestedIds: readonly string[] } {
  const requestedIds: string[] = [];
  const blobs = new Map<string, Observation["blob"]>(memories);
  if (typeof object === "object" && object.receipt !== undefined) blobs.set(object.receipt.blobId, blob);

  async function find<T extends object>(id: string, held: T | string | undefined): Promise<T | undefined> {
    requestedIds.push(id);
    if (held === "unreachable") throw new Error("down");
    return typeof held === "object" ? held : undefined;
  }

  const stored =
    typeof object === "object" ? { content: new Uint8Array(), previousTransaction: TX_DIGEST, ...object } : object;
  return {
    requestedIds,
    deps: {
      ledger: {
        network: "testnet",
        packageId: async () => packageId,
        formerPackageId: async () => undefined,
        find: (id) => find(id, id === receiptId ? stored : undefined),
        explorerUrl: (txDigest) => `https://explorer.test/tx/${txDigest}`,
        ...ledger,
      },
      blobs: { get: (id) => find(id, blobs.get(id)) },
    },
  };
}
