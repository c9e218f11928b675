import {
  digestsByNamespace,
  SNAPSHOTS_KEPT,
  type SnapshotRow,
} from "#adapters/records/shared/memories/snapshot-register.ts";
import type { SnapshotRegister } from "#ports.ts";
import type { Connection } from "./connection/connection.ts";

export function snapshotRegister({ database, read, write }: Connection): SnapshotRegister {
  // A snapshot that is on record already becomes the newest.
  const insert = database.prepare("INSERT OR REPLACE INTO index_snapshots (namespace, digest) VALUES (?, ?)");
  const trim = database.prepare(
    `DELETE FROM index_snapshots WHERE namespace = :namespace AND number NOT IN
       (SELECT number FROM index_snapshots WHERE namespace = :namespace ORDER BY number DESC LIMIT ${SNAPSHOTS_KEPT})`,
  );
  const remove = database.prepare("DELETE FROM index_snapshots WHERE namespace = ?");
  const all = database.prepare("SELECT namespace, digest FROM index_snapshots");
  return {
    add: (namespace, digest) =>
      write(() => {
        insert.run(namespace, digest);
        trim.run({ namespace });
      }),
    remove: (namespace) => write(() => void remove.run(namespace)),
    all: () => read(() => digestsByNamespace(all.all() as unknown as SnapshotRow[])),
  };
}
