// Upgrade of a database of the last release, and the way back.
import { existsSync, statSync } from "node:fs";
import { chmod } from "node:fs/promises";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
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
    expect(former.checks.flatMap(({ code }) => code ?? [])).toEqual([
      "evidence-former",
      "policy-unstated",
      "signature-absent",
    ]);
    expect(former).toMatchObject({ verdict: "unknown", chain: { issued: true, policyVersion: "13" } });
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
    await sqliteRecords({ path, serves: true, keepsCopy: false }).close();
    await sqliteRecords({ path, serves: true }).close();
    expect(schemaOf(path)).toBeGreaterThan(RELEASED_SCHEMA);
    expect(existsSync(copy)).toBe(false);
  });

  test.for([
    ["fsck"],
    ["prune", "--before", "2026-01-01", "--dry-run"],
    ["keys", "create", "--name", "ops", "--role", "admin"],
  ])(
    "is refused by %s, which changes nothing: a service of that version may be running",
    async ([name = "", ...args]) => {
      const { path, copy } = await releasedDatabase();
      const refused = await runCommand(name, args, { DATABASE_URL: path });
      expect(refused.code).toBeGreaterThan(0);
      expect(refused.err).toContain("older version of Portcullis");
      expect(schemaOf(path)).toBe(RELEASED_SCHEMA);
      expect(existsSync(copy)).toBe(false);
    },
  );

  test.skipIf(process.getuid?.() === 0)("is left alone when no copy can be kept (not as root)", async () => {
    const { directory, path } = await releasedDatabase();
    await chmod(directory, 0o500);
    const service = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: path });
    expect((await service.exited).code).toBe(1);
    await chmod(directory, 0o700);
    expect(schemaOf(path)).toBe(RELEASED_SCHEMA);
  });

  test("goes back to the kept copy, and each gate that was closed since is named, also after a kill", async () => {
    const { directory, path, copy } = await releasedDatabase();
    const environment = { PORT: "0", DATABASE_URL: path };
    const service = serviceProcessForTest(directory, environment);
    const client = createClient({ baseUrl: await service.ready() });
    const [agentId = "", leaves = {}] = Object.entries((await client.getPolicy()).policy)[0] ?? [];
    const [namespace = ""] = Object.keys(leaves).filter((name) => leaves[name]);
    await client.setAccess({ agentId, namespace, allowed: false });
    await service.kill("SIGKILL");

    const restored = await runCommand("restore", [copy, "--replace"], environment);
    expect(restored).toMatchObject({ code: 0, out: `${JSON.stringify({ agentId, namespace, allowed: false })}\n` });
    expect(schemaOf(path)).toBe(RELEASED_SCHEMA);
    expect(existsSync(`${path}-wal`)).toBe(false);
    expect(existsSync(join(directory, "ledger.key"))).toBe(true);
  });

  test("goes back by a restore of its backup", async () => {
    const { directory, path } = await releasedDatabase();
    const backup = join(directory, "backup");
    expect((await runCommand("backup", [backup], { DATABASE_URL: path })).code).toBe(0);
    expect(schemaOf(path)).toBe(RELEASED_SCHEMA);
    await sqliteRecords({ path, serves: true }).close();
    expect(schemaOf(path)).toBeGreaterThan(RELEASED_SCHEMA);
    expect((await runCommand("restore", [backup, "--replace"], { DATABASE_URL: path })).code).toBe(0);
    expect(schemaOf(path)).toBe(RELEASED_SCHEMA);
  });
});
