// The deletion of a tenant: final when it is acknowledged, in steps that go on after a crash, until nothing but its
// tombstone is on record.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { describe, expect, onTestFinished, test } from "vitest";
import { POSTGRES, SQLITE } from "#adapters/records/shared/schema/dialect.ts";
import { tenantTablesIn } from "#adapters/records/shared/schema/schema.ts";
import { deleteTenantsRegularly } from "#background/jobs.ts";
import { type Client, createClient } from "#contract/client/client.ts";
import type { TenantRef } from "#core/identity/tenant.ts";
import { isSignatureBy } from "#core/receipt/signature.ts";
import { tenantTombstoneBytes } from "#core/tombstone.ts";
import { createLog } from "#log.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { newMemory } from "#test/suites/records/samples.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { heldModel } from "#test/support/models.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { post, send } from "#test/support/send.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";
import { waitFor } from "#test/support/wait-for.ts";

const log = createLog({ level: "silent" });
const bearer = (key: string) => ({ authorization: `Bearer ${key}` });
/** More than a step removes. */
const MANY = 450;

type Rows = (text: string) => Promise<readonly Record<string, unknown>[]>;

/** A database, and the way to its rows beside the service. */
async function databaseOf(kind: "sqlite" | "postgres"): Promise<{ readonly url: string; readonly rows: Rows }> {
  if (kind === "postgres") {
    const { url, run } = await databaseForTest();
    return { url, rows: run };
  }
  const url = join(await directoryForTest(), "memories.db");
  const rows: Rows = async (text) => {
    const file = new DatabaseSync(url, { readOnly: true });
    try {
      return file.prepare(text.replaceAll("portcullis.", "")).all();
    } finally {
      file.close();
    }
  };
  return { url, rows };
}

const CATALOGUE = {
  sqlite: `SELECT m.name FROM sqlite_schema AS m JOIN pragma_table_info(m.name) AS c
    WHERE m.type = 'table' AND c.name = 'tenant'`,
  postgres: `SELECT t.table_name AS name FROM information_schema.tables AS t
    JOIN information_schema.columns AS c USING (table_schema, table_name)
    WHERE table_schema = 'portcullis' AND table_type = 'BASE TABLE' AND column_name = 'tenant'`,
};

/** How many rows each table has of a tenant, by the catalogue of the database. */
async function rowsOf(kind: "sqlite" | "postgres", rows: Rows, { number }: TenantRef): Promise<Map<string, number>> {
  const counts = new Map<string, number>();
  for (const { name } of await rows(CATALOGUE[kind])) {
    const [found] = await rows(`SELECT count(*) AS count FROM portcullis.${name} WHERE tenant = ${number}`);
    if (Number(found?.count) > 0) counts.set(String(name), Number(found?.count));
  }
  return counts;
}

async function startKeyed(database: string, indexFolder: string, overrides = {}) {
  const environment = { AUTH: "keys", SEED: "none", INDEX_FOLDER: indexFolder, LIMIT_WRITES_PER_MINUTE: "0" };
  const service = await serviceForTest({ environment, database, overrides });
  const { tenantAdministration } = service.tenant;
  const { key } = await tenantAdministration.createDeploymentKey({ name: "operator", role: "operator" }, "test");
  return { service, operator: createClient({ baseUrl: service.url, bearer: key }) };
}

