// What of a receipt a caller may read. Snippets are text of memories: an auditor gets none, and an agent those of the
// namespaces that it may use now. An opening, or a kept question, would tell an auditor what was asked. All else of a receipt says what happened, and stays.
import { divide } from "#core/gate/gate.ts";
import type { Policy } from "#core/gate/policy.ts";
import { forbidden } from "#core/identity/permissions.ts";
import type { Principal } from "#core/identity/principal.ts";
import type { OpenedName } from "#core/receipt/disclosure/opening-document.ts";
import { withoutSnippets } from "#core/receipt/disclosure/sealed-form.ts";
import type { ViewedReceipt } from "#core/receipt/receipt.ts";
import type { Ledger } from "#ports.ts";
import type { Quoted } from "#service/policy/fenced-read.ts";
import type { ReceiptEntry } from "./receipts.ts";

export interface ReceiptView extends Omit<ReceiptEntry, "receipt"> {
  readonly receipt: ViewedReceipt;
  /** Opens the pseudonyms that the ledger has for the receipt. Only beside the opening. */
  readonly names?: OpenedName[];
}

/** For whoever gets the opening: the salts of the names under which the receipt is on the ledger, if it has pseudonyms. */
export async function withNames(ledger: Pick<Ledger, "naming">, view: ReceiptView): Promise<ReceiptView> {
  if (view.opening === undefined || view.chain.length === 0) return view;
  const { saltOf } = await ledger.naming();
  if (saltOf === undefined) return view;
  const names = new Set([view.receipt.agentId, ...view.chain.flatMap(({ claimed }) => claimed)]);
  return { ...view, names: [...names].map((name) => ({ name, salt: Buffer.from(saltOf(name)).toString("hex") })) };
}

/** `policy` is the agent's. */
export function viewReceipt(entry: ReceiptEntry, principal: Principal, policy: Policy): ReceiptView {
  switch (principal.role) {
    case "admin":
      return entry;
    case "auditor": {
      const { opening: _, question: __, ...rest } = entry;
      return withSnippetsOf(rest, new Set());
    }
    case "agent": {
      const used = entry.receipt.usedMemories.map(({ namespace }) => namespace);
      return withSnippetsOf(entry, new Set(divide(principal.agentId, used, policy).allowed));
    }
    default:
      throw forbidden("This role reads no receipts.");
  }
}

/** The memories whose text the view quotes. A question is its reader's own, but may quote what is being forgotten. */
export function quotedMemories({ receipt, question }: ReceiptView): Quoted[] {
  return receipt.usedMemories.flatMap(({ namespace, memoryId, snippet }) => {
    if (snippet !== undefined) return { namespace, memoryId };
    return question === undefined ? [] : { namespace, memoryId, isPublic: true };
  });
}

function withSnippetsOf(entry: ReceiptEntry, namespaces: ReadonlySet<string>): ReceiptView {
  const isWithheld = ({ namespace }: { readonly namespace: string }) => !namespaces.has(namespace);
  if (!entry.receipt.usedMemories.some(isWithheld)) return entry;
  // The opening would open what is withheld.
  const { opening: _, ...rest } = entry;
  return { ...rest, receipt: withoutSnippets(entry.receipt, isWithheld) };
}
