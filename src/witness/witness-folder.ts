// What a witness has on disk: its key, its name, and the latest checkpoint of each log. Another key or a lost checkpoint
// would make it sign two trees, so nothing of it is ever replaced by something older.
import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject } from "node:crypto";
import { existsSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { configurationError } from "#core/errors.ts";
import { KEY_TYPES, type NoteKey } from "#core/log/signed-note.ts";
import type { WitnessState } from "./witness.ts";

const SCHEMA = `
  PRAGMA journal_mode = WAL;
  PRAGMA synchronous = FULL;
  CREATE TABLE IF NOT EXISTS witness (id INTEGER PRIMARY KEY CHECK (id = 1), name TEXT NOT NULL) STRICT;
  CREATE TABLE IF NOT EXISTS checkpoints (origin TEXT PRIMARY KEY, note TEXT NOT NULL) STRICT, WITHOUT ROWID`;
const BUSY_MS = 5_000;
const KEY_BYTES = 32;

/** Opens the folder of a witness, or makes it. A key belongs to one name: others would take two for two witnesses. */
export function openWitnessFolder(folder: string, name: string) {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const [records, keyFile] = [join(folder, "checkpoints.db"), join(folder, "witness-key.pem")];
  if (existsSync(keyFile) && !existsSync(records))
    throw configurationError(
      "This folder has a key and no checkpoints.db. A witness that forgot what it signed would sign another tree: make a new one.",
    );
  const database = new DatabaseSync(records, { timeout: BUSY_MS });
  database.exec(SCHEMA);
  database.prepare("INSERT INTO witness (id, name) VALUES (1, ?) ON CONFLICT DO NOTHING").run(name);
  const recorded = database.prepare("SELECT name FROM witness").get()?.name;
  if (recorded !== name) {
    database.close();
    throw configurationError(`This folder belongs to the witness ${recorded}. Another witness needs another folder.`);
  }
  const privateKey = readOrMakeKey(keyFile);
  const encoded = createPublicKey(privateKey).export({ format: "der", type: "spki" });
  const publicKey = Uint8Array.from(encoded.subarray(-KEY_BYTES));
  return {
    key: { name, type: KEY_TYPES.cosignature, publicKey } satisfies NoteKey,
    privateKey,
    state: stateIn(database),
    close: () => database.close(),
  };
}

function stateIn(database: DatabaseSync): WitnessState {
  const find = database.prepare("SELECT note FROM checkpoints WHERE origin = ?");
  const put = database.prepare(
    "INSERT INTO checkpoints (origin, note) VALUES (?, ?) ON CONFLICT (origin) DO UPDATE SET note = excluded.note",
  );
  const latest = (origin: string) => find.get(origin)?.note as string | undefined;
  return {
    latest,
    update(origin, decide) {
      database.exec("BEGIN IMMEDIATE");
      try {
        const { next, outcome } = decide(latest(origin));
        if (next !== undefined) put.run(origin, next);
        database.exec("COMMIT");
        return outcome;
      } catch (error) {
        if (database.isTransaction) database.exec("ROLLBACK");
        throw error;
      }
    },
  };
}

function readOrMakeKey(path: string): KeyObject {
  if (!existsSync(path)) {
    const { privateKey } = generateKeyPairSync("ed25519");
    const pem = privateKey.export({ format: "pem", type: "pkcs8" });
    writeFileSync(path, pem, { flag: "wx", mode: 0o600, flush: true });
  }
  return createPrivateKey(readFileSync(path));
}
