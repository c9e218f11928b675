import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Counters, readCounters } from "#adapters/records/shared/policy/policy-statements.ts";
import { counterMirror } from "#adapters/records/sqlite/sqlite-records.ts";
import { guardFiles } from "./connection/files/file-guard.ts";
import { openDatabase } from "./connection/open.ts";
import { statementRunner } from "./connection/sqlite-database.ts";
import { createWriteQueue } from "./connection/write-queue.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portcullis-counters-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const refusal = new Error("refused");

function countersOf(database: DatabaseSync, lastCommit: () => string | undefined = () => undefined) {
  const runner = statementRunner(database, () => new Date());
  const all = () => runner.run<Counters>({ ...readCounters, tenant: 1 })[0] as Counters;
  const text = "UPDATE counters SET value = value + 1 WHERE tenant = $tenant AND name = $1";
  return {
    mirrored: counterMirror(database, lastCommit, runner),
    all,
    advance: (name: keyof Counters) => void runner.run({ text, values: [name], tenant: 1 }),
  };
}

function openGuarded() {
  const path = join(folder, "records.db");
  const database = openDatabase(path);
  const { lastCommit, release } = guardFiles({ path });
  return { path, database, lastCommit, close: () => [database.close(), release()] };
}

test("the mirror is what is on record, whichever writes were committed, refused or rolled back", async () => {
  const { database, lastCommit, close } = openGuarded();
  const counters = countersOf(database, lastCommit);
  const commits = createWriteQueue(database);
  const name = fc.constantFrom<keyof Counters>("memory", "policy");
  const step = fc.oneof(
    fc.record({ kind: fc.constant("write"), name, isRefused: fc.boolean() }),
    fc.record({ kind: fc.constant("roll back"), name, isRefused: fc.constant(false) }),
    fc.record({ kind: fc.constant("read"), name, isRefused: fc.constant(false) }),
  );
  const run = fc.asyncProperty(fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 8 }), async (groups) => {
    for (const group of groups) {
      const writes = group.map(async ({ kind, name, isRefused }) => {
        if (kind === "read") return void counters.mirrored(1);
        if (kind === "roll back") {
          database.exec("BEGIN");
          counters.advance(name);
          expect(counters.mirrored(1)).toEqual(counters.all());
          return database.exec("ROLLBACK");
        }
        await commits.write(() => {
          counters.advance(name);
          expect(counters.mirrored(1)).toEqual(counters.all());
          if (isRefused) throw refusal;
        });
      });
      await Promise.allSettled(writes);
      expect(counters.mirrored(1)).toEqual(counters.all());
    }
  });
  await fc.assert(run, { numRuns: 30 });
  close();
});

test("the mirror holds until somebody commits, here or elsewhere, and also when the log begins anew", () => {
  const { path, database, lastCommit, close } = openGuarded();
  const other = openDatabase(path);
  const counters = countersOf(database, lastCommit);
  const others = countersOf(other);
  expect(counters.mirrored(1)).toEqual({ memory: 0, removal: 0, policy: 0 });
  expect(counters.mirrored(1)).toBe(counters.mirrored(1));
  for (let policy = 1; policy < 9; policy++) {
    if (policy % 3 === 0) other.exec("PRAGMA wal_checkpoint(TRUNCATE)");
    if (policy % 2 === 0) counters.advance("policy");
    else others.advance("policy");
    expect(counters.mirrored(1).policy).toBe(policy);
    other.exec("BEGIN");
    others.advance("policy");
    expect(counters.mirrored(1).policy).toBe(policy);
    other.exec("ROLLBACK");
    expect(counters.mirrored(1)).toBe(counters.mirrored(1));
  }
  other.close();
  close();
});

test("there is no mirror where nobody can tell whether there was a commit", () => {
  const path = join(folder, "records.db");
  const [database, other] = [openDatabase(path), openDatabase(path)];
  const counters = countersOf(database);
  expect(counters.mirrored(1).memory).toBe(0);
  countersOf(other).advance("memory");
  expect(counters.mirrored(1).memory).toBe(1);
  database.close();
  other.close();
});
