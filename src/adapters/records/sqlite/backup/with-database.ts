import { DatabaseSync, type DatabaseSyncOptions } from "node:sqlite";

/** Opens the file for this work alone. */
export function withDatabase<T>(path: string, options: DatabaseSyncOptions, work: (database: DatabaseSync) => T): T {
  const database = new DatabaseSync(path, options);
  try {
    return work(database);
  } finally {
    database.close();
  }
}

/** The first column of the first row. */
export const numberFrom = (database: DatabaseSync, sql: string): number =>
  Number(Object.values(database.prepare(sql).get() ?? {})[0]);
