import type { DatabaseSync } from "node:sqlite";
import { type Counters, readCounters } from "#adapters/records/shared/policy/policy-statements.ts";
import type { Connection } from "./connection.ts";
import type { Runner } from "./sqlite-database.ts";

/** Of how many tenants. */
const MOST_MIRRORED = 10_000;

/**
 * The counters of a tenant, from a mirror in memory: for the fence, which every chat passes twice.
 *
 * The mirror cannot be out of date. It holds until the next commit, whoever makes it, and a read fills it only outside of
 * transactions. Where nobody can tell whether there was a commit, there is no mirror.
 */
export function counterMirror(
  database: Pick<DatabaseSync, "isTransaction">,
  lastCommit: Connection["lastCommit"],
  { run }: Pick<Runner, "run">,
): (tenant: number) => Counters {
  const read = (tenant: number) => run<Counters>({ ...readCounters, tenant })[0] as Counters;
  const mirror = new Map<number, Counters>();
  let mirroredAt: string | undefined;

  return (tenant) => {
    const commit = database.isTransaction ? undefined : lastCommit();
    if (commit === undefined) return read(tenant);
    if (commit !== mirroredAt || mirror.size >= MOST_MIRRORED) mirror.clear();
    mirroredAt = commit;
    const counters = mirror.get(tenant) ?? read(tenant);
    mirror.set(tenant, counters);
    return counters;
  };
}
