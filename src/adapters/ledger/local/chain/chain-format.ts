// What a chain demands of its transactions. It cannot change while the chain lives: its replay has to give the same
// results. Chains of version 0.1.0 took transactions that name no coin to pay with, which Sui refuses.

import { readTransaction } from "#adapters/ledger/local/execution/transaction.ts";
import { orUndefined } from "#core/or-undefined.ts";
import type { LedgerLog } from "#ports.ts";

export interface ChainFormat {
  /** Whether every transaction names coins of its payer, as on Sui. The price is 0. */
  readonly needsGas: boolean;
}

const CURRENT_FORMAT: ChainFormat = { needsGas: true };
export const FORMER_FORMAT: ChainFormat = { needsGas: false };

/** The format of the chain in the log: the first transaction shows it, and an empty log becomes a current chain. */
export async function formatOf(log: LedgerLog): Promise<ChainFormat> {
  const [first] = await log.page({ limit: 1 });
  if (first === undefined) return CURRENT_FORMAT;
  const transaction = orUndefined(() => readTransaction(Uint8Array.from(first.bytes)));
  return transaction?.payment.length === 0 ? FORMER_FORMAT : CURRENT_FORMAT;
}