/** A tenant that has used nearly everything. */
async function createFilled({ url, tenant }: Service, operator: Client, id: string) {
  await operator.createTenant({ id });
  const { key } = await operator.createTenantKey({ tenantId: id }, { name: "admin" });
  const admin = createClient({ baseUrl: url, bearer: key });
  const ref = (await tenant.tenants.find(id)) as TenantRef;
  await tenant.tenants.useRecords(ref, ({ records }) =>
    Promise.all(Array.from({ length: MANY }, (_, i) => records.memories.add(newMemory(`fact ${id} ${i}`)))),
  );
  const fact = { namespace: "diet", content: "No nuts.", sourceAgent: "seed", key: "nuts" };
  const { memory } = await admin.capture(fact, { idempotencyKey: `capture-${id}` });
  await admin.updateMemory(memory, { pinned: true });
  await admin.capture({ ...fact, content: "Nuts are fine." });
  await admin.forgetMemory((await admin.capture({ ...fact, key: "other" })).memory);
  await admin.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
  const { key: agentKey } = await admin.createKey({ name: "assistant", role: "agent:assistant" });
  const agent = createClient({ baseUrl: url, bearer: agentKey });
  const { receipt } = await agent.chat({ query: "Are nuts fine?" });
  await agent.anchorOnChain({ receipt });
  await post(`${url}/api/session`, { key });
  return { ref, key, agentKey, admin, agent };
}

