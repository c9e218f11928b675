// The ledger itself: transactions one after another, each durable before anybody can see it.
//
// The log may be shared: then each process holds the whole ledger and reads what others have added before it executes
// or answers. All agree, because the outcome of a transaction follows from those before it, and because a place in the
// log is taken once.

import { sharedRead } from "#adapters/ledger/local/client/shared-read.ts";
import type { Executed } from "#adapters/ledger/local/execution/effects.ts";
import { execute } from "#adapters/ledger/local/execution/execute.ts";
import { cancellation, refusal } from "#adapters/ledger/local/execution/failure.ts";
import { type ReadTransaction, readTransaction } from "#adapters/ledger/local/execution/transaction.ts";
import { PortcullisError } from "#core/errors.ts";
import type { LoggedTransaction } from "#ports.ts";
import { clockContent, FIRST_VERSION, type Genesis } from "./genesis.ts";
import type { StoredObject } from "./objects.ts";
import { createState, type State } from "./state.ts";

/** Where the transactions are kept, in their order. What has been appended survives a crash. */
export interface TransactionLog {
  /** Rejects when the place is taken. */
  append(transaction: LoggedTransaction): Promise<void>;
  page(page: { readonly after?: number; readonly limit: number }): Promise<readonly LoggedTransaction[]>;
}

export interface Chain {
  readonly state: State;
  /** By sequence; the genesis is the first. */
  readonly history: readonly Executed[];
  find(digest: string): Executed | undefined;
  /** Reads what was put on record meanwhile. What this answers to afterwards is no older than the call. */
  catchUp(): Promise<void>;
  /** Executes it, or answers with what came of it when it has executed before. Signatures are not looked at. */
  submit(transaction: ReadTransaction, signatures: readonly string[], signal?: AbortSignal): Promise<Executed>;
  /** What would come of it now. */
  simulate(transaction: ReadTransaction): Executed;
}

interface Options {
  readonly log: TransactionLog;
  readonly genesis: Genesis;
  readonly now: () => number;
}

const PAGE = 500;

/** Replays what is on record, so that the chain goes on where it stopped. */
export async function openChain({ log, genesis, now }: Options): Promise<Chain> {
  const state = createState(genesis.objects);
  const first = beginning(genesis);
  const history: Executed[] = [first];
  const byDigest = new Map([[first.digest, first]]);
  const inTurn = createTurns();
  let clock = genesis.objects.find(({ kind }) => kind === genesis.kinds.clock) as StoredObject;

  /** On Sui a transaction of the system sets the clock before others execute. Here it ticks with each of them. */
  const clockAt = (timestampMs: number): StoredObject => ({
    ...clock,
    version: FIRST_VERSION + BigInt(history.length),
    content: clockContent(timestampMs),
  });

  function attempt(transaction: ReadTransaction, signatures: readonly string[], timestampMs: number): Executed {
    const { digest, bytes, sender, commands } = transaction;
    return {
      ...execute(transaction, genesis, { state, clock: clockAt(timestampMs), timestampMs }),
      sequence: history.length,
      digest,
      bytes,
      sender,
      signatures,
      timestampMs,
      functions: commands.map(({ MoveCall }) => MoveCall?.function ?? ""),
    };
  }

  function accept(executed: Executed): Executed {
    const ticked = clockAt(executed.timestampMs);
    state.apply([...executed.changes, { objectId: clock.objectId, before: clock, after: ticked }]);
    clock = ticked;
    history.push(executed);
    byDigest.set(executed.digest, executed);
    return executed;
  }

  /** Time on a chain does not run backwards, whatever the machine's does. */
  const nextTime = () => Math.max(Math.trunc(now()), history.at(-1)?.timestampMs ?? 0);

  function repeat({ sequence, txDigest, bytes, signatures, timestampMs }: LoggedTransaction, place: number): void {
    try {
      if (sequence !== place) throw new Error(`its place in the log is ${sequence}`);
      // Our own, put on record a moment ago, or read twice.
      if (history[place]?.digest === txDigest) return;
      if (history.length !== place) throw new Error("another one is in its place");
      const transaction = readTransaction(Uint8Array.from(bytes));
      if (transaction.digest !== txDigest) throw new Error(`its bytes have the digest ${transaction.digest}`);
      if (byDigest.has(txDigest)) throw new Error("it is there twice");
      accept(attempt(transaction, signatures, timestampMs));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw new PortcullisError(
        "configuration",
        `The local ledger on record does not replay: its transaction ${place} (${txDigest}) is refused (${why}). The database and the ledger's key must belong together.`,
        { cause },
      );
    }
  }

  const catchUp = sharedRead(async () => {
    for (let isMore = true; isMore; ) {
      const after = history.length - 1;
      const page = await log.page({ after, limit: PAGE });
      page.forEach((logged, i) => {
        repeat(logged, after + 1 + i);
      });
      isMore = page.length > 0;
    }
  });

  /** Undefined when another process has taken the place: what came of that has been read, and the state is another. */
  async function record(executed: Executed): Promise<Executed | undefined> {
    try {
      await append(log, executed);
    } catch (error) {
      await catchUp();
      if (history.length === executed.sequence) throw error;
      return byDigest.get(executed.digest);
    }
    // Somebody who read the log in the meantime has found it there.
    return byDigest.get(executed.digest) ?? accept(executed);
  }

  await catchUp();
  return {
    state,
    history,
    find: (digest) => byDigest.get(digest),
    catchUp,
    submit: (transaction, signatures, signal) =>
      inTurn(async () => {
        if (!byDigest.has(transaction.digest)) await catchUp();
        for (;;) {
          const known = byDigest.get(transaction.digest);
          if (known !== undefined) return known;
          if (signal?.aborted) throw cancellation(signal);
          const recorded = await record(attempt(transaction, signatures, nextTime()));
          if (recorded !== undefined) return recorded;
        }
      }),
    simulate: (transaction) => attempt(transaction, [], nextTime()),
  };
}

async function append(log: TransactionLog, executed: Executed): Promise<void> {
  const { sequence, digest, bytes, signatures, timestampMs } = executed;
  try {
    await log.append({ sequence, txDigest: digest, bytes, signatures, timestampMs });
  } catch (cause) {
    throw refusal("the local ledger could not record the transaction", "UNAVAILABLE", cause);
  }
}

function beginning({ digest, bytes, objects }: Genesis): Executed {
  return {
    sequence: 0,
    digest,
    bytes,
    signatures: [],
    timestampMs: 0,
    sender: `0x${"0".repeat(64)}`,
    functions: [],
    version: FIRST_VERSION,
    changes: objects.map((after) => ({ objectId: after.objectId, after })),
    reads: [],
    dependencies: [],
    events: [],
  };
}

/** Runs what it is given one at a time, in order. */
function createTurns() {
  let last: Promise<unknown> = Promise.resolve();
  return <T>(run: () => Promise<T>): Promise<T> => {
    const mine = last.then(run);
    last = mine.catch(() => undefined);
    return mine;
  };
}
