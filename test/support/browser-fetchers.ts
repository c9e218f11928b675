// The page's fetchers, answered from what a case says.
import { readChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { Observation } from "#core/verify/observation.ts";
import type { Fetchers } from "#web/pages/verify/browser/verify-in-browser.ts";

export function fetchersOf({
  receiptId,
  packageId,
  formerPackageId,
  object,
  gate,
  blob,
  memories,
  tombstones,
}: Observation): Fetchers {
  const receipt = typeof object === "object" ? readChainReceipt(object.content) : undefined;
  return {
    packages: async () => ({ packageId, formerPackageId }),
    object: async (id) => (id === receiptId ? object : id === receipt?.gate ? gate : "missing"),
    blob: async (id) => memories.get(id) ?? (id === receipt?.blobId ? blob : "missing"),
    tombstone: async (memoryId) => tombstones?.get(memoryId),
  };
}
