import type { Due } from "#adapters/ledger/sui/gate/gate-sync.ts";
import type { PendingChainAnchor } from "#ports.ts";

/**
 * The end of a key waits for the anchors that were requested before it was due: a receipt that is anchored after the end
 * does not count as signed. Later requests for such receipts are refused when they are made.
 */
export function createKeyEndHold() {
  /** The last request that was pending when the end of a key became due. */
  let lastBeforeEnd: number | undefined;

  return (due: Due, pending: readonly Pick<PendingChainAnchor, "id">[]): Due & { readonly isHeld?: boolean } => {
    if (!due.keys.some(({ kind }) => kind === "end")) {
      lastBeforeEnd = undefined;
      return due;
    }
    lastBeforeEnd ??= Math.max(0, ...pending.map(({ id }) => id));
    const last = lastBeforeEnd;
    if (!pending.some(({ id }) => id <= last)) return due;
    return { ...due, keys: due.keys.filter(({ kind }) => kind !== "end"), isHeld: true };
  };
}
