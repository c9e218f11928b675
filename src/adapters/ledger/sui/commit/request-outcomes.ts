// How a request ends: it is dropped with an error, or its receipt is recorded. Both answer whoever waits for it.
import { type GateIds, receiptIdOf } from "#adapters/ledger/gate-module.ts";
import type { ChainReader } from "#adapters/ledger/sui/chain-reader.ts";
import { type ReadNaming, requestOnLedger } from "#adapters/ledger/sui/gate/gate-naming.ts";
import { PortcullisError } from "#core/errors.ts";
import type { ChainAnchor, ChainOutcome, PendingChainAnchor, RecordStore } from "#ports.ts";
import type { AnchorWaiters } from "./anchor-waiters.ts";

interface Options {
  readonly records: Pick<RecordStore, "chainAnchors">;
  readonly ids: GateIds;
  readonly chain: ChainReader;
  readonly readNaming: ReadNaming;
  readonly waiters: AnchorWaiters;
}

export type RequestOutcomes = ReturnType<typeof requestOutcomes>;

export function requestOutcomes({ records, ids, chain, readNaming, waiters }: Options) {
  /** The request has the names on the ledger. */
  const receiptOf = ({ digest, claimed }: PendingChainAnchor, version: number): string =>
    receiptIdOf(ids, { digest: Buffer.from(digest, "hex"), claimed, policyVersion: BigInt(version) });

  async function recorded(receiptId: string): Promise<ChainAnchor> {
    const anchor = await records.chainAnchors.find(receiptId);
    if (anchor !== undefined) return anchor;
    throw new PortcullisError("internal", "An anchor that was just recorded is not on record.");
  }

  /** Answers whoever waits for a request whose outcome is on record. */
  async function answer({ id, receiptId }: Pick<ChainOutcome, "id" | "receiptId">): Promise<void> {
    waiters.resolve(id, await recorded(receiptId));
  }

  async function complete({ id }: PendingChainAnchor, outcome: Omit<ChainOutcome, "id">): Promise<void> {
    const { receiptId, txDigest, allAuthorized, ledgerVersion, anchoredAt } = outcome;
    await records.chainAnchors.complete({ id, receiptId, txDigest, allAuthorized, ledgerVersion, anchoredAt });
    await answer({ id, receiptId });
  }

  return {
    receiptOf,
    answer,
    complete,

    async drop(id: number, error: PortcullisError): Promise<void> {
      await records.chainAnchors.drop(id);
      waiters.reject(id, error);
    },

    /** Records a receipt that is on the chain but not in our records: they were lost, or another process minted it. */
    async adopt(request: PendingChainAnchor): Promise<void> {
      const state = await chain.read();
      const { naming } = await readNaming(state, state.policyCap !== undefined);
      const version = request.policyVersion === "newest" ? state.version : request.policyVersion;
      const receiptId = receiptOf(requestOnLedger(request, naming), version);
      const found = await chain.find(receiptId);
      if (found?.receipt === undefined) throw chain.unavailableError();
      const { allAuthorized, policyVersion, anchoredAtMs } = found.receipt;
      const anchoredAt = new Date(anchoredAtMs).toISOString();
      const txDigest = found.previousTransaction ?? "";
      await complete(request, { receiptId, txDigest, allAuthorized, ledgerVersion: policyVersion, anchoredAt });
    },
  };
}