describe.for(["sqlite", "postgres"] as const)("On %s, the deletion of a tenant", (kind) => {
  test("knows every table of the catalogue that has rows of tenants", async () => {
    const { url, rows } = await databaseOf(kind);
    await serviceForTest({ database: url, environment: { SEED: "none" } });
    const known = tenantTablesIn(kind === "sqlite" ? SQLITE : POSTGRES).map(({ table }) => table);
    const tables = (await rows(CATALOGUE[kind])).map(({ name }) => String(name));
    expect([...known].sort()).toEqual(tables.sort());
  });

  test("ends every credential at once, and goes on after a stop until a signed tombstone is all that is left", async () => {
    const { url, rows } = await databaseOf(kind);
    const folder = await directoryForTest();
    const first = await startKeyed(url, folder);
    const acme = await createFilled(first.service, first.operator, "acme");
    const globex = await createFilled(first.service, first.operator, "globex");
    const { key: backend } = await first.operator.createKey({ name: "all", role: "agent:assistant", tenants: "all" });
    const filled = await rowsOf(kind, rows, acme.ref);
    const needed =
      "memories superseded_memories forgotten receipts answers chain_anchors transactions write_once events";
    expect([...filled.keys()]).toEqual(expect.arrayContaining(`${needed} api_keys idempotency_keys access`.split(" ")));
    await first.service.tenant.log.sequence();
    const others = await rowsOf(kind, rows, globex.ref);

    const tenantId = "acme";
    const { tenant: deleted } = await first.operator.deleteTenant({ tenantId });
    expect(deleted.deletion).toMatchObject({ removed: { memories: 0 }, remaining: expect.any(Number) });
    expect(deleted.deletion?.remaining).toBeGreaterThan(MANY);
    await first.operator.updateTenant({ tenantId: "globex" }, { suspended: true });
    const inState = async (state: "active" | "suspended" | "deleted") =>
      (await first.operator.listTenants({ state })).tenants.map(({ id }) => id);
    expect([await inState("active"), await inState("suspended"), await inState("deleted")]).toEqual([
      ["default"],
      ["globex"],
      ["acme"],
    ]);
    await first.operator.updateTenant({ tenantId: "globex" }, { suspended: false });
    const status = async (headers: Record<string, string>) =>
      (await send(`${first.service.url}/api/memories`, { headers })).status;
    expect([await status(bearer(acme.key)), await status(bearer(acme.agentKey))]).toEqual([401, 401]);
    expect(await status({ ...bearer(backend), "portcullis-tenant": "acme" })).toBe(403);
    const refused = (code: string) => expect.objectContaining({ code });
    await expect(first.operator.putTenant({ tenantId })).rejects.toEqual(refused("tenant-deleted"));
    const resumed = first.operator.updateTenant({ tenantId }, { suspended: false });
    await expect(resumed).rejects.toEqual(refused("tenant-deleted"));
    const keyMade = first.operator.createTenantKey({ tenantId }, { name: "x" });
    await expect(keyMade).rejects.toEqual(refused("tenant-deleted"));
    await expect(first.operator.createTenant({ id: "acme" })).rejects.toEqual(refused("tenant-exists"));

    // Some steps, and the process ends.
    const { tenantDeletions } = first.service.tenant;
    while (((await first.operator.getTenant({ tenantId })).tenant.deletion?.removed.memories ?? 0) === 0)
      expect(await tenantDeletions.step(acme.ref, "2026-01-01T00:00:00.000Z")).toBe("removed");
    const between = await first.operator.getTenant({ tenantId });
    expect(between.tombstone).toBeUndefined();
    expect(between.tenant.deletion?.removed.memories).toBeLessThan(MANY);
    await first.service.stop();

    const second = await startKeyed(url, folder);
    expect((await second.operator.deleteTenant({ tenantId })).tenant.deletion?.startedAt).toBe(
      deleted.deletion?.startedAt,
    );
    const job = deleteTenantsRegularly(second.service.tenant, log, { intervalMs: 20 });
    onTestFinished(() => job.stop());
    const { tombstone, tenant: ended } = await waitFor(async () => {
      const found = await second.operator.getTenant({ tenantId });
      expect(found.tombstone).toBeDefined();
      return found;
    });
    const { signature, ...told } = tombstone ?? expect.fail();
    const count = (...tables: readonly string[]) => tables.reduce((sum, table) => sum + (filled.get(table) ?? 0), 0);
    expect(told).toEqual({
      tenantId,
      startedAt: deleted.deletion?.startedAt,
      endedAt: ended.deletion?.endedAt,
      memories: count("memories", "superseded_memories"),
      receipts: count("receipts", "begun_receipts"),
      namespaces: count("namespaces"),
      keys: 2,
    });
    const [trusted] = (await second.operator.getTrustRoot()).keys;
    expect(signature.keyId).toBe(trusted?.keyId);
    const publicKey = Buffer.from(trusted?.publicKey ?? "", "hex");
    expect(isSignatureBy(signature.value, tenantTombstoneBytes(told), publicKey)).toBe(true);

    expect(await rowsOf(kind, rows, acme.ref)).toEqual(new Map());
    const orphans = "SELECT 1 FROM portcullis.sessions WHERE key_id NOT IN (SELECT key_id FROM portcullis.api_keys)";
    expect(await rows(orphans)).toEqual([]);
    expect(existsSync(join(folder, String(acme.ref.number)))).toBe(false);
    expect(await rowsOf(kind, rows, globex.ref)).toEqual(others);
    const { answer } = await createClient({ baseUrl: second.service.url, bearer: globex.agentKey }).chat({
      query: "Are nuts fine?",
    });
    expect(answer).toContain("Nuts are fine");
    await second.operator.createTenant({ id: "next" });
    expect((await second.service.tenant.tenants.find("next"))?.number).toBeGreaterThan(globex.ref.number);
    const differences: unknown[] = [];
    const onDifference = (difference: unknown) => differences.push(difference);
    await fsck(second.service.tenant, { onDifference, ...(kind === "sqlite" && { hasKeyFile: true }) });
    expect(differences).toEqual([]);
  });

  test("lets no answer leave that was under way, and removes what its request still wrote", async () => {
    const { url, rows } = await databaseOf(kind);
    const { model, answer } = heldModel();
    const { service, operator } = await startKeyed(url, await directoryForTest(), { model });
    await operator.createTenant({ id: "acme" });
    const { key } = await operator.createTenantKey({ tenantId: "acme" }, { name: "admin" });
    const admin = createClient({ baseUrl: service.url, bearer: key });
    const { memory } = await admin.capture({ namespace: "diet", content: "Zugzwang.", sourceAgent: "seed" });
    await admin.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
    const begun = "SELECT 1 FROM portcullis.begun_receipts";
    const question = { agentId: "assistant", query: "Zugzwang?" };
    const asked = post(`${service.url}/api/chat`, question, bearer(key)).catch(() => ({ text: "cut" }));
    await waitFor(async () => expect(await rows(begun)).toHaveLength(1));
    await operator.deleteTenant({ tenantId: "acme" });
    answer();
    expect((await asked).text).not.toContain(memory.memoryId);

    const ref = (await service.tenant.tenants.find("acme")) as TenantRef;
    const job = deleteTenantsRegularly(service.tenant, log, { intervalMs: 20, lookMs: 50 });
    onTestFinished(() => job.stop());
    const ended = () => service.tenant.tenants.find("acme").then((found) => found?.deletedAt);
    await waitFor(async () => expect(await ended()).toBeDefined());
    const stray = service.tenant.tenants.useRecords(ref, ({ records }) =>
      records.writeOnce.putIfAbsent("position-key", new Uint8Array(1)),
    );
    await stray;
    await waitFor(async () => expect(await rowsOf(kind, rows, ref)).toEqual(new Map()));
  });

  test("is refused for the tenant default", async () => {
    const { url } = await databaseOf(kind);
    const { operator } = await startKeyed(url, await directoryForTest());
    await expect(operator.deleteTenant({ tenantId: "default" })).rejects.toMatchObject({ code: "forbidden" });
    await expect(operator.deleteTenant({ tenantId: "nobody" })).rejects.toMatchObject({ code: "not-found" });
  });
});

