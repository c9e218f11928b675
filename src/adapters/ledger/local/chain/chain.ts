// The chain: executes transactions one after another, and records each in the log before anybody can see it. Processes
// that share the log each hold the whole chain, and read what others have appended before they execute or answer. All
// reach the same state: an outcome depends on the transactions before alone, and each place in the log is taken once.
import { setImmediate as nextTurn } from "node:timers/promises";
import { SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import { coalesce } from "#async/coalesce.ts";
import { createMutex } from "#async/semaphore.ts";
import { digestOf } from "#core/encoding/digest.ts";
import { configurationError } from "#core/errors.ts";
import type { LedgerLog, LoggedTransaction } from "#ports.ts";
import type { Executed } from "./effects.ts";
import { execute } from "./execute.ts";
import { cancellation, refusal } from "./failure.ts";
import { clockContent, FIRST_VERSION, type Genesis, ZERO } from "./genesis.ts";
import { createState, type StoredObject } from "./objects.ts";
import { type ReadTransaction, readTransaction, refuseWrongSignatures } from "./transaction.ts";

export type Chain = Awaited<ReturnType<typeof openChain>>;

const PAGE = 500;

export async function openChain(log: LedgerLog, genesis: Genesis, now: () => number) {
  const first = executedGenesis(genesis);
  const state = createState(first.changes);
  const history: Executed[] = [first];
  const byDigest = new Map([[first.digest, first]]);
  const exclusively = createMutex();
  const last = () => history.at(-1) ?? first;

  /** On Sui a system transaction sets the clock before others execute. Here each transaction sets it. */
  function clockChange(timestampMs: number) {
    const before = state.get(SUI_CLOCK_OBJECT_ID) as StoredObject;
    const version = FIRST_VERSION + BigInt(history.length);
    return { before, after: { ...before, version, content: clockContent(timestampMs) } };
  }

  function executeNext(
    transaction: ReadTransaction,
    signatures: readonly string[],
    timestampMs: number,
    isSimulated = false,
  ): Executed {
    const { digest, bytes, sender, commands } = transaction;
    const sequence = history.length;
    const context = { state, clock: clockChange(timestampMs).after, timestampMs, isSimulated };
    return {
      ...execute(transaction, genesis, context),
      sequence,
      digest,
      bytes,
      sender,
      signatures,
      timestampMs,
      chainHash: chainHashOf(last().chainHash, { sequence, txDigest: digest, signatures, timestampMs }),
      functions: commands.map(({ MoveCall }) => MoveCall?.function ?? ""),
    };
  }

  function apply(executed: Executed): Executed {
    state.apply([...executed.changes, clockChange(executed.timestampMs)]);
    history.push(executed);
    byDigest.set(executed.digest, executed);
    return executed;
  }

  /** The chain's time never runs backwards, even when the machine's does. */
  const nextTime = () => Math.max(Math.trunc(now()), last().timestampMs);

  function applyLogged(logged: LoggedTransaction): void {
    const { sequence, txDigest, signatures, timestampMs, chainHash } = logged;
    const transaction = readLogged(logged);
    if (history.length !== sequence) throw new Error("another one is in its place");
    if (byDigest.has(txDigest)) throw new Error("it is there twice");
    if (timestampMs < last().timestampMs) throw new Error("its time is before that of the one before it");
    const executed = executeNext(transaction, signatures, timestampMs);
    if (chainHash !== executed.chainHash) throw new Error("the hash chain of the log does not fit");
    apply(executed);
  }

  function replay(logged: LoggedTransaction, place: number): void {
    const { sequence, txDigest } = logged;
    try {
      if (sequence !== place) throw new Error(`its place in the log is ${sequence}`);
      // The chain may have it already: our own transaction, which was recorded a moment ago.
      if (history[sequence]?.digest !== txDigest) applyLogged(logged);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      throw replayError(`its transaction ${place} (${txDigest}) is refused (${why})`, cause);
    }
  }

  const catchUp = coalesce(async () => {
    for (let isMore = true; isMore; ) {
      const after = history.length - 1;
      const page = await log.page({ after, limit: PAGE });
      for (const [i, logged] of page.entries()) {
        // A transaction may send hundreds of rules, so other work takes its turn between two of them.
        await nextTurn();
        replay(logged, after + 1 + i);
      }
      isMore = page.length > 0;
    }
  });

  /** Rows at the end can be missing without a contradiction among the others. */
  async function replayAll(): Promise<void> {
    const head = await log.head();
    await catchUp();
    if (head === undefined) return;
    const { sequence, chainHash } = last();
    if (sequence < head.sequence) throw replayError(`the transactions ${sequence + 1} to ${head.sequence} are missing`);
    if (sequence === head.sequence && chainHash !== head.chainHash)
      throw replayError(`its last hash is not the one that was recorded with transaction ${sequence}`);
  }

  /** Undefined when another process has taken the place. Its transaction is applied by then. */
  async function record(executed: Executed): Promise<Executed | undefined> {
    const { sequence, digest, bytes, signatures, timestampMs, chainHash } = executed;
    try {
      await log.append({ sequence, txDigest: digest, bytes, signatures, timestampMs, chainHash });
    } catch (cause) {
      await catchUp();
      if (history.length > sequence) return byDigest.get(digest);
      throw refusal("the local ledger could not record the transaction", "UNAVAILABLE", cause);
    }
    // A read of the log may have applied it while `append` was under way.
    return byDigest.get(digest) ?? apply(executed);
  }

  await replayAll();
  return {
    state,
    history: history as readonly Executed[],
    find: (digest: string): Executed | undefined => byDigest.get(digest),
    /** Reads the log. Afterwards the state is no older than this call. */
    catchUp,
    /** Executes the transaction. Idempotent: the same bytes again give the same result. Does not check signatures. */
    submit: (transaction: ReadTransaction, signatures: readonly string[], signal?: AbortSignal): Promise<Executed> =>
      exclusively("submit", async () => {
        if (!byDigest.has(transaction.digest)) await catchUp();
        for (;;) {
          const existing = byDigest.get(transaction.digest);
          if (existing !== undefined) return existing;
          if (signal?.aborted) throw cancellation(signal);
          const recorded = await record(executeNext(transaction, signatures, nextTime()));
          if (recorded !== undefined) return recorded;
        }
      }),
    simulate: (transaction: ReadTransaction) => executeNext(transaction, [], nextTime(), true),
  };
}

function executedGenesis({ packageId, digest, bytes, objects }: Genesis): Executed {
  const changes = objects.map((after) => ({ after }));
  const nothing = { signatures: [], functions: [], reads: [], dependencies: [], events: [] };
  const fixed = { sequence: 0, timestampMs: 0, sender: ZERO, version: FIRST_VERSION, chainHash: digest };
  return { ...nothing, ...fixed, packageId, digest, bytes, changes };
}

const DOMAIN = "portcullis/ledger-log/v1";

/**
 * The hash chain over the log. Signatures bind the bytes of transactions, but neither their order nor their times, so a
 * row has the digest of itself and of the hash before it: a row that was changed, moved or left out is noticed.
 * `previous` is the hash of the row before. For the first row it is the digest of the genesis.
 */
function chainHashOf(previous: string, row: Omit<LoggedTransaction, "chainHash" | "bytes">): string {
  const { sequence, txDigest, signatures, timestampMs } = row;
  return digestOf([DOMAIN, previous, sequence, txDigest, signatures, timestampMs]);
}

/** Throws when the bytes do not have the digest of the row, or a signature does not belong to them. */
function readLogged({ bytes, txDigest, signatures }: LoggedTransaction): ReadTransaction {
  const transaction = readTransaction(Uint8Array.from(bytes));
  if (transaction.digest !== txDigest) throw new Error(`its bytes have the digest ${transaction.digest}`);
  refuseWrongSignatures(transaction, signatures);
  return transaction;
}

function replayError(what: string, cause?: unknown): Error {
  const advice = "The database and the ledger's key must belong together, and nobody else may write to the log.";
  return configurationError(`The local ledger on record does not replay: ${what}. ${advice}`, cause);
}
