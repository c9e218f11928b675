// Transactions and objects of the ledger in words.
import type { Reply } from "#contract/routes.ts";
import { plural } from "#web/lib/strings.ts";

export type TransactionEntry = Reply<"ledgerTransactions">["transactions"][number];
export type Transaction = Reply<"ledgerTransaction">;
export type LedgerObject = Reply<"ledgerObject">;

/** What a transaction did: "1 receipt anchored, access set 3 times". */
export function summaryOf({ sequence, functions }: Pick<TransactionEntry, "sequence" | "functions">): string {
  if (sequence === 0) return "Genesis: the policy object was created";
  const calls = Object.entries(functions).map(([name, count]) => callsInWords(name, count));
  const [first = "no call of the gate module", ...rest] = calls;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(", ");
}

function callsInWords(name: string, count: number): string {
  if (name === "anchor_receipt") return `${plural(count, "receipt")} anchored`;
  if (name === "anchor_checkpoint") return `${plural(count, "checkpoint")} of the log anchored`;
  if (name === "set_access") return count === 1 ? "access set once" : `access set ${count} times`;
  if (name === "close_version") return `${plural(count, "version")} of the policy closed`;
  if (name === "add_key" || name === "end_key")
    return `${plural(count, "key")} ${name === "add_key" ? "added" : "ended"}`;
  return count === 1 ? name : `${name} × ${count}`;
}

/** The type without the addresses of packages. */
export const shortType = (type: string): string => type.replaceAll(/0x[0-9a-f]+::/g, "");

/** The owner of an object, and who can change it. */
export function ownerText(owner: unknown): string {
  const { $kind, AddressOwner, ObjectOwner } = (owner ?? {}) as Readonly<Record<string, unknown>>;
  switch ($kind) {
    case "Immutable":
      return "Frozen: no transaction can change or move it any more.";
    case "Shared":
      return "Shared: anyone may use it, within the rules of its module.";
    case "AddressOwner":
      return `Owned by ${String(AddressOwner)}.`;
    case "ObjectOwner":
      return `Part of the object ${String(ObjectOwner)}.`;
    default:
      return "Unknown kind of owner.";
  }
}
