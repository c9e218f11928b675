// One batch of actions under the shared lock of the fence.
//
// No action may begin, or go on, on a lock that is lost. The server ends a session whose connection it loses, or whose
// transaction stands still (`idleMs`), and its lock with it, so that a process that was stopped or cut off cannot hold up
// a revoke for ever. The actions get a signal, which aborts when
//   - the connection is lost, or a statement on it fails;
//   - the server's last answer was to a statement sent `LEASE_MS` ago, by any clock: a silent network, a pause. An action
//     that has ended all the same has run if the session then answers: its lock was held all the time.
// A change of the policy waits for the end of such actions (`awaitLostSessions`), for longer than `LEASE_MS`.
//
// While actions run, statements sent now and then keep the transaction, and so the lock, alive. They also tell whether a
// change of the policy, or a removal of memories, waits: then the signal aborts, too, with another reason. So a client that does not read holds up
// no revoke for long, in whichever process.
//
// A process that was stopped in the middle of an action finds by the clock that its lease is over: before each action of a
// batch, and by timers, which run before the event loop polls again. What remains: a stop between a look at the clock and
// the write of the bytes, and a stop in a turn that was to write what waits in its buffers. No lock could prevent that.
import type { ClientBase } from "pg";
import { fenceLock } from "#adapters/records/postgres/connection/advisory-locks.ts";
import { send } from "#adapters/records/postgres/connection/database.ts";
import { unavailable } from "#adapters/records/shared/database/unavailable.ts";
import { FENCE_PATIENCE_MS, policyAwaits } from "#adapters/records/shared/policy/fence.ts";
import { type PolicyHead, policyStatements } from "#adapters/records/shared/policy/policy-statements.ts";
import type { Statement } from "#adapters/records/shared/sql/database.ts";
import { forwardAbort, orAfter, startTimer } from "#async/with-deadline.ts";
import { keyOf } from "#core/gate/policy.ts";
import { policyDigestOf } from "#core/gate/policy-chain.ts";
import { type FenceState, hasAllMemories, holds, isOfPolicy, type ReadSet } from "#core/gate/read-set.ts";
import type { FencedAction } from "#ports.ts";
import type { FenceSessions } from "./fence-sessions.ts";

export interface Passage {
  readonly readSet: ReadSet;
  readonly action: FencedAction;
  resolve(hasRun: boolean): void;
  reject(error: unknown): void;
}

export interface BatchOptions {
  /** Starts to measure a time (`startTimer`). */
  readonly timer?: () => () => number;
  readonly keepAliveMs?: number;
}

/** How long after a statement was sent its answer proves that the lock is held. Well below `idleMs`. */
const LEASE_MS = 600;
/** For an action that has ended. Nothing of it can leave any more, so this may take longer. */
const CONFIRM_MS = 2_000;
const KEEP_ALIVE_MS = FENCE_PATIENCE_MS;
const TICK_MS = 50;

interface Lease {
  age: () => number;
}

interface BatchRun {
  readonly tenant: number;
  /** Called when the lock is held, and the actions run. */
  readonly onEntered: () => void;
  /** Aborts when others have waited for these actions long enough, with the error for them. */
  readonly hurry: AbortSignal;
}

/** Runs the actions that are allowed. Answers with the passages for which the lock came too late, or was lost. */
export async function runBatch(
  sessions: FenceSessions,
  batch: readonly Passage[],
  { tenant, onEntered, hurry }: BatchRun,
  { timer = startTimer, keepAliveMs = KEEP_ALIVE_MS }: BatchOptions,
): Promise<readonly Passage[]> {
  const client = await sessions.pool.connect();
  const loss = new AbortController();
  const end = new AbortController();
  const unlinkLoss = forwardAbort(loss.signal, end);
  const unlinkHurry = forwardAbort(hurry, end);
  const onLost = () => loss.abort();
  client.once("error", onLost);
  try {
    const { isAllowed, age } = await enter({ sessions, client, tenant }, batch, timer);
    const lease: Lease = { age };
    /** When it is in doubt that the lock is held: by the next answer, or not at all. */
    const confirm = async () => {
      if (lease.age() < LEASE_MS || loss.signal.aborted) return;
      const answer = await orAfter(CONFIRM_MS, client.query("SELECT"), undefined).catch(() => undefined);
      if (answer === undefined) onLost();
    };
    // Before the first action, which may write for long in its first turn.
    const stop = keepAlive({ client, tenant }, lease, {
      ...{ keepAliveMs, timer, onLost },
      onDoubt: () => end.abort(lockLost()),
      onAwaited: () => end.abort(policyAwaits()),
    });
    const running: Promise<void>[] = [];
    const late: Passage[] = [];
    for (const passage of batch) {
      if (loss.signal.aborted || age() >= LEASE_MS) late.push(passage);
      else if (isAllowed(passage.readSet)) running.push(perform(passage, loss.signal, end.signal, confirm));
      else passage.resolve(false);
    }
    onEntered();
    await Promise.all(running);
    stop();
    if (!loss.signal.aborted) await client.query(sessions.leave(client)).catch(onLost);
    return late;
  } catch (error) {
    loss.abort();
    throw error;
  } finally {
    unlinkLoss();
    unlinkHurry();
    client.off("error", onLost);
    client.release(loss.signal.aborted);
  }
}

