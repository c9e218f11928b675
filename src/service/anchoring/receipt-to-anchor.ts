import { canonicalJson } from "#core/encoding/canonical-json.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import { getReceipt } from "#service/receipts/receipts.ts";

/** The caller has been checked: there is exactly one of the two. */
export interface ReceiptToAnchor {
  readonly receipt?: ForeignReceipt | undefined;
  /** Of a receipt that this service issued. */
  readonly answerId?: string | undefined;
}

/**
 * The given receipt, or the issued one with this id. An agent anchors what was issued to it, and nothing else: what
 * somebody else wrote is anchored by admins only.
 */
export async function receiptToAnchor(
  deps: Deps,
  { receipt, answerId = "" }: ReceiptToAnchor,
  principal: Principal,
): Promise<ForeignReceipt> {
  if (receipt === undefined) return (await getReceipt(deps, answerId, principal)).receipt;
  if (principal.role !== "admin") await checkOwn(deps, receipt, principal);
  return receipt;
}

async function checkOwn({ records }: Deps, receipt: ForeignReceipt, principal: Principal): Promise<void> {
  const isOwn = principal.role === "agent" && principal.agentId === receipt.agentId;
  if (isOwn && (await records.receipts.isIssued(receipt.answerId, canonicalJson(receipt)))) return;
  throw forbidden("An agent anchors only receipts that this service issued to it.");
}
