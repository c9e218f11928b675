import type { DatabaseSync } from "node:sqlite";
import { type Counters, readCounters } from "#adapters/records/shared/policy/policy-statements.ts";
import type { Runner } from "./sqlite-database.ts";

/** Of how many tenants. */
const MOST_MIRRORED = 10_000;

/** The counters from a mirror in memory, as far as there can be one. For the fence, which every chat passes twice. */
export interface CounterMirror {
  mirrored(tenant: number): Counters;
  /** Called by the statement that changes a counter, before its transaction ends. Of all tenants, if it is not said. */
  drop(tenant?: number): void;
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
  const read = (tenant: number) => run()<Counters>({ ...readCounters, tenant })[0] as Counters;
  const othersCommits = database.prepare("PRAGMA data_version");
  const mirror = new Map<number, Counters>();
  let mirroredAt: unknown;
  let otherWriters = 0;

  return {
    mirrored(tenant) {
      if (!isOnlyWriter || otherWriters > 0 || database.isTransaction) return read(tenant);
      const commits = othersCommits.get()?.data_version;
      if (commits !== mirroredAt || mirror.size >= MOST_MIRRORED) mirror.clear();
      mirroredAt = commits;
      const counters = mirror.get(tenant) ?? read(tenant);
      mirror.set(tenant, counters);
      return counters;
    },
    drop(tenant) {
      if (tenant === undefined) mirror.clear();
      else mirror.delete(tenant);
    },
    async whileOthersWrite(job) {
      mirror.clear();
      otherWriters += 1;
      try {
        return await job();
      } finally {
        otherWriters -= 1;
      }
    },
  };
}
