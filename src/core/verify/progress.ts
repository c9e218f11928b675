// A verification in progress. A pending check is not an unknown one: pending data may still arrive, unknown data was
// asked for and did not.
import { openedMemories } from "#core/receipt/disclosure/opened-fields.ts";
import type { Check, CheckName } from "./check.ts";
import type { Observation } from "./observation.ts";
import { type VerificationResult, verifyReceipt } from "./verify-receipt.ts";

export interface PendingFetches {
  readonly object: boolean;
  readonly gate: boolean;
  readonly blob: boolean;
  /** By storeRef. */
  readonly memories: ReadonlySet<string>;
}

export const NOTHING_PENDING: PendingFetches = { object: false, gate: false, blob: false, memories: new Set() };

export type CheckInProgress = Check | { readonly name: CheckName; readonly index?: number; readonly status: "pending" };

export interface Progress extends Omit<VerificationResult, "verdict" | "checks"> {
  readonly checks: readonly CheckInProgress[];
  /** Absent until no check is pending. */
  readonly verdict?: VerificationResult["verdict"];
}

export function progressOf(observation: Observation, pending: PendingFetches): Progress {
  const { verdict, checks, ...receipts } = verifyReceipt(observation);
  const refs = refsOf(receipts);
  const shown = checks.map((check): CheckInProgress => {
    const { name, index } = check;
    if (!isPending(name, index === undefined ? undefined : refs[index], pending)) return check;
    return { name, status: "pending", ...(index !== undefined && { index }) };
  });
  const isDone = shown.every(({ status }) => status !== "pending");
  return { ...receipts, checks: shown, ...(isDone && { verdict }) };
}

/** The blobs of the used memories, by their place; undefined for one that is sealed. */
function refsOf({ receipt, sealed }: Pick<VerificationResult, "receipt" | "sealed">): (string | undefined)[] {
  if (receipt !== undefined) return receipt.usedMemories.map(({ storeRef }) => storeRef);
  if (sealed === undefined) return [];
  const values = new Map(Object.entries(sealed.opened));
  return openedMemories(sealed.receipt, { values }).map((memory) => memory?.storeRef);
}

function isPending(name: CheckName, ref: string | undefined, pending: PendingFetches): boolean {
  if (ref !== undefined) return pending.memories.has(ref);
  if (pending.object) return true;
  switch (name) {
    case "object":
    case "identity":
      return false;
    case "gate":
      return pending.gate;
    case "signature":
    // Names on the ledger may be pseudonyms, and the gate says whether they are.
    case "opening":
    case "agent":
    case "claims":
      return pending.gate || pending.blob;
    default:
      return pending.blob;
  }
}
