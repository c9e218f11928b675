// What the server's settings leave to chance: an acknowledged write that a crash or a failover loses. A lost revoke is
// the worst of them.
import type { Database, Statement } from "./database.ts";

interface Settings {
  readonly fsync: string;
  readonly commit: string;
  readonly synchronousStandbys: string;
  readonly standbys: number;
}

// Everybody may count the rows of pg_stat_replication. A backup is a row, too.
const READ_SETTINGS: Statement = {
  text: `SELECT current_setting('fsync') AS fsync, current_setting('synchronous_commit') AS commit,
      current_setting('synchronous_standby_names') AS "synchronousStandbys",
      (SELECT count(*) FROM pg_stat_replication WHERE state IS DISTINCT FROM 'backup') AS standbys`,
  values: [],
};

/** A sentence for the operator, or undefined. The settings are those of our own sessions (`prepareSession`). */
export async function durabilityWarning(database: Pick<Database, "row">): Promise<string | undefined> {
  const settings = await database.row<Settings>(READ_SETTINGS);
  return settings && warningFor(settings);
}

function warningFor({ fsync, commit, synchronousStandbys, standbys }: Settings): string | undefined {
  if (fsync === "off")
    return "PostgreSQL runs with fsync = off: a revoke that was acknowledged may be lost when the server crashes. Set fsync = on.";
  if (commit === "local" || commit === "remote_write")
    return `PostgreSQL runs with synchronous_commit = ${commit}: a revoke that was acknowledged may be lost at a failover. Set synchronous_commit = on.`;
  if (standbys > 0 && synchronousStandbys === "")
    return "PostgreSQL has standbys, and none is synchronous: a revoke that was acknowledged may be lost at a failover. Set synchronous_standby_names.";
  return undefined;
}
