// The policy, its fence, and the notifications of its changes.

import { readCounters } from "#adapters/records/postgres/connection/counters.ts";
import {
  type Database,
  READ_SNAPSHOT,
  type Statement,
  type TransactionOptions,
} from "#adapters/records/postgres/connection/database.ts";
import type { Counters } from "#adapters/records/shared/change-feed.ts";
import { toChangePage } from "#adapters/records/shared/policy-changes.ts";
import { createMutex } from "#async/mutex.ts";
import { type AccessRule, policyFrom, type VersionedPolicy } from "#core/gate/policy.ts";
import type { PolicyChange, PolicyRecords } from "#ports.ts";
import { createFence, MAX_BATCHES } from "./fence.ts";
import { FENCE_TIMEOUTS } from "./fence-batch.ts";
import { listenToChanges } from "./policy-listener.ts";
import { lockPolicy, readChanges, readPolicy, setLeaf } from "./statements.ts";

interface FencedPolicy {
  readonly records: PolicyRecords;
  /** Runs the statements, which take the fence and change the policy, in one transaction. Then calls the listeners. */
  change(statements: readonly Statement[], options?: TransactionOptions): Promise<unknown[][]>;
  stopListening(): void;
}

const READ_VERSIONED: readonly Statement[] = [readCounters, readPolicy];

/** From the rows of `READ_VERSIONED`. */
function toVersioned([counters, rules]: readonly unknown[][]): VersionedPolicy {
  return { policy: policyFrom(rules as AccessRule[]), version: (counters as Counters[])[0]?.policy ?? 0 };
}

export function policyRecords(database: Database): FencedPolicy {
  const fence = createFence(database.pool(MAX_BATCHES, FENCE_TIMEOUTS));
  const mutex = createMutex();
  const listeners: (() => void)[] = [];
  let listening: ReturnType<typeof listenToChanges> | undefined;

  function notify(): void {
    for (const listener of listeners) listener();
  }

  /** One change at a time: each may wait long for the fence, and waiting ones must not take up all connections. */
  async function change(statements: readonly Statement[], options?: TransactionOptions): Promise<unknown[][]> {
    const results = await mutex("policy", () => database.transaction(statements, options));
    // Our own listeners learn of it here, also while notifications do not arrive.
    notify();
    return results;
  }

  const records: PolicyRecords = {
    current: async () => toVersioned(await database.transaction(READ_VERSIONED, { begin: READ_SNAPSHOT })),
    set: async (rule, stamp) =>
      toVersioned((await change([lockPolicy, setLeaf(rule, stamp), ...READ_VERSIONED])).slice(2)),
    changes: async (query) => toChangePage(await database.rows<PolicyChange>(readChanges(query)), query),
    passFence: fence.pass,
    onChange(listener) {
      listeners.push(listener);
      listening ??= listenToChanges(database.client, notify);
    },
  };
  return { records, change, stopListening: () => listening?.close() };
}
