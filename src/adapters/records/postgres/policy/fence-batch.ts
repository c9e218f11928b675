// One batch of actions under the shared lock of the fence.
//
// No action may begin, or go on, on a lock that is lost. The server ends a session whose connection it loses, or whose
// transaction stands still (`idleMs`), and its lock with it, so that a process that was stopped or cut off cannot hold up
// a revoke for ever. The actions get a signal, which aborts when
//   - the connection is lost, or a statement on it fails;
//   - the server's last answer was to a statement sent `LEASE_MS` ago, by any clock: a silent network, a pause.
// A change of the policy waits for the end of such actions (`awaitLostSessions`), for longer than `LEASE_MS`.
//
// While actions run, statements sent now and then keep the transaction, and so the lock, alive. They also tell whether a
// change of the policy, or a removal of memories, waits: then the signal aborts, too, with another reason. So a client that does not read holds up
// no revoke for long, in whichever process.
//
// What remains: a process that is stopped in the middle of an action for longer than that, and then goes on. Until its
// timers run, which takes one turn of the event loop, or `TICK_MS` if only the wall clock shows the pause, what waits in
// its buffers may leave. No lock could prevent that.
import type { ClientBase } from "pg";
import { LOCKS } from "#adapters/records/postgres/connection/advisory-locks.ts";
import type { Statement } from "#adapters/records/postgres/connection/database.ts";
import { readOnRecord } from "#adapters/records/postgres/memories/removals.ts";
import { unavailable } from "#adapters/records/shared/database/unavailable.ts";
import { FENCE_PATIENCE_MS, policyAwaits } from "#adapters/records/shared/policy/fence-patience.ts";
import { startTimer } from "#async/elapsed-time.ts";
import { forwardAbort } from "#async/with-deadline.ts";
import type { FencedAction, ReadSet } from "#ports.ts";
import type { FenceSessions, FenceState } from "./fence-sessions.ts";
import { allowedLeaves } from "./statements.ts";

/** One call of `passFence`. */
export interface Passage {
  readonly readSet: ReadSet;
  readonly action: FencedAction;
  resolve(hasRun: boolean): void;
  reject(error: unknown): void;
}

export interface BatchOptions {
  /** Starts to measure a time; see elapsed-time.ts. */
  readonly timer?: () => () => number;
  readonly keepAliveMs?: number;
}

/** How long after a statement was sent its answer proves that the lock is held. Well below `idleMs`. */
const LEASE_MS = 2_000;
const KEEP_ALIVE_MS = FENCE_PATIENCE_MS;
const TICK_MS = 50;

/** What was read while the lock was held. */
interface Entered {
  isAllowed(readSet: ReadSet): boolean;
  /** Since the statement was sent whose answer confirms that the lock is held. */
  readonly age: () => number;
}

interface BatchRun {
  /** Called when the lock is held, and the actions run. */
  readonly onEntered: () => void;
  /** Aborts when others have waited for these actions long enough, with the error for them. */
  readonly hurry: AbortSignal;
}

