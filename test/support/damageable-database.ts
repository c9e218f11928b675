// Databases to be damaged: as a service has filled them, with a way around the service, and as before when that is over.
import { copyFile, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { freshDatabase } from "./postgres/databases.ts";

export interface RecordsCopy {
  readonly url: string;
  /** Runs SQL behind the service's back, with no regard for references. */
  damage(sql: string): Promise<void>;
  remove(): Promise<void>;
}

export interface RecordsWorld {
  /** What the first service is to be started with. */
  readonly url: string;
  /** As the first service has left it. One at a time. */
  copy(): Promise<RecordsCopy>;
  remove(): Promise<void>;
}

export async function sqliteWorld(): Promise<RecordsWorld> {
  const folder = await mkdtemp(join(tmpdir(), "portcullis-world-"));
  const url = join(folder, "records.db");
  let copies = 0;
  return {
    url,
    async copy() {
      const path = join(folder, `copy-${++copies}.db`);
      await copyFile(url, path);
      return {
        url: path,
        async damage(sql) {
          const database = new DatabaseSync(path, { enableForeignKeyConstraints: false });
          database.exec(sql);
          database.close();
        },
        remove: () => rm(path, { force: true }),
      };
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** To copy a whole database takes a second. So there is one copy, and what was damaged in it is put back afterwards. */
export async function postgresWorld(): Promise<RecordsWorld> {
  const { url, run, drop } = await freshDatabase();
  let tables: string[] | undefined;

  async function keep(): Promise<string[]> {
    const rows = await run("SELECT tablename FROM pg_tables WHERE schemaname = 'portcullis'");
    const names = rows.map(({ tablename }) => String(tablename));
    await run(
      ["CREATE SCHEMA kept", ...names.map((name) => `CREATE TABLE kept.${name} AS TABLE portcullis.${name}`)].join(";"),
    );
    return names;
  }

  const behind = async (sql: string) => void (await run(`SET session_replication_role = replica; ${sql}`));
  const restored = (name: string) =>
    `DELETE FROM portcullis.${name}; INSERT INTO portcullis.${name} OVERRIDING SYSTEM VALUE TABLE kept.${name}`;
  return {
    url,
    async copy() {
      tables ??= await keep();
      return {
        url,
        damage: (sql) => behind(`SET search_path = portcullis; ${sql}`),
        remove: () => behind((tables ?? []).map(restored).join(";")),
      };
    },
    remove: drop,
  };
}
