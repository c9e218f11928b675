// The chain: executes transactions one after another, and records each in the log before anybody can see it.
//
// Several processes may share the log. Each then holds the whole chain, and reads what others have appended before it
// executes or answers. They all reach the same state, because the outcome of a transaction depends only on those before
// it, and because each place in the log is taken once.
import { SUI_CLOCK_OBJECT_ID } from "@mysten/sui/utils";
import type { Parameters } from "#adapters/ledger/gate-module.ts";
import type { Executed } from "#adapters/ledger/local/execution/effects.ts";
import { execute } from "#adapters/ledger/local/execution/execute.ts";
import { cancellation, refusal } from "#adapters/ledger/local/execution/failure.ts";
import { type ReadTransaction, readTransaction } from "#adapters/ledger/local/execution/transaction.ts";
import { coalesce } from "#async/coalesce.ts";
import { createMutex } from "#async/mutex.ts";
import { configurationError } from "#core/errors.ts";
import type { LedgerLog, LoggedTransaction } from "#ports.ts";
import { clockContent, FIRST_VERSION, type Genesis, ZERO } from "./genesis.ts";
import type { StoredObject } from "./objects.ts";
import { createState, type State } from "./state.ts";

export interface Chain {
  readonly state: State;
  /** The index is the sequence. The genesis has 0. */
  readonly history: readonly Executed[];
  /** The publications of the module, oldest first. The first is in `history`. */
  readonly publications: readonly Executed[];
  /** The parameters of the functions that the transaction could call. */
  parametersOf(executed: Executed): Parameters;
  find(digest: string): Executed | undefined;
  /** Reads the log. Afterwards the state is no older than this call. */
  catchUp(): Promise<void>;
  /** Executes the transaction. Idempotent: the same bytes again give the same result. Does not check signatures. */
  submit(transaction: ReadTransaction, signatures: readonly string[], signal?: AbortSignal): Promise<Executed>;
  /** The result that the transaction would have now. Records nothing. */
  simulate(transaction: ReadTransaction): Executed;
}

const PAGE = 500;

/** Opens the chain and replays the log. `geneses` are the publications of the module, oldest first. */
export async function openChain(
  log: LedgerLog,
  geneses: readonly [Genesis, ...Genesis[]],
  now: () => number,
): Promise<Chain> {
  const publications = geneses.map(executedGenesis);
  const first = publications[0] as Executed;
  // There is one clock, that of the first genesis.
  const later = publications.slice(1).flatMap(({ changes }) => changes);
  const state = createState([...first.changes, ...later.filter(({ objectId }) => objectId !== SUI_CLOCK_OBJECT_ID)]);
  const history: Executed[] = [first];
  const byDigest = new Map(publications.map((executed) => [executed.digest, executed]));
  const exclusively = createMutex();

  /** On Sui a system transaction sets the clock before others execute. Here each transaction sets it. */
  function clockChange(timestampMs: number) {
    const before = state.get(SUI_CLOCK_OBJECT_ID) as StoredObject;
    const version = FIRST_VERSION + BigInt(history.length);
    return { objectId: before.objectId, before, after: { ...before, version, content: clockContent(timestampMs) } };
  }

  function executeNext(transaction: ReadTransaction, signatures: readonly string[], timestampMs: number): Executed {
    const { digest, bytes, sender, commands } = transaction;
    return {
      ...execute(transaction, calledGenesis(transaction, geneses), {
        state,
        clock: clockChange(timestampMs).after,
        timestampMs,
      }),
      sequence: history.length,
      digest,
      bytes,
      sender,
      signatures,
      timestampMs,
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
  const nextTime = () => Math.max(Math.trunc(now()), history.at(-1)?.timestampMs ?? 0);

  function replay({ sequence, txDigest, bytes, signatures, timestampMs }: LoggedTransaction, place: number): void {
    try {
      if (sequence !== place) throw new Error(`its place in the log is ${sequence}`);
      // Our own transaction, which was recorded a moment ago.
      if (history[place]?.digest === txDigest) return;
      if (history.length !== place) throw new Error("another one is in its place");
      const transaction = readTransaction(Uint8Array.from(bytes));
      if (transaction.digest !== txDigest) throw new Error(`its bytes have the digest ${transaction.digest}`);
      if (byDigest.has(txDigest)) throw new Error("it is there twice");
      apply(executeNext(transaction, signatures, timestampMs));
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const message = `The local ledger on record does not replay: its transaction ${place} (${txDigest}) is refused (${why}). The database and the ledger's key must belong together.`;
      throw configurationError(message, cause);
    }
  }

  const catchUp = coalesce(async () => {
    for (let isMore = true; isMore; ) {
      const after = history.length - 1;
      const page = await log.page({ after, limit: PAGE });
      page.forEach((logged, i) => {
        replay(logged, after + 1 + i);
      });
      isMore = page.length > 0;
    }
  });

  /** Undefined when another process has taken the place. Its transaction is applied by then. */
  async function record(executed: Executed): Promise<Executed | undefined> {
    const { sequence, digest, bytes, signatures, timestampMs } = executed;
    try {
      await log.append({ sequence, txDigest: digest, bytes, signatures, timestampMs });
    } catch (cause) {
      await catchUp();
      if (history.length > sequence) return byDigest.get(digest);
      throw refusal("the local ledger could not record the transaction", "UNAVAILABLE", cause);
    }
    // A read of the log may have applied it while `append` was under way.
    return byDigest.get(digest) ?? apply(executed);
  }

  await catchUp();
  return {
    state,
    history,
    publications,
    parametersOf: (executed) =>
      (geneses.find(({ packageId }) => packageId === executed.packageId) ?? geneses[0]).module.parameters,
    find: (digest) => byDigest.get(digest),
    catchUp,
    submit: (transaction, signatures, signal) =>
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
    simulate: (transaction) => executeNext(transaction, [], nextTime()),
  };
}

/** The publication that the transaction calls. For a package that is not there, the newest: it refuses. */
function calledGenesis({ commands }: ReadTransaction, geneses: readonly [Genesis, ...Genesis[]]): Genesis {
  const called = geneses.find(({ packageId }) => commands.some(({ MoveCall }) => MoveCall?.package === packageId));
  return called ?? (geneses.at(-1) as Genesis);
}

function executedGenesis({ packageId, digest, bytes, objects }: Genesis): Executed {
  const changes = objects.map((after) => ({ objectId: after.objectId, after }));
  const nothing = { signatures: [], functions: [], reads: [], dependencies: [], events: [] };
  const fixed = { sequence: 0, timestampMs: 0, sender: ZERO, version: FIRST_VERSION };
  return { ...nothing, ...fixed, packageId, digest, bytes, changes };
}
