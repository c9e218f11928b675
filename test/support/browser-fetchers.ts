// The page's fetchers, answered from what a case says.
import { readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { Fetchers } from "#verification/observe.ts";
import { closingIdOf } from "./ledger-objects.ts";

export function fetchersOf({
  receiptId,
  packageId,
  object,
  gate,
  closing,
  blob,
  memories,
  tombstones,
  policyHolder,
  nowMs,
}: Observation): Fetchers {
  const receipt = typeof object === "object" ? readChainReceipt(object.content) : undefined;
  const objects = new Map([[receiptId, object]]);
  if (receipt !== undefined) objects.set(closingIdOf(receipt.policyVersion), closing).set(receipt.gate, gate);
  return {
    now: () => nowMs,
    packageId: async () => packageId,
    object: async (id) => objects.get(id) ?? "missing",
    blob: async (id) => memories.get(id) ?? (id === receipt?.blobId ? blob : "missing"),
    policyHolder: async () => policyHolder ?? "unreachable",
    tombstone: async (memoryId) => tombstones?.get(memoryId),
  };
}
