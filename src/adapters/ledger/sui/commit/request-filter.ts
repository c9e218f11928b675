// Ends the requests that no transaction can carry: those whose version of the policy the gate cannot judge, or will never
// know.
import type { ChainReader, ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import type { Due } from "#adapters/ledger/sui/gate/gate-sync.ts";
import type { PendingChainAnchor, RecordStore } from "#ports.ts";
import { refusalOf } from "./judgeable-anchor.ts";
import type { TransactionPlan } from "./plan-transaction.ts";
import type { RequestOutcomes } from "./request-outcomes.ts";
import { notOnLedgerError } from "./transaction-outcome.ts";

interface Parts {
  readonly records: Pick<RecordStore, "blobTexts">;
  readonly chain: Pick<ChainReader, "supersededAt">;
  readonly drop: RequestOutcomes["drop"];
}

export function requestFilter({ records, chain, drop }: Parts) {
  return {
    /** Ends the requests that the gate cannot judge by their version, and returns the others. */
    async judgeable(
      state: ChainState,
      { told }: Due,
      pending: readonly PendingChainAnchor[],
    ): Promise<PendingChainAnchor[]> {
      const known: PendingChainAnchor[] = [];
      for (const request of pending) {
        const refusal = await refusalOf(request, { state, told, chain, records });
        if (refusal === undefined) known.push(request);
        else await drop(request.id, refusal);
      }
      return known;
    },

    /** Ends the requests whose version the gate was not told, although it was told everything. */
    async dropNeverClosed(
      { policyCap }: ChainState,
      { closed, isAll }: TransactionPlan,
      pending: readonly PendingChainAnchor[],
    ): Promise<void> {
      if (policyCap === undefined || !isAll) return;
      for (const { id, policyVersion } of pending) {
        if (policyVersion !== "newest" && policyVersion > closed) await drop(id, notOnLedgerError());
      }
    },
  };
}
