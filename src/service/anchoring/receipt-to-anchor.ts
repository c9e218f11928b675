import { canonicalJsonWithin } from "#core/encoding/bounded-canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import { type ForeignReceipt, isComplete, LARGEST_RECEIPT, type ReceiptToAnchor } from "#core/receipt/receipt.ts";
import type { Deps } from "#service/deps.ts";
import { getReceipt, isIssuedHere, type ReceiptEntry } from "#service/receipts/receipts.ts";

/**
 * The given receipt, or the issued one with this id. An agent anchors what was issued to it, and nothing else: what
 * somebody else wrote is anchored by admins only.
 */
export async function receiptToAnchor(
  deps: Deps,
  given: ReceiptToAnchor,
  principal: Principal,
): Promise<ForeignReceipt> {
  if (given.receipt !== undefined && principal.role !== "admin") await checkOwn(deps, given.receipt, principal);
  return given.receipt ?? completed(await getReceipt(deps, given.answerId, principal));
}

function completed({ receipt, status }: ReceiptEntry): ForeignReceipt {
  if (isComplete(receipt)) return receipt as ForeignReceipt;
  const why = status === "opened" ? "Its answer is still being made." : "Its answer was broken off.";
  throw new PortcullisError("receipt-incomplete", `Only a complete receipt can be anchored. ${why}`);
}

async function checkOwn(deps: Deps, receipt: ForeignReceipt, principal: Principal): Promise<void> {
  const isOwn = principal.role === "agent" && principal.agentId === receipt.agentId;
  const isBounded = isOwn && canonicalJsonWithin(LARGEST_RECEIPT, receipt) !== undefined;
  if (isBounded && (await isIssuedHere(deps, receipt))) return;
  throw forbidden("An agent anchors only receipts that this service issued to it.");
}
