// The fence: a readers-writer lock across processes, by advisory locks of PostgreSQL. Actions share the lock. A change
// of the policy, or a removal of memories, takes it alone (postgres-fence.ts): it waits until every action has ended, in every process, and PostgreSQL
// queues later actions behind it, so that no stream of actions can starve a revoke. There is one lock for the whole
// policy, because it is held for about a millisecond.
//
// Actions pass in batches, because each batch costs a round trip and a connection: those that arrive while a batch waits
// for the lock share the next batch. A batch ends with its last action. When slow ones keep all places taken and others
// wait, the slow ones are told to end.

import { unavailable } from "#adapters/records/shared/database/unavailable.ts";
import { FENCE_PATIENCE_MS, othersAwait } from "#adapters/records/shared/policy/fence.ts";
import type { PolicyRecords } from "#ports.ts";
import { type BatchOptions, type Passage, runBatch } from "./fence-batch.ts";
import { type FenceSessions, MAX_BATCHES } from "./fence-sessions.ts";

const MAX_TRIES = 5;
const MAX_FAILURES = 2;

export function createPassage(
  sessions: FenceSessions,
  options: BatchOptions = {},
): { readonly pass: PolicyRecords["passFence"] } {
  let waiting: Passage[] = [];
  /** Whether a batch waits for the lock. */
  let isEntering = false;
  let batches = 0;
  /** The batches that hold the lock, and since when. */
  const held = new Map<AbortController, number>();
  let isWatched = false;

  /** While all places are taken and others wait. */
  function hurrySlow(): void {
    isWatched = false;
    if (waiting.length === 0 || batches < MAX_BATCHES) return;
    const slow = performance.now() - FENCE_PATIENCE_MS;
    for (const [hurry, since] of held) if (since <= slow) hurry.abort(othersAwait());
    watch();
  }

  function watch(): void {
    if (isWatched) return;
    isWatched = true;
    setTimeout(hurrySlow, FENCE_PATIENCE_MS).unref();
  }

  async function runOnce(batch: readonly Passage[], onEntered: () => void): Promise<readonly Passage[]> {
    const hurry = new AbortController();
    const enter = () => {
      held.set(hurry, performance.now());
      onEntered();
    };
    try {
      return await runBatch(sessions, batch, { onEntered: enter, hurry: hurry.signal }, options);
    } finally {
      held.delete(hurry);
    }
  }

  async function runWithRetries(batch: readonly Passage[], onEntered: () => void): Promise<void> {
    let left = batch;
    let reason: unknown = new Error("The lock of the fence timed out repeatedly.");
    let failures = 0;
    for (let tries = 0; tries < MAX_TRIES && failures < MAX_FAILURES && left.length > 0; tries += 1) {
      try {
        left = await runOnce(left, onEntered);
      } catch (error) {
        reason = error;
        failures += 1;
      }
    }
    for (const { reject } of left) reject(unavailable(reason));
  }

  function startBatch(): void {
    if (batches >= MAX_BATCHES && waiting.length > 0) watch();
    if (isEntering || batches >= MAX_BATCHES || waiting.length === 0) return;
    const batch = waiting;
    waiting = [];
    isEntering = true;
    batches += 1;
    let hasEntered = false;
    const onEntered = () => {
      if (hasEntered) return;
      hasEntered = true;
      isEntering = false;
      startBatch();
    };
    void runWithRetries(batch, onEntered).finally(() => {
      batches -= 1;
      onEntered();
      startBatch();
    });
  }

  return {
    pass: (readSet, action) =>
      new Promise((resolve, reject) => {
        waiting.push({ readSet, action, resolve, reject });
        startBatch();
      }),
  };
}