test("A restored backup brings back neither a tenant that was deleted since nor one that was suspended", async () => {
  const { url } = await databaseOf("sqlite");
  const [folder, backup] = [await directoryForTest(), join(await directoryForTest(), "backup")];
  const settings = { DATABASE_URL: url, AUTH: "keys" };
  const first = await startKeyed(url, folder);
  const { key } = await createFilled(first.service, first.operator, "acme");
  const globex = await createFilled(first.service, first.operator, "globex");
  expect(await portcullis(["backup", backup], { settings })).toMatchObject({ code: 0 });
  await first.operator.deleteTenant({ tenantId: "acme" });
  while ((await first.service.tenant.tenants.find("acme"))?.deletedAt === undefined)
    await first.service.tenant.tenantDeletions.step({ number: 2 }, "2026-01-01T00:00:00.000Z");
  await createFilled(first.service, first.operator, "initech");
  await first.operator.deleteTenant({ tenantId: "initech" });
  while ((await first.service.tenant.tenants.find("initech"))?.deletedAt === undefined)
    await first.service.tenant.tenantDeletions.step({ number: 4 }, "2026-01-01T00:00:00.000Z");
  await first.operator.putTenant({ tenantId: "made-since" });
  const gate = { agentId: "assistant", namespace: "diet", allowed: false };
  await globex.admin.setAccess(gate);
  await first.operator.updateTenant({ tenantId: "globex" }, { suspended: true });
  await first.service.stop();

  const restored = await portcullis(["restore", backup, "--replace"], { settings });
  expect(restored).toMatchObject({ code: 0 });
  expect(restored.err).not.toContain("is valid");
  expect(JSON.parse(restored.out)).toEqual({ tenant: "globex", ...gate });
  const { service, operator } = await startKeyed(url, folder);
  expect((await send(`${service.url}/api/memories`, { headers: bearer(key) })).status).toBe(403);
  expect((await operator.getTenant({ tenantId: "globex" })).tenant.suspendedAt).toBeDefined();
  expect((await operator.getTenant({ tenantId: "initech" })).tombstone).toMatchObject({ memories: MANY + 2, keys: 2 });
  await expect(operator.putTenant({ tenantId: "initech" })).rejects.toMatchObject({ code: "tenant-deleted" });
  await operator.putTenant({ tenantId: "made-later" });
  expect((await service.tenant.tenants.find("made-later"))?.number).toBeGreaterThan(5);
  const job = deleteTenantsRegularly(service.tenant, log, { intervalMs: 20 });
  onTestFinished(() => job.stop());
  const tombstone = async () => (await operator.getTenant({ tenantId: "acme" })).tombstone;
  await waitFor(async () => expect(await tombstone()).toMatchObject({ memories: MANY + 2, keys: 2 }));
});
