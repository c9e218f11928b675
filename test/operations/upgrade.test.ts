// Upgrade of a database of the last release, and the way back.
import { existsSync, statSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { RELEASED, RELEASED_SCHEMA, writeReleasedDatabase } from "#test/support/released-database.ts";
import { runCommand } from "#test/support/run-command.ts";
import { directoryForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

async function releasedDatabase() {
  const directory = await directoryForTest();
  const path = join(directory, "records.db");
  writeReleasedDatabase(path);
  return { directory, path, copy: `${path}.schema-${RELEASED_SCHEMA}` };
}

/** On the local ledger of that database. */
const FORMER_RECEIPT = "0x32ea6478db0347e449f9dc63a7d5e6d71454afe6f032bd2ddcfb960d1b49e153";

const schemaOf = (path: string): number => {
  const database = new DatabaseSync(path, { readOnly: true });
  const version = database.prepare("PRAGMA user_version").get()?.user_version;
  database.close();
  return Number(version);
};

describe("an SQLite file of the last release", () => {
  test("is upgraded at the start, has all its records, and the old file is kept beside it", async () => {
    const { directory, path, copy } = await releasedDatabase();
    const service = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: path });
    expect(await service.logged("checked")).toMatchObject({ memories: RELEASED.memories });
    await service.ready();
    await service.kill("SIGTERM");
    expect(schemaOf(path)).toBeGreaterThan(RELEASED_SCHEMA);
    expect(schemaOf(copy)).toBe(RELEASED_SCHEMA);
    expect(statSync(copy).mode & 0o077).toBe(0);

    const checked = await runCommand("fsck", ["--json"], { DATABASE_URL: path });
    expect(JSON.parse(checked.out)).toMatchObject({ ...RELEASED, differences: [] });
  });

  test("keeps the receipts of its ledger as what they were, and anchors on a gate of the new module", async () => {
    const { directory, path } = await releasedDatabase();
    // A request that the former release left behind.
    const before = new DatabaseSync(path, { enableForeignKeyConstraints: false });
    before.exec(`INSERT INTO chain_requests (agent_id, blob_id, digest, claimed, issued, requested_at)
      SELECT agent_id, blob_id, digest, '["diet"]', issued, requested_at FROM chain_requests LIMIT 1`);
    before.close();
    const service = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: path });
    const url = await service.ready();
    const client = createClient({ baseUrl: url, fetch: fetchWithoutKeepAlive });
    const typeOf = async (objectId: string) => (await client.ledgerObject({ objectId })).type;

    const { packageId, formerPackageId } = await client.getLedger();
    const former = await client.verify({ receiptId: FORMER_RECEIPT });
    expect(former).toMatchObject({ verdict: "verified", chain: { issued: true, policyVersion: "13" } });
    expect(former.chain).not.toHaveProperty("closedAtMs");
    expect(await typeOf(FORMER_RECEIPT)).toBe(`${formerPackageId}::gate::Receipt`);

    const [newest] = (await client.listReceipts({ limit: 1 })).receipts;
    const { answerId = "", evidence } = newest?.receipt ?? {};
    const anchored = await client.anchorOnChain({ answerId });
    expect(anchored.allAuthorized).toBe(true);
    const { chain } = await client.verify({ receiptId: anchored.receiptId });
    expect(chain).toMatchObject({ policyVersion: String(evidence?.policyVersion), closedAtMs: expect.any(Number) });
    expect(await typeOf(anchored.receiptId)).toBe(`${packageId}::gate::Receipt`);
    await expect.poll(async () => (await client.getOverview()).anchors.pending).toBe(0);
    const { transactions } = await client.ledgerTransactions();
    expect(transactions.filter(({ sequence }) => sequence === 0)).toHaveLength(2);
    await service.kill("SIGTERM");

    const checked = await runCommand("fsck", ["--json"], { DATABASE_URL: path });
    expect(JSON.parse(checked.out)).toMatchObject({ differences: [] });
    const after = new DatabaseSync(path, { readOnly: true });
    const versions = after.prepare("SELECT ledger_version AS version FROM chain_anchors ORDER BY anchored_at").all();
    after.close();
    // That of the former ledger, which counted for itself, and then ours: that of the request left behind among them.
    expect(versions.map(({ version }) => Number(version))).toEqual([13, expect.any(Number), expect.any(Number)]);
  });

  test("is not copied when BACKUP_BEFORE_UPGRADE is false, nor when it has the newest schema", async () => {
    const { path, copy } = await releasedDatabase();
    const environment = { DATABASE_URL: path, BACKUP_BEFORE_UPGRADE: "false" };
    expect((await runCommand("fsck", [], environment)).code).toBe(0);
    expect((await runCommand("fsck", [], { DATABASE_URL: path })).code).toBe(0);
    expect(existsSync(copy)).toBe(false);
  });

  test.skipIf(process.getuid?.() === 0)("is left alone when no copy can be kept (not as root)", async () => {
    const { directory, path } = await releasedDatabase();
    await chmod(directory, 0o500);
    const service = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: path });
    expect((await service.exited).code).toBe(1);
    await chmod(directory, 0o700);
    expect(schemaOf(path)).toBe(RELEASED_SCHEMA);
  });

  test("goes back by a restore of its backup", async () => {
    const { directory, path } = await releasedDatabase();
    const backup = join(directory, "backup");
    expect((await runCommand("backup", [backup], { DATABASE_URL: path })).code).toBe(0);
    expect(schemaOf(path)).toBe(RELEASED_SCHEMA);
    expect((await runCommand("fsck", [], { DATABASE_URL: path })).code).toBe(0);
    expect(schemaOf(path)).toBeGreaterThan(RELEASED_SCHEMA);
    expect((await runCommand("restore", [backup, "--replace"], { DATABASE_URL: path })).code).toBe(0);
    expect(schemaOf(path)).toBe(RELEASED_SCHEMA);
  });
});
