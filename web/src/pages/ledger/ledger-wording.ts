// What the ledger holds, in words.
import type { Reply } from "#contract/routes.ts";

export type Entry = Reply<"ledgerTransactions">["transactions"][number];
export type Transaction = Reply<"ledgerTransaction">;
export type LedgerObject = Reply<"ledgerObject">;

/** How often it calls which function, as a sentence would say it. */
export function deedsOf({ sequence, functions }: Pick<Entry, "sequence" | "functions">): string {
  if (sequence === 0) return "Genesis: the gate is made";
  const deeds = Object.entries(functions).map(([name, count]) => deed(name, count));
  const [first = "nothing that the gate knows of", ...rest] = deeds;
  return [first.charAt(0).toUpperCase() + first.slice(1), ...rest].join(", ");
}

function deed(name: string, count: number): string {
  if (name === "anchor_receipt") return count === 1 ? "1 receipt anchored" : `${count} receipts anchored`;
  if (name === "set_access") return count === 1 ? "access set once" : `access set ${count} times`;
  return count === 1 ? name : `${name} × ${count}`;
}

/** The type without the addresses of packages. */
export const shortType = (type: string): string => type.replaceAll(/0x[0-9a-f]+::/g, "");

/** An owner, and what it means for who can change the object. */
export function ownerOf(owner: unknown): string {
  const { $kind, AddressOwner, ObjectOwner } = (owner ?? {}) as Readonly<Record<string, unknown>>;
  switch ($kind) {
    case "Immutable":
      return "Frozen: nobody can change or move it any more.";
    case "Shared":
      return "Shared: anyone may use it, within the rules of its module.";
    case "AddressOwner":
      return `Owned by ${String(AddressOwner)}.`;
    case "ObjectOwner":
      return `Part of the object ${String(ObjectOwner)}.`;
    default:
      return "Of an owner that this page does not know.";
  }
}
