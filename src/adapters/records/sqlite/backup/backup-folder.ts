// A backup: a folder with a copy of the database, the local ledger's key if it has a file, and a description. Without
// the key a restored service could not go on with its ledger.
import { existsSync } from "node:fs";
import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { copyPrivately, finish, publish, sync } from "#adapters/durable-files.ts";
import { APPLICATION_ID } from "#adapters/records/sqlite/connection/files/foreign-file.ts";
import { configurationError, PortcullisError } from "#core/errors.ts";
import { copyDatabase, type OnCopied } from "./copy-database.ts";
import { numberFrom } from "./with-database.ts";

export const backupFiles = (folder: string) => ({
  database: join(folder, "records.db"),
  key: join(folder, "ledger.key"),
  description: join(folder, "backup.json"),
});

export interface BackupDescription {
  /** Every write that was acknowledged before this time is in the backup. */
  readonly takenAt: string;
  readonly version: string;
  readonly schema: number;
  readonly policyVersion: number;
}

export interface BackupOrder {
  /** The database file. A service may be writing to it. */
  readonly path: string;
  readonly keyPath?: string | undefined;
  readonly folder: string;
  readonly version: string;
  /** A further check of the copy, before it gets its name. */
  readonly check?: ((files: ReturnType<typeof backupFiles>) => Promise<void>) | undefined;
  readonly onCopied?: OnCopied | undefined;
}

/** Takes a backup. The folder appears when it is complete. */
export async function takeBackup(order: BackupOrder): Promise<BackupDescription> {
  const { path, keyPath, version, check, onCopied } = order;
  const folder = resolve(order.folder);
  if (existsSync(folder)) throw configurationError(`${folder} exists already. Name a new folder.`);
  describeDatabase(path);
  const partial = `${folder}.partial-${process.pid}`;
  const files = backupFiles(partial);
  await mkdir(partial, { mode: 0o700 }).catch((cause) => {
    throw configurationError(`${folder} cannot be made. Name a folder in one that exists and can be written.`, cause);
  });
  try {
    const takenAt = new Date().toISOString();
    await copyDatabase({ from: path, to: files.database }, onCopied);
    await finish(files.database);
    const { hasLedger, ...described } = describeDatabase(files.database);
    // After the database: the key is older than the first entry of the ledger's log.
    if (keyPath !== undefined && existsSync(keyPath)) await copyPrivately(keyPath, files.key);
    else if (keyPath !== undefined && hasLedger)
      throw configurationError(
        `${keyPath} is missing, and the database has anchors that were signed with it. Put it back first.`,
      );
    await check?.(files);
    const description: BackupDescription = { takenAt, version, ...described };
    await writeFile(files.description, `${JSON.stringify(description, null, 2)}\n`);
    await finish(files.description);
    await sync(partial);
    await publish(partial, folder);
    return description;
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}

/** Reads and checks a backup, before anything is replaced by it. */
export async function readBackup(folder: string): Promise<BackupDescription> {
  const files = backupFiles(folder);
  const text = await readFile(files.description, "utf8").catch((cause) => {
    throw configurationError(`${folder} is not a backup: it has no backup.json.`, cause);
  });
  const { takenAt, version }: BackupDescription = JSON.parse(text);
  const { hasLedger, ...described } = describeDatabase(files.database);
  return { takenAt, version, ...described };
}

/** The copy that was kept before an upgrade, as a backup without a key: the key of the ledger stays where it is. */
export async function readCopyBeforeUpgrade(path: string): Promise<BackupDescription> {
  const { hasLedger, ...described } = describeDatabase(path);
  const { mtime } = await stat(path);
  return { takenAt: mtime.toISOString(), version: `schema ${described.schema}`, ...described };
}

function describeDatabase(path: string) {
  const database = open(path);
  try {
    const number = (sql: string) => numberFrom(database, sql);
    const isOurs = number("PRAGMA application_id") === APPLICATION_ID;
    if (!isOurs) throw configurationError(`${path} is another program's database.`);
    return {
      schema: number("PRAGMA user_version"),
      policyVersion: number("SELECT value FROM counters WHERE name = 'policy'"),
      hasLedger: number("SELECT count(*) FROM (SELECT 1 FROM ledger_log LIMIT 1)") > 0,
    };
  } catch (error) {
    if (error instanceof PortcullisError) throw error;
    throw configurationError(`${path} is not a database of Portcullis.`, error);
  } finally {
    database.close();
  }
}

function open(path: string): DatabaseSync {
  try {
    return new DatabaseSync(path, { readOnly: true });
  } catch (cause) {
    throw configurationError(`${path} cannot be opened.`, cause);
  }
}
