// Databases for fault injection: a service fills one, and a test damages copies of it with SQL, past the service.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freshDatabase } from "./postgres/databases.ts";

export interface DatabaseCopy {
  readonly url: string;
  /** Runs SQL, past the triggers. Foreign keys are not enforced. */
  damage(sql: string): Promise<void>;
  remove(): Promise<void>;
}

export interface DamageableDatabase {
  /** The original. The service that fills it must have stopped before the first copy is made. */
  readonly url: string;
  /** Copies the original. Only one copy exists at a time. */
  copy(): Promise<DatabaseCopy>;
  remove(): Promise<void>;
}

export async function damageableSqlite(): Promise<DamageableDatabase> {
  const folder = await mkdtemp(join(tmpdir(), "portcullis-damageable-"));
  const url = join(folder, "records.db");
  let copies = 0;
  return {
    url,
    async copy() {
      const path = join(folder, `copy-${++copies}.db`);
      await copyFile(url, path);
      await copyFile(`${url}.ledger-key`, `${path}.ledger-key`).catch(() => undefined);
      return {
        url: path,
        async damage(sql) {
          const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
          // As somebody does who edits the file by hand: triggers are gone for a moment.
          const triggers = database.prepare("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger'").all();
          const dropped = triggers.map(({ name }) => `DROP TRIGGER ${name}`);
          database.exec([...dropped, sql, ...triggers.map((trigger) => trigger.sql)].join(";"));
          database.close();
        },
        remove: () => rm(path, { force: true }),
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** PostgreSQL takes a second to copy a database. So the test damages the original, and `remove` restores its rows. */
export async function damageablePostgres(): Promise<DamageableDatabase> {
  const { url, run, drop } = await freshDatabase();
  let tables: string[] | undefined;

  async function backUp(): Promise<string[]> {
    const rows = await run("SELECT tablename FROM pg_tables WHERE schemaname = 'portcullis'");
    const names = rows.map(({ tablename }) => String(tablename));
    const backUps = names.map((name) => `CREATE TABLE backup.${name} AS TABLE portcullis.${name}`);
    await run(["CREATE SCHEMA backup", ...backUps].join(";"));
    return names;
  }

  const runUnchecked = async (sql: string) => void (await run(`SET session_replication_role = replica; ${sql}`));
  const restore = (name: string) =>
    `DELETE FROM portcullis.${name}; INSERT INTO portcullis.${name} OVERRIDING SYSTEM VALUE TABLE backup.${name}`;
  return {
    url,
    async copy() {
      tables ??= await backUp();
      return {
        url,
        damage: (sql) => runUnchecked(`SET search_path = portcullis; ${sql}`),
        remove: () => runUnchecked((tables ?? []).map(restore).join(";")),
      };
    },
    remove: drop,
  };
}
