// What the ledger's receipt says: which agent it is for, and what it claims.
import type { ChainReceipt } from "#core/receipt/chain-receipt.ts";
import type { ForeignReceipt } from "#core/receipt/receipt.ts";
import { type Check, check, NEEDS_RECEIPT, quoteNames } from "./check.ts";

export function checkAgent(chain: ChainReceipt | undefined, receipt: ForeignReceipt | undefined): Check {
  if (chain === undefined || receipt === undefined) return check("agent", "unknown", NEEDS_RECEIPT);
  const compared = { expected: chain.agent, actual: receipt.agentId };
  return compared.actual === compared.expected
    ? check("agent", "pass", "The receipt and the ledger name the same agent.", compared)
    : check("agent", "fail", "The receipt names another agent than the ledger.", compared);
}

/**
 * Reports what the ledger decided when the receipt was anchored. Today's policy does not matter. Before 0.2.0 the ledger's
 * receipt also said whether the service had issued it.
 */
export function checkClaims(chain: ChainReceipt | undefined, receipt: ForeignReceipt | undefined): Check {
  if (chain === undefined)
    return check("claims", "unknown", "Not checked: only a receipt of ours says what is claimed.");
  const { agent, claimed, allAuthorized, policyVersion } = chain;
  if (chain.issued === false)
    return check("claims", "fail", "The service anchored this receipt, but did not issue it, or not in these words.");
  const policy = `When this was anchored, version ${policyVersion} of the policy on the ledger`;
  // Not `!allAuthorized`: the value comes from outside, and only `true` means authorized.
  if (allAuthorized !== true) {
    const sentence = `${policy} did not allow “${agent}” every claimed namespace: ${quoteNames(claimed)}.`;
    return check("claims", "fail", sentence);
  }
  const verdict =
    claimed.length === 0
      ? "No namespace is claimed, so none had to be allowed. This is true of any receipt, and shows nothing about the policy."
      : `${policy} allowed “${agent}” every claimed namespace: ${quoteNames(claimed)}.`;
  return check("claims", "pass", `${verdict}${unclaimedNote(claimed, receipt)}`);
}

function unclaimedNote(claimed: readonly string[], receipt: ForeignReceipt | undefined): string {
  const used = new Set(receipt?.usedMemories.map(({ namespace }) => namespace));
  for (const namespace of claimed) used.delete(namespace);
  if (used.size === 0) return "";
  return ` Memories of other namespaces were used too, for which the ledger does not vouch: ${quoteNames([...used])}.`;
}
