// Group commit: requests that arrive while a transaction is in flight travel together in the next one.
//
// A mutex across processes lets one of them commit at a time, because all sign with the same key and pay with the same
// coins. It is given up after every batch, so that tenants take turns. Whoever holds it commits the pending requests of
// all, also of a process that died. The others poll the records for the outcomes of their own, to answer their callers.
import { setTimeout as delay } from "node:timers/promises";
import type { GateIds } from "#adapters/ledger/gate-module.ts";
import type { ChainReader } from "#adapters/ledger/sui/chain-reader.ts";
import { type ReadNaming, requestOnLedger } from "#adapters/ledger/sui/gate/gate-naming.ts";
import { PortcullisError } from "#core/errors.ts";
import { receiptIdOf } from "#core/receipt/chain-receipt.ts";
import type { ChainAnchor, ChainOutcome, PendingChainAnchor, RecordStore } from "#ports.ts";
import { refusedError } from "./send-transaction.ts";

export interface AnchorQueueTimeouts {
  /** The pause before a batch that failed is retried, when no new request comes earlier. */
  readonly retryMs: number;
  /** The deadline of a caller that waits for its anchor, the commits of other processes included. */
  readonly waitMs: number;
  /** The interval at which the records are polled while another process holds the mutex. */
  readonly pollMs: number;
}

interface Options {
  readonly records: Pick<RecordStore, "chainAnchors" | "locks">;
  readonly waiters: AnchorWaiters;
  readonly commitBatch: () => Promise<boolean>;
  readonly timeouts: AnchorQueueTimeouts;
}

export function createAnchorQueue({ records, waiters, commitBatch, timeouts }: Options) {
  let committing: Promise<void> | undefined;
  let isPolling = false;
  let retry: NodeJS.Timeout | undefined;
  let hasMutex = false;
  /** Whether we had the mutex, and are not done. */
  let hasBegun = false;
  let isClosed = false;

  /** Commits until nothing is pending. A failure rejects all waiters and schedules a retry. */
  function commitAll(): Promise<void> {
    committing ??= (async () => {
      try {
        while (await records.locks.exclusively("anchoring", commitOne));
      } catch (error) {
        waiters.rejectAll(error);
        clearTimeout(retry);
        if (!isClosed) retry = setTimeout(() => void commitAll(), timeouts.retryMs).unref();
      } finally {
        committing = undefined;
        hasBegun = false;
        // A request may have arrived after the last batch was planned.
        if (waiters.size > 0 && !isClosed) void commitAll();
      }
    })();
    return committing;
  }

  /** Returns whether there may be more to do. */
  async function commitOne(): Promise<boolean> {
    if (isClosed && (!hasBegun || waiters.size === 0)) return false;
    hasMutex = true;
    hasBegun = true;
    try {
      return await commitBatch();
    } finally {
      hasMutex = false;
    }
  }

  /** Polls the records while callers wait. A poll that fails is ignored: the next one, or our own commit, follows. */
  async function poll(): Promise<void> {
    if (isPolling) return;
    isPolling = true;
    while (waiters.size > 0) {
      await delay(timeouts.pollMs);
      const message = "The ledger takes too long. The anchor is on record; ask again.";
      waiters.rejectAfter(timeouts.waitMs, new PortcullisError("ledger-timeout", message));
      // While we hold the mutex, our own commit answers the waiters, with errors that the records do not have.
      if (!hasMutex && waiters.size > 0) await answerFinished(records, waiters).catch(() => undefined);
    }
    isPolling = false;
  }

  return {
    commitAll,
    /** Waits until the request is committed, by this process or another. */
    wait(id: number): Promise<ChainAnchor> {
      if (isClosed) return Promise.reject(closedError());
      const result = waiters.add(id);
      void commitAll();
      void poll();
      return result;
    },
    /** Finishes our own commits and answers their callers. Callers that wait for another process are rejected. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(retry);
      if (hasBegun) await committing;
      waiters.rejectAll(closedError());
    },
  };
}

const closedError = (): PortcullisError =>
  new PortcullisError("ledger-unavailable", "The service is stopping. The anchor is on record; ask again.");

// The callers that wait for an anchor: one promise for each request id. Several callers may wait for the same request.

interface Waiter extends PromiseWithResolvers<ChainAnchor> {
  readonly since: number;
}

export type AnchorWaiters = ReturnType<typeof createAnchorWaiters>;

export function createAnchorWaiters() {
  const waiters = new Map<number, Waiter>();

  function remove(id: number): Waiter | undefined {
    const waiter = waiters.get(id);
    waiters.delete(id);
    return waiter;
  }

  function reject(id: number, error: unknown): void {
    remove(id)?.reject(error);
  }

  return {
    get size(): number {
      return waiters.size;
    },
    ids: (): number[] => [...waiters.keys()],
    add(id: number): Promise<ChainAnchor> {
      const waiter = waiters.get(id) ?? { ...Promise.withResolvers<ChainAnchor>(), since: performance.now() };
      waiters.set(id, waiter);
      return waiter.promise;
    },
    resolve(id: number, anchor: ChainAnchor): void {
      remove(id)?.resolve(anchor);
    },
    reject,
    rejectAll(error: unknown): void {
      for (const id of [...waiters.keys()]) reject(id, error);
    },
    rejectAfter(ms: number, error: unknown): void {
      const deadline = performance.now() - ms;
      for (const [id, { since }] of [...waiters]) if (since < deadline) reject(id, error);
    },
  };
}

/** Answers the waiters whose requests are finished, in whichever process. Returns the requests that are pending. */
export async function answerFinished(
  records: Pick<RecordStore, "chainAnchors">,
  waiters: AnchorWaiters,
): Promise<readonly PendingChainAnchor[]> {
  // The ids are taken before the records are read: all of them are on record by now.
  const ids = waiters.ids();
  const pending = await records.chainAnchors.pending();
  const pendingIds = new Set(pending.map(({ id }) => id));
  for (const id of ids.filter((each) => !pendingIds.has(each))) {
    const anchor = await records.chainAnchors.outcomeOf(id);
    if (anchor === undefined) waiters.reject(id, refusedError(undefined));
    else waiters.resolve(id, anchor);
  }
  return pending;
}

interface OutcomeOptions {
  readonly records: Pick<RecordStore, "chainAnchors">;
  readonly ids: GateIds;
  readonly chain: ChainReader;
  readonly readNaming: ReadNaming;
  readonly waiters: AnchorWaiters;
}

export type RequestOutcomes = ReturnType<typeof requestOutcomes>;

export function requestOutcomes({ records, ids, chain, readNaming, waiters }: OutcomeOptions) {
  /** The request has the names on the ledger. */
  const receiptOf = ({ digest, claimed }: PendingChainAnchor, version: number): string =>
    receiptIdOf({ packageId: ids.packageId, gate: ids.gateId, digest, claimed, policyVersion: BigInt(version) });

  async function recorded(receiptId: string): Promise<ChainAnchor> {
    const anchor = await records.chainAnchors.find(receiptId);
    if (anchor !== undefined) return anchor;
    throw new PortcullisError("internal", "An anchor that was just recorded is not on record.");
  }

  async function answer({ id, receiptId }: Pick<ChainOutcome, "id" | "receiptId">): Promise<void> {
    waiters.resolve(id, await recorded(receiptId));
  }

  async function complete({ id }: PendingChainAnchor, outcome: Omit<ChainOutcome, "id">): Promise<void> {
    await records.chainAnchors.complete({ ...outcome, id });
    await answer({ ...outcome, id });
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
