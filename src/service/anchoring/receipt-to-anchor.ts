import { canonicalJsonWithin } from "#core/encoding/bounded-canonical-json.ts";
import { PortcullisError } from "#core/errors.ts";
import { divide } from "#core/gate/gate.ts";
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
  const receipt = given.receipt ?? completed(await getReceipt(deps, given.answerId, principal));
  if (principal.role === "agent") await checkAllowed(deps, receipt, principal.agentId);
  return receipt;
}

function completed({ receipt, status }: ReceiptEntry): ForeignReceipt {
  if (receipt.usedMemories.some(({ snippet }) => snippet === undefined))
    throw new PortcullisError("memory-forgotten", FORGOTTEN);
  if (isComplete(receipt)) return receipt as ForeignReceipt;
  const why = status === "opened" ? "Its answer is still being made." : "Its answer was broken off.";
  throw new PortcullisError("receipt-incomplete", `Only a complete receipt can be anchored. ${why}`);
}

const FORGOTTEN =
  "A memory that this receipt names was forgotten, so its text is not on record any more. Whoever holds the whole receipt can anchor that one, or anchor it sealed.";

/** An anchored receipt is public, and so are the memories that it names. */
async function checkAllowed({ gatekeeper }: Deps, receipt: ForeignReceipt, agentId: string): Promise<void> {
  const used = receipt.usedMemories.map(({ namespace }) => namespace);
  const { blocked } = divide(agentId, used, await gatekeeper.policyOf(agentId));
  if (blocked.length === 0) return;
  throw forbidden("The receipt uses namespaces that this agent may not use any more. An admin can anchor it.");
}

async function checkOwn(deps: Deps, receipt: ForeignReceipt, principal: Principal): Promise<void> {
  const isOwn = principal.role === "agent" && principal.agentId === receipt.agentId;
  const isBounded = isOwn && canonicalJsonWithin(LARGEST_RECEIPT, receipt) !== undefined;
  if (isBounded && (await isIssuedHere(deps, receipt))) return;
  throw forbidden("An agent anchors only receipts that this service issued to it.");
}
