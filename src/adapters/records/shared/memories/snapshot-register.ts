import type { Database } from "#adapters/records/shared/sql/database.ts";
import type { SnapshotRegister } from "#ports.ts";

/** How many snapshots of one namespace are on record. Replicas make their own. */
const SNAPSHOTS_KEPT = 8;

// A snapshot that is on record already becomes the newest.
const DROP = "DELETE FROM index_snapshots WHERE tenant = $tenant AND namespace = $1 AND digest = $2";
const TRIM = `
  DELETE FROM index_snapshots WHERE tenant = $tenant AND namespace = $1 AND number NOT IN
    (SELECT number FROM index_snapshots WHERE tenant = $tenant AND namespace = $1 ORDER BY number DESC LIMIT ${SNAPSHOTS_KEPT})`;
const REMOVE = "DELETE FROM index_snapshots WHERE tenant = $tenant AND namespace = $1";
const ALL = "SELECT namespace, digest FROM index_snapshots WHERE tenant = $tenant";

export function snapshotRegister({ sql, rows, write }: Database): SnapshotRegister {
  const ADD = `
    INSERT INTO index_snapshots (tenant, number, namespace, digest)
    VALUES ($tenant, ${sql.next("index_snapshots", "number")}, $1, $2) ON CONFLICT DO NOTHING`;
  return {
    add: (namespace, digest) =>
      write(
        { text: DROP, values: [namespace, digest] },
        { text: ADD, values: [namespace, digest] },
        { text: TRIM, values: [namespace] },
      ),
    remove: (namespace) => write({ text: REMOVE, values: [namespace] }),
    async all() {
      const all = await rows<{ namespace: string; digest: string }>({ text: ALL, values: [] });
      const found = Map.groupBy(all, ({ namespace }) => namespace);
      return new Map([...found].map(([namespace, each]) => [namespace, new Set(each.map(({ digest }) => digest))]));
    },
  };
}
