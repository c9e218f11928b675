// Test doubles for the ledger and the blob store of a verification. They hold what a case says, and record the ids that
// they are asked for.
import { readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { VerifierParts } from "#service/anchoring/verifier.ts";
import { closingIdOf } from "./ledger-objects.ts";

export function verifierPartsOf(
  { receiptId, object, gate, closing, blob, memories, tombstones, policyHolder, nowMs, packageId }: Observation,
  ledger: Partial<VerifierParts["ledger"]> = {},
): { readonly parts: VerifierParts; readonly requestedIds: readonly string[]; readonly receiptId: string } {
  const requestedIds: string[] = [];
  const receipt = typeof object === "object" ? readChainReceipt(object.content) : undefined;
  const blobs = new Map<string, Observation["blob"]>(memories);
  if (receipt !== undefined) blobs.set(receipt.blobId, blob);
  const objects = new Map([[receiptId, object]]);
  if (receipt !== undefined) objects.set(closingIdOf(receipt.policyVersion), closing).set(receipt.gate, gate);

  async function find<T extends object>(id: string, held: T | string | undefined): Promise<T | undefined> {
    requestedIds.push(id);
    if (held === "unreachable") throw new Error("down");
    return typeof held === "object" ? held : undefined;
  }

  return {
    receiptId,
    requestedIds,
    parts: {
      ledger: {
        network: "testnet",
        packageId: async () => packageId,
        async policyHolder() {
          if (policyHolder === undefined || policyHolder === "unreachable") throw new Error("down");
          return policyHolder;
        },
        find: (id) => find(id, objects.get(id)),
        explorerUrl: (txDigest) => `https://explorer.test/tx/${txDigest}`,
        ...ledger,
      },
      blobs: { get: (id) => find(id, blobs.get(id)) },
      now: () => new Date(nowMs),
      tombstoneOf: async (memoryId) => tombstones?.get(memoryId),
    },
  };
}