/** Runs the actions that are allowed. Answers with the passages for which the lock came too late, or was lost. */
export async function runBatch(
  sessions: FenceSessions,
  batch: readonly Passage[],
  { onEntered, hurry }: BatchRun,
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
    const { isAllowed, age } = await enter(sessions, client, batch, timer);
    const running: Promise<void>[] = [];
    const late: Passage[] = [];
    for (const passage of batch) {
      if (loss.signal.aborted || age() >= LEASE_MS) late.push(passage);
      else if (isAllowed(passage.readSet)) running.push(perform(passage, loss.signal, end.signal));
      else passage.resolve(false);
    }
    onEntered();
    const stop = keepAlive(client, { age, keepAliveMs, timer, onLost, onAwaited: () => end.abort(policyAwaits()) });
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

async function enter(
  sessions: FenceSessions,
  client: ClientBase,
  batch: readonly Passage[],
  timer: () => () => number,
): Promise<Entered> {
  let age = timer();
  // The types know one statement only. For several, there is a result for each.
  const results = (await client.query(sessions.enter(client))) as unknown as { rows: FenceState[] }[];
  const state = results.at(-1)?.rows[0] as FenceState;
  const readSets = batch.map(({ readSet }) => readSet);
  const leaves = readSets.filter((readSet) => readSet.policyVersion !== state.policy).flatMap(leavesOf);
  const memoryIds = readSets.filter(({ removals }) => removals !== state.removal).flatMap((each) => each.memoryIds);
  // Usually nothing has changed since.
  if (leaves.length === 0 && memoryIds.length === 0)
    return { age, isAllowed: (readSet) => holds(readSet, state, NOTHING) };
  age = timer();
  const [allowed, onRecord] = await Promise.all([
    leaves.length === 0 ? [] : ask<Leaf>(client, "fence", allowedLeaves(leaves)),
    memoryIds.length === 0 ? [] : ask<OnRecord>(client, "fence-memories", readOnRecord(memoryIds)),
  ]);
  const found: Found = {
    leaves: new Set(allowed.map(keyOf)),
    memories: new Map(onRecord.map(({ memoryId, isSuperseded }) => [memoryId, isSuperseded])),
  };
  return { age, isAllowed: (readSet) => holds(readSet, state, found) };
}

/** What was looked up for read sets that are older than the state. */
interface Found {
  /** Those that allow. */
  readonly leaves: ReadonlySet<string>;
  /** By id: whether it is history. */
  readonly memories: ReadonlyMap<string, boolean>;
}

const NOTHING: Found = { leaves: new Set(), memories: new Map() };

interface OnRecord {
  readonly memoryId: string;
  readonly isSuperseded: boolean;
}

/** Whether the read set is as it was: allowed, and on record. */
function holds(readSet: ReadSet, { policy, removal, now }: FenceState, { leaves, memories }: Found): boolean {
  const { policyVersion, removals, memoryIds, allowsSuperseded = false, expiresAt } = readSet;
  if (expiresAt !== undefined && expiresAt <= now) return false;
  if (policyVersion !== policy && !leavesOf(readSet).every((leaf) => leaves.has(keyOf(leaf)))) return false;
  if (removals === removal) return true;
  return memoryIds.every((id) => memories.get(id) === false || (allowsSuperseded && memories.has(id)));
}

async function ask<Row extends object>(client: ClientBase, name: string, { text, values = [] }: Statement) {
  return (await client.query<Row>({ name, text, values: [...values] })).rows;
}

/** Never rejects: the error of an action goes to its own caller. */
async function perform({ action, resolve, reject }: Passage, lost: AbortSignal, end: AbortSignal): Promise<void> {
  try {
    await action(end);
  } catch (error) {
    if (!lost.aborted) return reject(error);
  }
  if (lost.aborted) reject(unavailable(new Error("The lock of the fence was lost while an action ran.")));
  else resolve(true);
}

interface KeepAlive {
  readonly age: () => number;
  readonly keepAliveMs: number;
  readonly timer: () => () => number;
  readonly onLost: () => void;
  readonly onAwaited: () => void;
}

const IS_AWAITED = `
  SELECT EXISTS (
    SELECT FROM pg_locks WHERE locktype = 'advisory' AND NOT granted AND mode = 'ExclusiveLock'
      AND (classid, objid) = (${LOCKS.policy}) AND objsubid = 2
      AND database = (SELECT oid FROM pg_database WHERE datname = current_database())
  ) AS "isAwaited"`;

/**
 * Keeps the transaction from standing still. Calls `onLost` when nothing proves any more that the lock is held, and
 * `onAwaited` when a change of the policy waits for the lock.
 */
function keepAlive(client: ClientBase, { age: first, keepAliveMs, timer, onLost, onAwaited }: KeepAlive): () => void {
  let age = first;
  let isAsking = false;
  const interval = setInterval(() => {
    if (age() >= LEASE_MS) return onLost();
    if (isAsking || age() < keepAliveMs) return;
    isAsking = true;
    const since = timer();
    client.query<{ isAwaited: boolean }>(IS_AWAITED).then(({ rows }) => {
      isAsking = false;
      age = since;
      if (rows[0]?.isAwaited) onAwaited();
    }, onLost);
  }, TICK_MS).unref();
  return () => clearInterval(interval);
}

interface Leaf {
  readonly agentId: string;
  readonly namespace: string;
}

const leavesOf = ({ agentId, namespaces }: ReadSet): Leaf[] => namespaces.map((namespace) => ({ agentId, namespace }));
const keyOf = ({ agentId, namespace }: Leaf): string => JSON.stringify([agentId, namespace]);
