// The last checkpoint of the log, in a file beside the database. It need not survive a crash of the machine: the database
// does, and only an older copy of it is to be noticed.
import { readFileSync, renameSync, writeFileSync } from "node:fs";
import type { PublishedCheckpoint } from "#ports.ts";

/** `database` is the path of the database. */
export function publishedCheckpoint(database: string): PublishedCheckpoint {
  const path = `${database}.log-checkpoint`;
  return {
    read() {
      try {
        return readFileSync(path, "utf8");
      } catch (error) {
        if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
        throw error;
      }
    },
    write(note) {
      writeFileSync(`${path}.new`, note, { mode: 0o600 });
      renameSync(`${path}.new`, path);
    },
  };
}
