// Backup of PostgreSQL with its own tools, as docs/operate.md says, while the service runs.
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { prefixesOf, startWriters } from "#test/support/acknowledged-writers.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";

const hasTools = ["pg_dump", "pg_restore"].every((name) => spawnSync(name, ["--version"]).status === 0);

test.skipIf(!hasTools)(
  "pg_dump under load has every write acknowledged before it, is a prefix of the rest, and fsck finds it clean (skipped without pg_dump)",
  async ({ skip }) => {
    const { url } = await databaseForTest();
    const { client } = await serviceForTest({ database: url });
    const writers = startWriters(client);
    await expect.poll(() => writers.journal.answers.length).toBeGreaterThan(20);
    const before = structuredClone(writers.journal);
    const file = join(await directoryForTest(), "portcullis.dump");
    const dumped = await run("pg_dump", ["--format=custom", "--schema=portcullis", `--file=${file}`, url]);
    await writers.stop();
    if (dumped.err.includes("server version mismatch")) skip("pg_dump is older than the server");
    expect(dumped).toMatchObject({ code: 0 });

    const restored = await freshDatabase();
    onTestFinished(restored.drop);
    expect(await run("pg_restore", ["--no-owner", `--dbname=${restored.url}`, file])).toMatchObject({ code: 0 });
    const { client: copy, tenant } = await serviceForTest({ database: restored.url });
    const { memories, answers } = await prefixesOf(writers.journal, copy);
    expect(memories).toBeGreaterThanOrEqual(before.memories.length);
    expect(answers).toBeGreaterThanOrEqual(before.answers.length);
    expect((await copy.getPolicy()).version).toBeGreaterThanOrEqual(before.policy.at(-1)?.version ?? 0);
    const differences: unknown[] = [];
    await fsck(tenant, { onDifference: (difference) => differences.push(difference) });
    expect(differences).toEqual([]);
  },
);

async function run(command: string, args: readonly string[]) {
  const child = spawn(command, args, { stdio: ["ignore", "ignore", "pipe"] });
  let err = "";
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    err += text;
  });
  const [code] = await once(child, "close");
  return { code, err };
}
