// Puts a backup in the place of a database. What was there is kept under another name.
import { existsSync, realpathSync, statSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { copyPrivately, finish, publish, sync } from "#adapters/durable-files.ts";
import { newestSchema, requireSchema } from "#adapters/records/shared/database/schema-change.ts";
import { giveOwnerOf, preparePrivateFolder } from "#adapters/records/sqlite/connection/files/private-files.ts";
import { lockForServing } from "#adapters/records/sqlite/connection/files/process-lock.ts";
import { MIGRATIONS } from "#adapters/records/sqlite/connection/open.ts";
import { configurationError } from "#core/errors.ts";
import { type BackupDescription, backupFiles, readBackup, readCopyBeforeUpgrade } from "./backup-folder.ts";
import { type ChangesSinceBackup, endSessions, keepKeys, readChanges } from "./changes-since-backup.ts";

export interface RestoreOrder {
  /** The folder of a backup, or the file that was kept before an upgrade. */
  readonly source: string;
  readonly path: string;
  readonly keyPath?: string | undefined;
  readonly replace: boolean;
  readonly now: Date;
}

export interface Restored extends BackupDescription {
  /** Where the database that was there is now. */
  readonly replaced?: string;
  /** What the restore undoes, and what of it was kept. Absent when nothing was replaced, or it could not be read. */
  readonly changes?: ChangesSinceBackup | undefined;
}

export async function restoreBackup(order: RestoreOrder): Promise<Restored> {
  const { source, keyPath, replace, now } = order;
  const path = existsSync(order.path) ? realpathSync(order.path) : resolve(order.path);
  const isFile = statSync(source, { throwIfNoEntry: false })?.isFile() === true;
  const backup = isFile ? await readCopyBeforeUpgrade(source) : await readBackup(source);
  const files = isFile ? { database: source } : backupFiles(source);
  requireSchema("upgrade", { name: source, schema: backup.schema, newest: newestSchema(MIGRATIONS) });
  const key = "key" in files && existsSync(files.key) ? files.key : undefined;
  if (key !== undefined && keyPath === undefined)
    throw configurationError(
      "This backup has a key of the local ledger, and SUI_NETWORK is set. Set none of SUI_* to restore it.",
    );
  const exists = existsSync(path);
  if (exists && !replace) throw configurationError(`${path} exists. Use --replace to put the backup in its place.`);

  // A service that runs holds this lock.
  const lock = exists ? lockForServing(path) : undefined;
  try {
    preparePrivateFolder(dirname(path));
    const [fresh, freshKey] = [`${path}.restoring`, `${keyPath}.restoring`];
    for (const suffix of ["", "-wal", "-shm"]) await rm(`${fresh}${suffix}`, { force: true });
    await copyPrivately(files.database, fresh);
    if (key !== undefined) await copyPrivately(key, freshKey);

    const suffix = `.replaced-${now.toISOString().replaceAll(/[-:]|\.\d+/g, "")}`;
    const changes = exists ? readChanges(path, fresh) : undefined;
    if (changes !== undefined) keepKeys(path, fresh);
    endSessions(fresh);
    // Root's commands must not lock the user out that the service runs as.
    for (const made of [fresh, ...(key === undefined ? [] : [freshKey])])
      giveOwnerOf(exists ? path : dirname(path), made);
    await finish(fresh);
    if (exists) await setAside(path, suffix);
    if (!isFile && keyPath !== undefined && existsSync(keyPath)) await rename(keyPath, `${keyPath}${suffix}`);
    if (key !== undefined) await rename(freshKey, `${keyPath}`);
    await sync(dirname(path));
    await publish(fresh, path);
    return { ...backup, changes, ...(exists && { replaced: `${path}${suffix}` }) };
  } finally {
    lock?.release();
  }
}

/** The log of the old database belongs to it, and would damage the new one. */
async function setAside(path: string, suffix: string): Promise<void> {
  await rename(path, `${path}${suffix}`);
  if (existsSync(`${path}-wal`)) await rename(`${path}-wal`, `${path}${suffix}-wal`);
  await rm(`${path}-shm`, { force: true });
}
