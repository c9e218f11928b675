// Ends the requests that no transaction can carry: those whose version of the policy the gate does not know, or will
// never know.
import type { ChainState } from "#adapters/ledger/sui/chain-reader.ts";
import type { Due } from "#adapters/ledger/sui/gate/gate-sync.ts";
import { isOurs } from "#adapters/ledger/sui/gate/unsent-changes.ts";
import type { PendingChainAnchor, RecordStore } from "#ports.ts";
import type { TransactionPlan } from "./plan-transaction.ts";
import type { RequestOutcomes } from "./request-outcomes.ts";
import { ledgerVersionIn } from "./stated-version.ts";
import { notOnLedgerError } from "./transaction-outcome.ts";

export function requestFilter(records: Pick<RecordStore, "blobTexts">, { drop }: Pick<RequestOutcomes, "drop">) {
  return {
    /**
     * Ends the requests whose version means another policy on the gate, and returns the others. A version that the gate
     * was told by somebody else is not ours. When somebody else changes the policy there, only a receipt that names a
     * version of the ledger can be judged.
     */
    async withoutUnknown(
      { policyCap }: ChainState,
      { told }: Due,
      pending: readonly PendingChainAnchor[],
    ): Promise<PendingChainAnchor[]> {
      const known: PendingChainAnchor[] = [];
      for (const request of pending) {
        const { id, blobId, policyVersion } = request;
        const isKnown =
          policyVersion === "newest" ||
          (policyCap === undefined
            ? (await ledgerVersionIn(records, blobId)) === policyVersion
            : isOurs(policyVersion, told));
        if (isKnown) known.push(request);
        else await drop(id, notOnLedgerError());
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
