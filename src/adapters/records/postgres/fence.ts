// The fence across processes. Acts run under a shared lock of PostgreSQL, a change of the policy takes the same lock
// alone: it waits until every act has ended, in every process, and acts that come later queue behind it, so that no
// stream of acts can hold a revoke up. One lock for the whole policy: it is held for a millisecond.
//
// Acts are let through in batches, because each batch costs a round trip and a connection: those that arrive while a
// batch is being let in share the next one.
//
// Nobody may act on a lock that is lost. The server ends a session that stands still in a transaction (`idleMs`), and
// its lock with it, so that a process which was stopped or cut off cannot hold up a revoke for ever. When such a
// process wakes up, it sees by the clock that its lock may be gone (`FRESH_MS`, well below `idleMs`), and starts again.
// An act that has begun is kept under the lock as long as it runs, by asking the server something now and then. Only
// a process that is stopped in the middle of an act can end it after the revoke; no lock could prevent that.
import type { Pool, PoolClient } from "pg";
import type { ReadSet } from "#ports.ts";
import { unavailable } from "./failures.ts";
import { LOCKS } from "./locks.ts";
import { allowedLeaves } from "./policy.ts";
import type { Patience } from "./settings.ts";

export const FENCE_PATIENCE: Partial<Patience> = { idleMs: 5_000 };
/** How many batches may be open at a time, each on a connection of its own. */
export const MOST_BATCHES = 4;
const FRESH_MS = 2_000;
const HOLD_MS = 1_000;
const MOST_TRIES = 3;
const MOST_FAILURES = 2;

// Three statements, each of which sees what was committed before it began: the version is that of a moment at which
// the lock was held already, also when a change was committed while we waited for it.
const ENTER = `BEGIN; SELECT pg_advisory_xact_lock_shared(${LOCKS.policy}); SELECT value FROM counters WHERE name = 'policy'`;

interface Waiting {
  readonly readSet: ReadSet;
  readonly act: () => void | Promise<void>;
  resolve(hasActed: boolean): void;
  reject(error: unknown): void;
}

/** What is known while the lock is held, and since when it is certain that it was. */
interface Entered {
  mayPass(readSet: ReadSet): boolean;
  readonly askedAt: number;
}

interface Clock {
  readonly now?: () => number;
  readonly holdMs?: number;
}

export function createFence(pool: Pool, { now = () => performance.now(), holdMs = HOLD_MS }: Clock = {}) {
  let waiting: Waiting[] = [];
  let isEntering = false;
  let open = 0;

  async function enter(client: PoolClient, batch: readonly Waiting[]): Promise<Entered> {
    let askedAt = now();
    // Typed for one statement; for several, there is a result for each.
    const results = (await client.query(ENTER)) as unknown as { rows: { value: number }[] }[];
    const version = results[2]?.rows[0]?.value;
    const older = batch.map(({ readSet }) => readSet).filter(({ policyVersion }) => policyVersion !== version);
    if (older.length === 0) return { askedAt, mayPass: () => true };
    askedAt = now();
    const { text, values = [] } = allowedLeaves(older.flatMap(leavesOf));
    const { rows } = await client.query<Leaf>({ name: "fence", text, values: [...values] });
    const allowed = new Set(rows.map(keyOf));
    const mayPass = (readSet: ReadSet) =>
      readSet.policyVersion === version || leavesOf(readSet).every((leaf) => allowed.has(keyOf(leaf)));
    return { askedAt, mayPass };
  }

  /** Begins the acts that may be begun. Answers with those that have begun, and those for which it is too late. */
  function begin(batch: readonly Waiting[], { mayPass, askedAt }: Entered, isLost: () => boolean) {
    const acts: Promise<void>[] = [];
    const late: Waiting[] = [];
    for (const one of batch) {
      if (isLost() || now() - askedAt >= FRESH_MS) late.push(one);
      else if (mayPass(one.readSet)) acts.push(perform(one));
      else one.resolve(false);
    }
    return { acts, late };
  }

  /** Lets a batch through. Answers with those for which the lock came too late, or was lost. */
  async function letThrough(batch: readonly Waiting[], entered: () => void): Promise<readonly Waiting[]> {
    const client = await pool.connect();
    let isLost = false;
    const onLost = () => {
      isLost = true;
    };
    client.once("error", onLost);
    try {
      const known = await enter(client, batch);
      const { acts, late } = begin(batch, known, () => isLost);
      entered();
      await held(client, holdMs, Promise.all(acts));
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

  async function tryAll(batch: readonly Waiting[], entered: () => void): Promise<void> {
    let left = batch;
    let reason: unknown = new Error("The lock of the fence came too late again and again.");
    let failures = 0;
    for (let tries = 0; tries < MOST_TRIES && failures < MOST_FAILURES && left.length > 0; tries += 1) {
      try {
        left = await letThrough(left, entered);
      } catch (error) {
        reason = error;
        failures += 1;
      }
    }
    for (const { reject } of left) reject(unavailable(reason));
  }

  function next(): void {
    if (isEntering || open >= MOST_BATCHES || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    isEntering = true;
    open += 1;
    let hasEntered = false;
    const entered = () => {
      if (hasEntered) return;
      hasEntered = true;
      isEntering = false;
      next();
    };
    void tryAll(batch, entered).finally(() => {
      open -= 1;
      entered();
      next();
    });
  }

  return {
    pass(readSet: ReadSet, act: () => void | Promise<void>): Promise<boolean> {
      return new Promise((resolve, reject) => {
        waiting.push({ readSet, act, resolve, reject });
        next();
      });
    },
  };
}

/** Never rejects: an act that fails is its own caller's affair. */
async function perform({ act, resolve, reject }: Waiting): Promise<void> {
  try {
    await act();
    resolve(true);
  } catch (error) {
    reject(error);
  }
}

/** Keeps the transaction from standing still until `acts` have ended. */
async function held(client: PoolClient, everyMs: number, acts: Promise<unknown>): Promise<void> {
  const timer = setInterval(() => client.query("SELECT").catch(() => undefined), everyMs).unref();
  await acts;
  clearInterval(timer);
}

interface Leaf {
  readonly agentId: string;
  readonly namespace: string;
}

const leavesOf = ({ agentId, namespaces }: ReadSet): Leaf[] => namespaces.map((namespace) => ({ agentId, namespace }));
const keyOf = ({ agentId, namespace }: Leaf): string => JSON.stringify([agentId, namespace]);
