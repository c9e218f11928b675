// A verification while it is under way. What nobody has looked at yet is pending, which is not the same as unknown:
// there somebody looked, and it was not to be had.
import type { Check, CheckName } from "./check.ts";
import { type Seen, type Verified, verifyReceipt } from "./verify-receipt.ts";

/** What is still to come. */
export interface Awaited {
  readonly object: boolean;
  readonly blob: boolean;
  /** By storeRef. */
  readonly memories: ReadonlySet<string>;
}

export const NOTHING_AWAITED: Awaited = { object: false, blob: false, memories: new Set() };

export type CheckInProgress = Check | { readonly name: CheckName; readonly index?: number; readonly status: "pending" };

export interface Progress extends Omit<Verified, "verdict" | "checks"> {
  readonly checks: readonly CheckInProgress[];
  /** Absent until every check is made. */
  readonly verdict?: Verified["verdict"];
}

export function progressOf(seen: Seen, awaited: Awaited): Progress {
  const { verdict, checks, ...known } = verifyReceipt(seen);
  const refs = known.receipt?.usedMemories.map(({ storeRef }) => storeRef);
  const shown = checks.map((check): CheckInProgress => {
    const { name, index } = check;
    if (!isPending(name, index === undefined ? undefined : refs?.[index], awaited)) return check;
    return { name, status: "pending", ...(index !== undefined && { index }) };
  });
  const isDone = shown.every(({ status }) => status !== "pending");
  return { ...known, checks: shown, ...(isDone && { verdict }) };
}

function isPending(name: CheckName, ref: string | undefined, { object, blob, memories }: Awaited): boolean {
  if (ref !== undefined) return memories.has(ref);
  return object || (blob && name !== "object" && name !== "issued");
}
