import type { DatabaseSync } from "node:sqlite";
import { type Counters, readCounters } from "#adapters/records/shared/policy/policy-statements.ts";
import type { Runner } from "./sqlite-database.ts";

/** The counters from a mirror in memory, as far as there can be one. For the fence, which every chat passes twice. */
export interface CounterMirror {
  mirrored(): Counters;
  /** Called by the statement that changes a counter, before its transaction ends. */
  drop(): void;
  /** Runs `job`, which may advance the counters on another connection. */
  whileOthersWrite<T>(job: () => Promise<T>): Promise<T>;
}

/**
 * `isOnlyWriter` says that nobody else advances the counters of this file, except during `whileOthersWrite`. Only then is
 * there a mirror.
 *
 * The mirror cannot be out of date. It is dropped by the statement that advances a counter, before the transaction ends,
 * and a read fills it again only outside of transactions. So it does not matter whether that transaction is committed,
 * rolled back, or broken off by a failure. A program that writes to the file all the same is noticed by SQLite's own count
 * of others' commits.
 */
export function counterMirror(
  database: Pick<DatabaseSync, "isTransaction" | "prepare">,
  run: () => Runner["run"],
  { isOnlyWriter = false }: { isOnlyWriter?: boolean } = {},
): CounterMirror {
  const all = () => run()<Counters>(readCounters)[0] as Counters;
  const othersCommits = database.prepare("PRAGMA data_version");
  let mirror: Counters | undefined;
  let mirroredAt: unknown;
  let otherWriters = 0;

  return {
    mirrored() {
      if (!isOnlyWriter || otherWriters > 0 || database.isTransaction) return all();
      const commits = othersCommits.get()?.data_version;
      if (commits !== mirroredAt) mirror = undefined;
      mirroredAt = commits;
      mirror ??= all();
      return mirror;
    },
    drop() {
      mirror = undefined;
    },
    async whileOthersWrite(job) {
      mirror = undefined;
      otherWriters += 1;
      try {
        return await job();
      } finally {
        otherWriters -= 1;
      }
    },
  };
}
