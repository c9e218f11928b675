// The policy, its fence, and the notifications of changes.

import { readCounters } from "#adapters/records/postgres/connection/counters.ts";
import {
  type Database,
  type Decision,
  READ_SNAPSHOT,
  type Statement,
  type TransactionOptions,
} from "#adapters/records/postgres/connection/database.ts";
import { addDecisions } from "#adapters/records/postgres/logs/decisions.ts";
import { addEvents } from "#adapters/records/postgres/logs/events.ts";
import { takeNames, takingNames } from "#adapters/records/postgres/names.ts";
import { limitReached } from "#adapters/records/shared/limits.ts";
import { changedEvent } from "#adapters/records/shared/logs/events.ts";
import type { Counters } from "#adapters/records/shared/memories/change-feed.ts";
import { namesOfRule } from "#adapters/records/shared/memories/names.ts";
import { toChangePage } from "#adapters/records/shared/policy/policy-changes.ts";
import { createMutex } from "#async/mutex.ts";
import { PortcullisError } from "#core/errors.ts";
import { type AccessRule, type LeafChange, policyFrom, type VersionedPolicy } from "#core/gate/policy.ts";
import { nextLink } from "#core/gate/policy-link.ts";
import type { NewEvent, PolicyChange, PolicyRecords, RecordLimits, Stamp } from "#ports.ts";
import { createFence } from "./fence.ts";
import { awaitLostSessions, fenceSessions } from "./fence-sessions.ts";
import { listenToChanges } from "./policy-listener.ts";
import {
  applyChanges,
  changedLeaf,
  lockPolicy,
  lockRemovals,
  noLeaf,
  notifyAll,
  type PolicyHead,
  readChanges,
  readChangesFrom,
  readHead,
  readPolicy,
  recordMove,
} from "./statements.ts";

export interface FencedPolicy {
  readonly records: PolicyRecords;
  /**
   * Removes memories behind the fence: runs `reads` when nobody else can, and then the statements that `decide` makes of
   * their rows, in one transaction. Then calls the listeners, in every process, if it was a change.
   */
  alone<T>(
    reads: readonly Statement[],
    decide: (rows: readonly (readonly unknown[])[]) => Decision<T> & { readonly isChange: boolean },
  ): Promise<T>;
  /** Makes a change behind the fence, in one transaction. Then calls the listeners. Answers with the policy's version. */
  change(wanted: WantedChange, stamp: Stamp, options?: TransactionOptions): Promise<number>;
  /** Ends the listener and the sessions of the fence. */
  close(): Promise<void>;
}

interface WantedChange {
  /** The version to go beyond, if that is greater than the policy's own. */
  readonly past?: number;
  /** Reads the changes of leaves, when nobody else can change the policy any more. */
  readonly changed: Statement;
  /** To run in the same transaction, before the fence is taken. */
  readonly before?: readonly Statement[];
  /** And together with the change. */
  readonly after?: readonly Statement[] | ((version: number) => readonly Statement[]);
  /** What is recorded as events, for the changes that are made. */
  readonly events: (changes: readonly LeafChange[], version: number) => readonly NewEvent[];
}

const READ_VERSIONED: readonly Statement[] = [readCounters, readPolicy];

/** From the rows of `READ_VERSIONED`. */
function toVersioned([counters, rules]: readonly unknown[][]): VersionedPolicy {
  return { policy: policyFrom(rules as AccessRule[]), version: (counters as Counters[])[0]?.policy ?? 0 };
}

export function policyRecords(database: Database, limits: RecordLimits): FencedPolicy {
  const sessions = fenceSessions(database);
  const fence = createFence(sessions);
  const mutex = createMutex();
  const listeners: (() => void)[] = [];
  let listening: ReturnType<typeof listenToChanges> | undefined;

  function notify(): void {
    for (const listener of listeners) listener();
  }

  /** One change at a time: each may wait long for the fence, and waiting ones must not take up all connections. */
  const change: FencedPolicy["change"] = async (wanted, stamp, options) => {
    const { changed, before = [], after = [], events, past = 0 } = wanted;
    const reads = [...before, lockPolicy, awaitLostSessions, changed, readHead];
    const outcome = await mutex("policy", () =>
      database.readThenWrite<PolicyHead | PortcullisError>(
        reads,
        (rows) => {
          const [changes, [head]] = rows.slice(-2) as [LeafChange[], [PolicyHead]];
          const next = headAfter(head, changes, limits, past);
          if (next instanceof PortcullisError) return { statements: [ROLLBACK], outcome: next };
          const applied = changes.length === 0 ? [] : [applyChanges(changes, next, stamp)];
          const decided = addDecisions([stamp.decision]);
          return {
            statements: [
              ...applied,
              ...(typeof after === "function" ? after(next.version) : after),
              ...decided,
              ...addEvents(events(changes, next.version)),
            ],
            outcome: next,
          };
        },
        options,
      ),
    );
    if (outcome instanceof PortcullisError) throw outcome;
    // Our own listeners learn of it here, also while notifications do not arrive.
    notify();
    return outcome.version;
  };

  const alone: FencedPolicy["alone"] = async (reads, decide) => {
    let isChange = false;
    const outcome = await mutex("policy", () =>
      database.readThenWrite([lockRemovals, lockPolicy, awaitLostSessions, ...reads], (rows) => {
        const { statements, ...decided } = decide(rows);
        isChange = decided.isChange;
        return { statements: isChange ? [...statements, notifyAll] : statements, outcome: decided.outcome };
      }),
    );
    if (isChange) notify();
    return outcome;
  };

  const records: PolicyRecords = {
    current: async () => toVersioned(await database.transaction(READ_VERSIONED, { begin: READ_SNAPSHOT })),
    version: async () => (await database.row<Counters>(readCounters))?.policy ?? 0,
    async set(rule, stamp) {
      const names = namesOfRule(rule);
      const events: WantedChange["events"] = (changes, version) =>
        changes.map((each) => changedEvent(each, version, stamp.at));
      const wanted = { changed: changedLeaf(rule), after: takeNames(names), events };
      return { version: await takingNames(database, names, () => change(wanted, stamp)) };
    },
    async moveBeyond(past, { gateId, after }, stamp) {
      const moved = (version: number) => [recordMove(gateId, version, after)];
      await change({ changed: noLeaf, past, after: moved, events: () => [] }, stamp);
    },
    changesFrom: (from, limit) => database.rows<PolicyChange>(readChangesFrom(from, limit)),
    changes: async (query) => toChangePage(await database.rows<PolicyChange>(readChanges(query)), query),
    passFence: fence.pass,
    onChange(listener) {
      listeners.push(listener);
      listening ??= listenToChanges(database.client, notify);
    },
  };
  return {
    records,
    change,
    alone,
    close() {
      listening?.close();
      return sessions.close();
    },
  };
}

const ROLLBACK: Statement = { text: "ROLLBACK" };

/** The policy's head after these changes, or the refusal when it would have too many leaves. */
function headAfter(
  head: PolicyHead,
  changes: readonly LeafChange[],
  limits: RecordLimits,
  past: number,
): PolicyHead | PortcullisError {
  if (changes.length === 0) return head;
  // The change of no leaf adds one and removes one.
  const added = changes.filter(({ from }) => from === null).length - changes.filter(({ to }) => to === null).length;
  const leaves = head.leaves + added;
  if (added > 0 && leaves > limits.policyLeaves) return limitReached("policyLeaves", limits);
  const version = Math.max(head.version, past) + 1;
  return { version, leaves, link: nextLink(head.link, version, changes) };
}
