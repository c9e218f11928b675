// The fence: a readers-writer lock across processes, by advisory locks of PostgreSQL. Actions share the lock. A change
// of the policy takes it alone (`lockPolicy`): it waits until every action has ended, in every process, and PostgreSQL
// queues later actions behind it, so that no stream of actions can starve a revoke. There is one lock for the whole
// policy, because it is held for about a millisecond.
//
// Actions pass in batches, because each batch costs a round trip and a connection: those that arrive while a batch waits
// for the lock share the next batch.
import { unavailable } from "#adapters/records/shared/unavailable.ts";
import type { PolicyRecords } from "#ports.ts";
import { type BatchOptions, type Passage, runBatch } from "./fence-batch.ts";
import { type FenceSessions, MAX_BATCHES } from "./fence-sessions.ts";

const MAX_TRIES = 3;
const MAX_FAILURES = 2;

export function createFence(
  sessions: FenceSessions,
  options: BatchOptions = {},
): { readonly pass: PolicyRecords["passFence"] } {
  let waiting: Passage[] = [];
  /** Whether a batch waits for the lock. */
  let isEntering = false;
  let batches = 0;

  async function runWithRetries(batch: readonly Passage[], onEntered: () => void): Promise<void> {
    let left = batch;
    let reason: unknown = new Error("The lock of the fence came too late again and again.");
    let failures = 0;
    for (let tries = 0; tries < MAX_TRIES && failures < MAX_FAILURES && left.length > 0; tries += 1) {
      try {
        left = await runBatch(sessions, left, onEntered, options);
      } catch (error) {
        reason = error;
        failures += 1;
      }
    }
    for (const { reject } of left) reject(unavailable(reason));
  }

  function startBatch(): void {
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
