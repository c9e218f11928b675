import {
  digestsByNamespace,
  SNAPSHOTS_KEPT,
  type SnapshotRow,
} from "#adapters/records/shared/memories/snapshot-register.ts";
import type { SnapshotRegister } from "#ports.ts";
import type { Database } from "./connection/database.ts";

// A snapshot that is on record already becomes the newest.
const INSERT = `
  INSERT INTO index_snapshots (namespace, digest) VALUES ($1, $2)
  ON CONFLICT (namespace, digest) DO UPDATE SET number = DEFAULT`;
const TRIM = `
  DELETE FROM index_snapshots WHERE namespace = $1 AND number NOT IN
    (SELECT number FROM index_snapshots WHERE namespace = $1 ORDER BY number DESC LIMIT ${SNAPSHOTS_KEPT})`;
const REMOVE = "DELETE FROM index_snapshots WHERE namespace = $1";
const ALL = "SELECT namespace, digest FROM index_snapshots";

export function snapshotRegister(database: Database): SnapshotRegister {
  return {
    async add(namespace, digest) {
      await database.transaction([
        { text: INSERT, values: [namespace, digest] },
        { text: TRIM, values: [namespace] },
      ]);
    },
    async remove(namespace) {
      await database.rows({ text: REMOVE, values: [namespace] });
    },
    all: async () => digestsByNamespace(await database.rows<SnapshotRow>({ text: ALL, values: [] })),
  };
}