interface Session {
  readonly sessions: FenceSessions;
  readonly client: ClientBase;
  readonly tenant: number;
}

async function enter({ sessions, client, tenant }: Session, batch: readonly Passage[], timer: () => () => number) {
  /** Since the statement was sent whose answer confirms that the lock is held. */
  let age = timer();
  // The types know one statement only. For several, there is a result for each.
  const results = (await client.query(sessions.enter(client, tenant))) as unknown as { rows: FenceRow[] }[];
  const found = results.at(-1)?.rows[0] as FenceRow;
  const state: FenceState = { ...found, digest: policyDigestOf(found.chainHash) };
  // The answer may have waited long for the lock. Then another one proves that the lock is held.
  if (age() >= LEASE_MS / 2) {
    age = timer();
    await client.query("SELECT");
  }
  const readSets = batch.map(({ readSet }) => readSet);
  // PostgreSQL has no text with a NUL, so there is no such rule or memory. A statement that names one would fail for all.
  const wanted = readSets
    .filter((readSet) => !isOfPolicy(readSet, state))
    .flatMap(gatesOf)
    .filter(({ agentId, namespace }) => !`${agentId}${namespace}`.includes("\0"));
  const memoryIds = readSets
    .filter((readSet) => !hasAllMemories(readSet, state))
    .flatMap((readSet) => readSet.memoryIds.filter((id) => !id.includes("\0")));
  // Usually nothing has changed since.
  if (wanted.length > 0 || memoryIds.length > 0) age = timer();
  const [rules, onRecord] = await Promise.all([
    wanted.length === 0 ? [] : ask(client, tenant, policyStatements.rules(wanted)),
    memoryIds.length === 0 ? [] : ask(client, tenant, policyStatements.onRecord(memoryIds)),
  ]);
  const allowed = new Set(rules.filter((rule) => rule.allowed).map(keyOf));
  const memories = new Map<string, number | boolean>(onRecord);
  const lookup = {
    isAllowed: (agentId: string, namespace: string) => allowed.has(keyOf({ agentId, namespace })),
    isOnRecord: (id: string, orSuperseded: boolean) => memories.get(id) === false || (orSuperseded && memories.has(id)),
  };
  return { age, isAllowed: (readSet: ReadSet) => holds(readSet, state, lookup) };
}

type FenceRow = Omit<FenceState, "digest"> & Pick<PolicyHead, "chainHash">;

const ask = <Row>(client: ClientBase, tenant: number, statement: Statement<Row>) =>
  send(client, { ...statement, tenant });

/** Never rejects: the error of an action goes to its own caller. */
async function perform(
  { action, resolve, reject }: Passage,
  lost: AbortSignal,
  end: AbortSignal,
  confirm: () => Promise<void>,
): Promise<void> {
  try {
    await action(end);
  } catch (error) {
    if (!lost.aborted) return reject(error);
  }
  await confirm();
  if (lost.aborted) reject(lockLost());
  else resolve(true);
}

const lockLost = () => unavailable(new Error("The lock of the fence was lost while an action ran."));

interface KeepAlive {
  readonly keepAliveMs: number;
  readonly timer: () => () => number;
  readonly onLost: () => void;
  readonly onDoubt: () => void;
  readonly onAwaited: () => void;
}

const isAwaited = (tenant: number) => `
  SELECT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND mode = 'ExclusiveLock'
      AND (classid, objid) = (${fenceLock(tenant)}) AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS "isAwaited"`;

/**
 * Keeps the transaction from standing still. Calls `onDoubt` when nothing proves any more that the lock is held, `onLost`
 * when it cannot be, and `onAwaited` when a change of the policy waits for the lock.
 */
function keepAlive(
  { client, tenant }: Pick<Session, "client" | "tenant">,
  lease: Lease,
  { keepAliveMs, timer, onLost, onDoubt, onAwaited }: KeepAlive,
): () => void {
  let isAsking = false;
  const interval = setInterval(() => {
    if (lease.age() >= LEASE_MS) onDoubt();
    if (isAsking || lease.age() < keepAliveMs) return;
    isAsking = true;
    const since = timer();
    client.query<{ isAwaited: boolean }>(isAwaited(tenant)).then(({ rows }) => {
      isAsking = false;
      lease.age = since;
      if (rows[0]?.isAwaited) onAwaited();
    }, onLost);
  }, TICK_MS).unref();
  return () => clearInterval(interval);
}

const gatesOf = ({ agentId, namespaces }: ReadSet) => namespaces.map((namespace) => ({ agentId, namespace }));
