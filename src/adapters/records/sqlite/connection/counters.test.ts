import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Counters, readCounters } from "#adapters/records/shared/policy/policy-statements.ts";
import { counterMirror } from "./counters.ts";
import { openDatabase } from "./open.ts";
import { statementRunner } from "./sqlite-database.ts";
import { createWriteQueue } from "./write-queue.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "portcullis-counters-"));
});
afterEach(() => rmSync(folder, { recursive: true }));

const refusal = new Error("refused");

function countersOf(database: DatabaseSync, options?: { isOnlyWriter: boolean }) {
  const mirror = counterMirror(database, () => runner.run, options);
  const runner = statementRunner(database, () => new Date(), mirror.drop);
  const all = () => runner.run<Counters>({ ...readCounters, tenant: 1 })[0] as Counters;
  const text = "UPDATE counters SET value = value + 1 WHERE tenant = $tenant AND name = $1";
  return { ...mirror, all, advance: (name: keyof Counters) => void runner.run({ text, values: [name], tenant: 1 }) };
}

test("the mirror is what is on record, whichever writes were committed, refused or rolled back", async () => {
  const database = openDatabase(join(folder, "records.db"));
  const counters = countersOf(database, { isOnlyWriter: true });
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
  database.close();
});

test("what another connection writes is seen at once, during its work and afterwards", async () => {
  const path = join(folder, "records.db");
  const [database, other] = [openDatabase(path), openDatabase(path)];
  const counters = countersOf(database, { isOnlyWriter: true });
  const others = countersOf(other);
  expect(counters.mirrored(1)).toEqual({ memory: 0, removal: 0, policy: 0 });
  await counters.whileOthersWrite(async () => {
    expect(counters.mirrored(1).policy).toBe(0);
    others.advance("policy");
    expect(counters.mirrored(1).policy).toBe(1);
    others.advance("policy");
  });
  expect(counters.mirrored(1).policy).toBe(2);
  database.close();
  other.close();
});

test("there is no mirror for one who is not the only writer", () => {
  const path = join(folder, "records.db");
  const [database, other] = [openDatabase(path), openDatabase(path)];
  const counters = countersOf(database);
  expect(counters.mirrored(1).memory).toBe(0);
  countersOf(other).advance("memory");
  expect(counters.mirrored(1).memory).toBe(1);
  database.close();
  other.close();
});
