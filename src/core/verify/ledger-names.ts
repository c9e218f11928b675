// The names behind what stands on the ledger. A gate has plain names or pseudonyms, and says which.
import { hexToBytes } from "@noble/hashes/utils.js";
import type { ChainGate } from "#core/ledger/gate-object.ts";
import { isPseudonym, pseudonymOf } from "#core/ledger/pseudonym.ts";
import type { OpenedName } from "#core/receipt/disclosure/opening-document.ts";

export interface LedgerNames {
  /** The name of an agent or a namespace on the ledger; undefined if it is a pseudonym that nobody has opened. */
  nameOf(onLedger: string): string | undefined;
}

/** While the gate cannot be read, what has the form of a pseudonym may be one. */
export function ledgerNames(gate: ChainGate | undefined, opened: readonly OpenedName[]): LedgerNames {
  const names = new Map(opened.map(({ name, salt }) => [pseudonymOf(hexToBytes(salt), name), name]));
  const isHidden = (onLedger: string) => (gate === undefined ? isPseudonym(onLedger) : gate.hasPseudonyms);
  return { nameOf: (onLedger) => (isHidden(onLedger) ? names.get(onLedger) : onLedger) };
}
