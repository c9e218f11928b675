// Group commit: requests that arrive while a transaction is in flight travel together in the next one.
//
// A mutex across all processes that share the records lets one of them commit at a time, because all sign with the same
// key and pay with the same coins. It is given up after every batch, so that tenants take turns: the requests of one wait
// for one batch of each other. The process that holds the mutex commits the pending requests of all processes, also
// those that a process left behind when it died. The other processes poll the records for the outcomes of their own
// requests, so that each can answer its callers.
import { setTimeout as delay } from "node:timers/promises";
import { PortcullisError } from "#core/errors.ts";
import type { ChainAnchor, RecordStore } from "#ports.ts";
import { type AnchorWaiters, answerFinished } from "./anchor-waiters.ts";

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

function closedError(): PortcullisError {
  return new PortcullisError("ledger-unavailable", "The service is stopping. The anchor is on record; ask again.");
}
