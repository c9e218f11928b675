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
import type { ReadTransaction } from "#adapters/ledger/local/execution/transaction.ts";
import { coalesce } from "#async/coalesce.ts";
import { createMutex } from "#async/mutex.ts";
import type { LedgerLog, LoggedTransaction } from "#ports.ts";
import { clockContent, FIRST_VERSION, type Genesis, ZERO } from "./genesis.ts";
import { linkOf } from "./log-link.ts";
import { readLogged, replayError } from "./logged-transaction.ts";
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
  /** Whether a row with a link was read. From then on, all rows have one. */
  let hasLinks = false;
  const exclusively = createMutex();
  const last = () => history.at(-1) ?? first;

  /** On Sui a system transaction sets the clock before others execute. Here each transaction sets it. */
  function clockChange(timestampMs: number) {
    const before = state.get(SUI_CLOCK_OBJECT_ID) as StoredObject;
    const version = FIRST_VERSION + BigInt(history.length);
    return { objectId: before.objectId, before, after: { ...before, version, content: clockContent(timestampMs) } };
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
      ...execute(transaction, calledGenesis(transaction, geneses), context),
      sequence,
      digest,
      bytes,
      sender,
      signatures,
      timestampMs,
      link: linkOf(last().link, { sequence, txDigest: digest, signatures, timestampMs }),
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

  /** Whether the chain has the row already: our own transaction, which was recorded a moment ago. */
  const isApplied = ({ sequence, txDigest }: LoggedTransaction) => history[sequence]?.digest === txDigest;

  function applyLogged(transaction: ReadTransaction, logged: LoggedTransaction): void {
    const { sequence, txDigest, signatures, timestampMs, link } = logged;
    if (history.length !== sequence) throw new Error("another one is in its place");
    if (byDigest.has(txDigest)) throw new Error("it is there twice");
    if (timestampMs < last().timestampMs) throw new Error("its time is before that of the one before it");
    const executed = executeNext(transaction, signatures, timestampMs);
    // Rows of version 0.1.0 have none, and its transactions had no payment.
    if (link === null && (hasLinks || transaction.payment.length > 0))
      throw new Error("it has no link to the one before it");
    if (link !== null && link !== executed.link) throw new Error("the hash chain of the log does not fit");
    hasLinks ||= link !== null;
    apply(executed);
  }

  async function replay(logged: LoggedTransaction, place: number): Promise<void> {
    try {
      if (logged.sequence !== place) throw new Error(`its place in the log is ${logged.sequence}`);
      if (isApplied(logged)) return;
      // Others may apply it while its signatures are checked.
      const transaction = await readLogged(logged);
      if (!isApplied(logged)) applyLogged(transaction, logged);
    } catch (cause) {
      const why = cause instanceof Error ? cause.message : String(cause);
      const what = `its transaction ${place} (${logged.txDigest}) is refused (${why})`;
      throw replayError(what, cause);
    }
  }

  const catchUp = coalesce(async () => {
    for (let isMore = true; isMore; ) {
      const after = history.length - 1;
      const page = await log.page({ after, limit: PAGE });
      for (const [i, logged] of page.entries()) await replay(logged, after + 1 + i);
      isMore = page.length > 0;
    }
  });

  /** Rows at the end can be missing without a contradiction among the others. */
  async function replayAll(): Promise<void> {
    const head = await log.head();
    await catchUp();
    if (head === undefined) return;
    const { sequence, link } = last();
    if (sequence < head.sequence) throw replayError(`the transactions ${sequence + 1} to ${head.sequence} are missing`);
    if (sequence === head.sequence && head.link !== null && link !== head.link)
      throw replayError(`its last link is not the one that was recorded with transaction ${sequence}`);
  }

  /** Undefined when another process has taken the place. Its transaction is applied by then. */
  async function record(executed: Executed): Promise<Executed | undefined> {
    const { sequence, digest, bytes, signatures, timestampMs, link } = executed;
    try {
      await log.append({ sequence, txDigest: digest, bytes, signatures, timestampMs, link });
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
    simulate: (transaction) => executeNext(transaction, [], nextTime(), true),
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
  const fixed = { sequence: 0, timestampMs: 0, sender: ZERO, version: FIRST_VERSION, link: digest };
  return { ...nothing, ...fixed, packageId, digest, bytes, changes };
}
