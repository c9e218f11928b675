// Anchoring is one process's work at a time: all sign with the same key, which has the same coins. Whoever has the turn
// works for all, and finishes what others have left. Those who wait meanwhile look for what came of their requests in
// the records, so that any process answers whoever asked it.
import { PortcullisError } from "#core/errors.ts";
import type { ChainAnchor, PendingChainAnchor, RecordStore } from "#ports.ts";
import { refused } from "./outcome.ts";
import { pause } from "./send.ts";
import type { Waiters } from "./waiters.ts";

export interface Waits {
  /** How long to wait before trying again what failed and nobody waits for any more. */
  readonly retryMs: number;
  /** How long anybody waits for an outcome, other processes' turns included. */
  readonly waitMs: number;
  /** How often the records are looked at while another process has the turn. */
  readonly lookMs: number;
}

interface Options extends Waits {
  readonly records: Pick<RecordStore, "chainAnchors" | "locks">;
  readonly waiters: Waiters;
  /** Does some of what is pending, and answers with how much was. */
  readonly round: () => Promise<number>;
}

export function takeTurns({ records, waiters, round, retryMs, waitMs, lookMs }: Options) {
  let draining: Promise<void> | undefined;
  let isWatching = false;
  let retry: NodeJS.Timeout | undefined;
  let isOurTurn = false;
  let isClosed = false;

  /** Runs until nothing is pending, or until something fails: then those who wait are told, and it is tried again later. */
  function drain(): Promise<void> {
    draining ??= (async () => {
      try {
        await records.locks.exclusively("anchoring", work);
      } catch (error) {
        waiters.rejectAll(error);
        clearTimeout(retry);
        if (!isClosed) retry = setTimeout(() => void drain(), retryMs).unref();
      } finally {
        draining = undefined;
        // Somebody who came after the last round found nothing pending.
        if (waiters.size > 0 && !isClosed) void drain();
      }
    })();
    return draining;
  }

  async function work(): Promise<void> {
    if (isClosed) return;
    isOurTurn = true;
    try {
      while ((await round()) > 0 && (!isClosed || waiters.size > 0));
    } finally {
      isOurTurn = false;
    }
  }

  /** While somebody waits. A look that fails is made up for by the next, and by our own turn. */
  async function watch(): Promise<void> {
    if (isWatching) return;
    isWatching = true;
    while (waiters.size > 0) {
      await pause(lookMs);
      waiters.rejectAfter(waitMs, late());
      // In our own turn those who wait are told more than the records say.
      if (!isOurTurn && waiters.size > 0) await answerEnded(records, waiters).catch(() => undefined);
    }
    isWatching = false;
  }

  return {
    drain,
    wait(id: number): Promise<ChainAnchor> {
      if (isClosed) return Promise.reject(stopped());
      const result = waiters.add(id);
      void drain();
      void watch();
      return result;
    },
    /** Whoever waits for our own turn's work still gets it; whoever waits for another process has to ask again. */
    async close(): Promise<void> {
      isClosed = true;
      clearTimeout(retry);
      if (isOurTurn) await draining;
      waiters.rejectAll(stopped());
    },
  };
}

/** Answers whose requests have come to their end, in whichever process. Answers with those that have not. */
export async function answerEnded(
  records: Pick<RecordStore, "chainAnchors">,
  waiters: Waiters,
): Promise<readonly PendingChainAnchor[]> {
  // Before the records are read: each of these was on record by now.
  const awaited = waiters.ids();
  const pending = await records.chainAnchors.pending();
  const isPending = new Set(pending.map(({ id }) => id));
  for (const id of awaited.filter((each) => !isPending.has(each))) {
    const anchor = await records.chainAnchors.outcomeOf(id);
    if (anchor === undefined) waiters.reject(id, refused(undefined));
    else waiters.resolve(id, anchor);
  }
  return pending;
}

function late(): PortcullisError {
  return new PortcullisError("ledger-timeout", "The ledger takes too long. The anchor is on record; ask again.");
}

function stopped(): PortcullisError {
  return new PortcullisError("ledger-unavailable", "The service stops. The anchor is on record; ask again.");
}
