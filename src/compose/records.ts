// The database that the configuration names, and what works on its files.
import { join } from "node:path";
import { archiveFolder } from "#adapters/archive/archive-folder.ts";
import { measuredCommits } from "#adapters/metrics/measured-ports.ts";
import type { SchemaChange } from "#adapters/records/shared/database/schema-change.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { Config } from "#config.ts";
import type { PortcullisError } from "#core/errors.ts";
import { DEFAULT_TENANT, type TenantRef } from "#core/identity/tenant.ts";
import type { Archive, DeploymentRecords, Metrics } from "#ports.ts";

export interface RecordEvents {
  /** Called with what the database's settings leave to chance. */
  readonly onDatabaseWarning?: ((message: string) => void) | undefined;
  /** Called once, when the files of the database were removed, replaced or overwritten. */
  readonly onStorageLost?: ((error: PortcullisError) => void) | undefined;
}

interface RecordOptions extends RecordEvents {
  /** Whether this process answers requests. Only one may, with an SQLite file. */
  readonly serves: boolean;
  /** What may change in the schema. The service upgrades it, and commands change nothing unless this says so. */
  readonly schemaChange?: SchemaChange;
  readonly metrics?: Metrics;
}

export async function recordsOf(
  { records, limits, diskReserveBytes }: Pick<Config, "records" | "limits" | "diskReserveBytes">,
  { serves, schemaChange = serves ? "upgrade" : "none", metrics, onStorageLost, onDatabaseWarning }: RecordOptions,
): Promise<DeploymentRecords> {
  const onCommit = metrics && measuredCommits(metrics);
  const options = { ...records, schemaChange, limits, onCommit };
  if ("path" in options)
    return sqliteRecords({ ...options, serves, reserveBytes: diskReserveBytes, onLost: onStorageLost });
  const { postgresRecords } = await import("#adapters/records/postgres/postgres-records.ts");
  return postgresRecords({ ...options, onWarning: onDatabaseWarning });
}

/** The archive of one run of pruning in a tenant. Those beside `default` have a folder each. */
export const archiveOf = ({ number, id }: TenantRef, folder: string, now: Date): Archive =>
  archiveFolder({ folder: number === DEFAULT_TENANT.number ? folder : join(folder, id), now });

export type { ChangesSinceBackup, NamedKey } from "#adapters/records/sqlite/backup/changes-since-backup.ts";

/** Backups of SQLite files, loaded for the commands that need them. */
export async function backups() {
  const [{ takeBackup }, { restoreBackup }] = await Promise.all([
    import("#adapters/records/sqlite/backup/backup-folder.ts"),
    import("#adapters/records/sqlite/backup/restore-backup.ts"),
  ]);
  return { takeBackup, restoreBackup };
}
