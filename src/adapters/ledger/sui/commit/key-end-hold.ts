import type { Due } from "#adapters/ledger/sui/gate/gate-sync.ts";
import type { PendingChainAnchor } from "#ports.ts";
import type { KeyChange } from "./plan-transaction.ts";

/**
 * The end of a key waits for the anchors that were requested before it was due: a receipt that is anchored after the end
 * does not count as signed. Later requests for such receipts are refused when they are made.
 */
export function createKeyEndHold() {
  /** By public key: the last request that was pending when the end of the key became due. */
  let lastBefore: ReadonlyMap<string, number> = new Map();

  return (due: Due, pending: readonly Pick<PendingChainAnchor, "id">[]): Due & { readonly isHeld?: boolean } => {
    const ends = due.keys.filter(({ kind }) => kind === "end");
    const last = Math.max(0, ...pending.map(({ id }) => id));
    lastBefore = new Map(ends.map((key) => [nameOf(key), lastBefore.get(nameOf(key)) ?? last]));
    const isHeld = (key: KeyChange) => {
      const lastAwaited = lastBefore.get(nameOf(key)) ?? 0;
      return pending.some(({ id }) => id <= lastAwaited);
    };
    const held = new Set(ends.filter(isHeld));
    return held.size === 0 ? due : { ...due, keys: due.keys.filter((key) => !held.has(key)), isHeld: true };
  };
}

const nameOf = ({ publicKey }: KeyChange): string => Buffer.from(publicKey).toString("hex");
