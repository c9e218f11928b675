// One batch of actions under the shared lock of the fence.
//
// No action may begin on a lock that is lost. The server ends a session whose transaction stands still (`idleMs`), and
// its lock with it, so that a process that was stopped or cut off cannot hold up a revoke for ever. When such a process
// goes on, its clock shows that the lock may be lost (`FRESH_MS`, well below `idleMs`), and the batch starts again.
//
// While an action runs, statements sent now and then keep the transaction, and so the lock, alive. Only a process that is
// stopped in the middle of an action can end the action after the revoke; no lock could prevent that.
import type { Pool, PoolClient } from "pg";
import { LOCKS } from "#adapters/records/postgres/connection/advisory-locks.ts";
import type { Timeouts } from "#adapters/records/postgres/connection/settings.ts";
import type { ReadSet } from "#ports.ts";
import { allowedLeaves } from "./statements.ts";

/** One call of `passFence`. */
export interface Passage {
  readonly readSet: ReadSet;
  readonly action: () => void | Promise<void>;
  resolve(hasRun: boolean): void;
  reject(error: unknown): void;
}

export interface BatchOptions {
  readonly now?: () => number;
  readonly keepAliveMs?: number;
}

export const FENCE_TIMEOUTS: Partial<Timeouts> = { idleMs: 5_000 };
/** How old the confirmation of the lock may be when an action begins. */
const FRESH_MS = 2_000;
const KEEP_ALIVE_MS = 1_000;

// Three statements, each of which sees what was committed before it began. So the version is read while the lock is
// held, also when a change was committed while we waited for the lock.
const ENTER = `BEGIN; SELECT pg_advisory_xact_lock_shared(${LOCKS.policy}); SELECT value FROM counters WHERE name = 'policy'`;

/** What was read while the lock was held. */
interface Entered {
  isAllowed(readSet: ReadSet): boolean;
  /** When the statement was sent whose answer confirms that the lock is held. */
  readonly sentAt: number;
}

/** Runs the actions that are allowed. Answers with the passages for which the lock came too late, or was lost. */
export async function runBatch(
  pool: Pool,
  batch: readonly Passage[],
  onEntered: () => void,
  { now = () => performance.now(), keepAliveMs = KEEP_ALIVE_MS }: BatchOptions,
): Promise<readonly Passage[]> {
  const client = await pool.connect();
  let isLost = false;
  const onLost = () => {
    isLost = true;
  };
  client.once("error", onLost);
  try {
    const { isAllowed, sentAt } = await enter(client, batch, now);
    const running: Promise<void>[] = [];
    const late: Passage[] = [];
    for (const passage of batch) {
      if (isLost || now() - sentAt >= FRESH_MS) late.push(passage);
      else if (isAllowed(passage.readSet)) running.push(perform(passage));
      else passage.resolve(false);
    }
    onEntered();
    await keptAlive(client, keepAliveMs, Promise.all(running));
    isLost = await client.query("COMMIT").then(
      () => false,
      () => true,
    );
    return late;
  } catch (error) {
    isLost = true;
    throw error;
  } finally {
    client.off("error", onLost);
    client.release(isLost);
  }
}

async function enter(client: PoolClient, batch: readonly Passage[], now: () => number): Promise<Entered> {
  let sentAt = now();
  // The types know one statement only. For several, there is a result for each.
  const results = (await client.query(ENTER)) as unknown as { rows: { value: number }[] }[];
  const version = results[2]?.rows[0]?.value;
  const older = batch.map(({ readSet }) => readSet).filter(({ policyVersion }) => policyVersion !== version);
  if (older.length === 0) return { sentAt, isAllowed: () => true };
  sentAt = now();
  const { text, values = [] } = allowedLeaves(older.flatMap(leavesOf));
  const { rows } = await client.query<Leaf>({ name: "fence", text, values: [...values] });
  const allowed = new Set(rows.map(keyOf));
  const isAllowed = (readSet: ReadSet) =>
    readSet.policyVersion === version || leavesOf(readSet).every((leaf) => allowed.has(keyOf(leaf)));
  return { sentAt, isAllowed };
}

/** Never rejects: the error of an action goes to its own caller. */
async function perform({ action, resolve, reject }: Passage): Promise<void> {
  try {
    await action();
    resolve(true);
  } catch (error) {
    reject(error);
  }
}

/** Keeps the transaction from standing still until the actions have ended. */
async function keptAlive(client: PoolClient, everyMs: number, actions: Promise<unknown>): Promise<void> {
  const timer = setInterval(() => client.query("SELECT").catch(() => undefined), everyMs).unref();
  await actions;
  clearInterval(timer);
}

interface Leaf {
  readonly agentId: string;
  readonly namespace: string;
}

const leavesOf = ({ agentId, namespaces }: ReadSet): Leaf[] => namespaces.map((namespace) => ({ agentId, namespace }));
const keyOf = ({ agentId, namespace }: Leaf): string => JSON.stringify([agentId, namespace]);
