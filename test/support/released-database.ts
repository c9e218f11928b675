// A database as the released version 0.1.0 left it, with the key of its local ledger. Never edit its files: they show that
// databases in use can be upgraded.
import { chmodSync, copyFileSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { DatabaseSync } from "node:sqlite";

const FOLDER = new URL("../vectors/release-0.1.0/", import.meta.url);

/** The schema of that version. */
export const RELEASED_SCHEMA = 13;
/** What is on record in it. */
export const RELEASED = { memories: 26, receipts: 7, anchors: 2, policyVersion: 5 };

/** That version had the ledger's key in the same folder. */
export function writeReleasedDatabase(path: string): void {
  const keyPath = join(dirname(path), "ledger.key");
  const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
  database.exec(`PRAGMA journal_mode = WAL; BEGIN; ${readFileSync(new URL("records.sql", FOLDER), "utf8")} COMMIT`);
  database.close();
  copyFileSync(new URL("ledger.key", FOLDER), keyPath);
  chmodSync(keyPath, 0o600);
}
