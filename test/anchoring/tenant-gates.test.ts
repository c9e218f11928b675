// Tenants anchor on gates of their own, which are made at their first anchors. On the local ledger; each `process` below
// has ledgers of its own over the same database.
import { describe, expect, onTestFinished, test } from "vitest";
import { AccessField, Gate } from "#adapters/ledger/gate-module.ts";
import { createLocalSui } from "#adapters/ledger/local/local-sui.ts";
import { postgresRecords } from "#adapters/records/postgres/postgres-records.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { ledgersOf } from "#compose/ledger.ts";
import { createClient } from "#contract/client/client.ts";
import type { ChainAnchorRequest, DeploymentRecords, JobLocks, Ledger, RecordStore, TenantRecord } from "#ports.ts";
import type { Difference } from "#service/operations/fsck/context.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { request } from "#test/suites/ledger-fixture.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { interceptCalls } from "#test/support/intercept-calls.ts";
import { serviceForTest } from "#test/support/service.ts";

const AT = "2026-01-01T00:00:00.000Z";
const STAMP = { by: "test", at: AT };
const DEFAULT = { number: 1, id: "default" };
type Names = "plain" | "pseudonyms";

async function open(): Promise<DeploymentRecords> {
  const deployment = sqliteRecords({ path: ":memory:" });
  onTestFinished(() => deployment.close());
  return deployment;
}

const create = async ({ tenants }: DeploymentRecords, id: string): Promise<TenantRecord> =>
  (await tenants.create(id, AT)) ?? expect.fail("There is a tenant of this id.");

/** A process. `wrap` stands between the ledger of each tenant and its records. */
async function start(deployment: DeploymentRecords, { names, wrap }: Setup = {}) {
  const recordsOf = (tenant: Pick<TenantRecord, "number">) =>
    wrap?.(deployment.recordsOf(tenant)) ?? deployment.recordsOf(tenant);
  const config = { kind: "local" as const, ...(names && { names }) };
  const ledgers = await ledgersOf(config as Parameters<typeof ledgersOf>[0], { ...deployment, recordsOf });
  const first = ledgers.of(DEFAULT, deployment);
  // A process that died closes nothing.
  if (wrap === undefined) onTestFinished(() => first.close());
  return {
    first,
    of: (tenant: TenantRecord): TenantLedger => {
      const records = recordsOf(tenant);
      return { ledger: ledgers.of(tenant, records), records, tenant };
    },
    explorerOf: (tenant: Pick<TenantRecord, "number" | "id">) =>
      ledgers.explorerOf(tenant, recordsOf(tenant)) ?? expect.fail("There is no explorer."),
  };
}

interface Setup {
  readonly names?: Names;
  readonly wrap?: (records: RecordStore) => RecordStore;
}

interface TenantLedger {
  readonly ledger: Ledger;
  readonly records: RecordStore;
  readonly tenant: TenantRecord;
}

const allow = ({ records }: Pick<TenantLedger, "records">, namespace = "diet", agentId = "a") =>
  records.policy.set({ agentId, namespace, allowed: true }, STAMP);

const anchor = async ({ ledger, records }: TenantLedger, fields: Partial<ChainAnchorRequest> = {}) =>
  ledger.anchor(await records.chainAnchors.request(request(fields), AT));

const gateIdOf = async ({ ledger }: Pick<TenantLedger, "ledger">) => (await ledger.gate()).gateId;
const digest = (i: number) => i.toString(16).padStart(64, "0");

/** The chain as anybody could replay it from the log. */
async function replayed(deployment: DeploymentRecords) {
  const first = (await deployment.ledgerLog.page({ limit: 1 }))[0];
  const signature = Buffer.from(first?.signatures[0] ?? "", "base64");
  const { Ed25519PublicKey } = await import("@mysten/sui/keypairs/ed25519");
  const owner = new Ed25519PublicKey(signature.subarray(65)).toSuiAddress();
  const sui = await createLocalSui({ log: deployment.ledgerLog, owner });
  /** The agents and namespaces that a gate has. */
  async function namesOn(gateId: string): Promise<string[]> {
    const { object } = await sui.getObject({ objectId: gateId, include: { content: true } });
    const { access } = Gate.parse(object.content);
    const { dynamicFields } = await sui.listDynamicFields({ parentId: access.id });
    const objectIds = dynamicFields.map(({ fieldId }) => fieldId);
    const { objects } = await sui.getObjects({ objectIds, include: { content: true } });
    return objects.flatMap((each) => {
      if (each instanceof Error) throw each;
      const { name } = AccessField.parse(each.content);
      return [name.agent, name.namespace];
    });
  }
  /** How often each function was called. */
  async function calls(): Promise<Record<string, number>> {
    const counts: Record<string, number> = {};
    const gates = await deployment.tenants.page({ limit: 100 });
    const ledgers = await start(deployment);
    for (const tenant of gates.tenants) {
      const { transactions } = await ledgers.explorerOf(tenant).recentTransactions({ limit: 1_000 });
      for (const { functions, status } of transactions.filter(({ status }) => status.success))
        for (const [name, count] of Object.entries(status.success ? functions : {}))
          counts[name] = (counts[name] ?? 0) + count;
    }
    return counts;
  }
  return { sui, namesOn, calls };
}

test("nothing is sent, opened or drawn for a tenant before its first anchor", async () => {
  const deployment = await open();
  const process = await start(deployment);
  const tenant = process.of(await create(deployment, "a"));
  await allow(tenant);
  await tenant.ledger.sync();
  expect(await tenant.ledger.recover()).toBe(0);
  expect(await tenant.ledger.drift()).toEqual({ rules: 0, isOursToMend: true });
  expect(await tenant.ledger.keys()).toEqual([]);
  await process.first.sync();
  await process.first.recover();
  expect(await deployment.ledgerLog.head()).toBeUndefined();
  expect(await tenant.records.chainAnchors.openTransactions()).toEqual([]);
});

test("two tenants with the same names anchor on two gates, each judged by its own policy", async () => {
  const deployment = await open();
  const process = await start(deployment);
  const [a, b] = [process.of(await create(deployment, "a")), process.of(await create(deployment, "b"))];
  await allow(a);
  const anchors = [await anchor(a), await anchor(b)];
  expect(anchors.map(({ allAuthorized }) => allAuthorized)).toEqual([true, false]);
  const gates = await Promise.all([a, b, { ledger: process.first }].map(gateIdOf));
  expect(new Set(gates).size).toBe(3);
  const found = await Promise.all(anchors.map(({ receiptId }) => a.ledger.find(receiptId)));
  expect(found.map((object) => object?.receipt?.gate)).toEqual(gates.slice(0, 2));
  expect(await a.records.chainAnchors.find(anchors[1]?.receiptId ?? "")).toBeUndefined();
  expect(await anchor(a)).toEqual(anchors[0]);
  expect((await (await replayed(deployment)).calls()).new_gate).toBe(2);
});

test("names of one tenant are on no gate of another, and in no part of the ledger that another reads", async () => {
  const deployment = await open();
  const process = await start(deployment);
  const [a, b] = [process.of(await create(deployment, "a")), process.of(await create(deployment, "b"))];
  await allow({ records: deployment }, "of-default", "default-agent");
  await allow(a, "of-a", "a-agent");
  await allow(b, "of-b", "b-agent");
  await anchor(
    { ledger: process.first, records: deployment, tenant: { ...DEFAULT, createdAt: AT, quotas: {} } },
    { claimed: [] },
  );
  for (const each of [a, b]) await anchor(each, { claimed: [], agentId: `${each.tenant.id}-agent` });
  const { namesOn, sui } = await replayed(deployment);
  expect(await namesOn(await gateIdOf(a))).toEqual(["a-agent", "of-a"]);
  expect(await namesOn(await gateIdOf(b))).toEqual(["b-agent", "of-b"]);
  expect(await namesOn(await gateIdOf({ ledger: process.first }))).toEqual(["default-agent", "of-default"]);

  for (const [tenant, others] of [
    [a.tenant, ["b-agent", "of-b", "default-agent", "of-default"]],
    [DEFAULT, ["a-agent", "of-a", "b-agent", "of-b"]],
  ] as const) {
    const explorer = process.explorerOf(tenant);
    const { transactions } = await explorer.recentTransactions({ limit: 100 });
    const shown = await Promise.all(transactions.map(({ digest }) => explorer.readTransaction(digest)));
    expect(shown.length).toBeGreaterThan(1);
    for (const name of others) expect(JSON.stringify(shown)).not.toContain(name);
  }
  // An entry of another's policy has an id that can be guessed.
  const { object } = await sui.getObject({ objectId: await gateIdOf(b), include: { content: true } });
  const { dynamicFields } = await sui.listDynamicFields({ parentId: Gate.parse(object.content).access.id });
  const entry = dynamicFields[0]?.fieldId ?? "";
  expect(await process.explorerOf(b.tenant).readObject(entry)).toBeDefined();
  expect(await process.explorerOf(a.tenant).readObject(entry)).toBeUndefined();
  expect(await process.explorerOf(DEFAULT).readObject(entry)).toBeUndefined();
  // And only the tenant may read its transactions.
  const [anchored, changed] = (await process.explorerOf(b.tenant).recentTransactions({ limit: 2 })).transactions;
  expect(changed?.functions).toHaveProperty("set_access");
  expect(await process.explorerOf(a.tenant).readTransaction(changed?.digest ?? "")).toBeUndefined();
  // An anchor names the transaction before it, so that whoever reads one could go through all.
  expect(await process.explorerOf(a.tenant).readTransaction(anchored?.digest ?? "")).toBeUndefined();
});

test("the same name has another pseudonym in each tenant, and a hidden root hides what is below it", async () => {
  const deployment = await open();
  const process = await start(deployment, { names: "pseudonyms" });
  const [a, b] = [process.of(await create(deployment, "a")), process.of(await create(deployment, "b"))];
  await allow({ records: deployment });
  await process.first.sync();
  for (const each of [a, b]) await allow(each).then(() => anchor(each));
  const { namesOn } = await replayed(deployment);
  const names = (await Promise.all([a, b].map(async (each) => namesOn(await gateIdOf(each))))).flat();
  expect(new Set(names).size).toBe(4);
  expect(names).not.toContain("diet");

  // Another process does not say which names it wants.
  const later = (await start(deployment)).of(await create(deployment, "c"));
  await allow(later);
  expect((await later.ledger.naming()).onLedger("diet")).not.toBe("diet");
  await anchor(later);
  expect(await namesOn(await gateIdOf(later))).not.toContain("diet");
});

test("changes of a policy are sent to its gate by the job of the first tenant, and only where a gate lacks them", async () => {
  const deployment = await open();
  const process = await start(deployment);
  const [a, b] = [process.of(await create(deployment, "a")), process.of(await create(deployment, "b"))];
  for (const each of [a, b]) await anchor(each);
  await process.first.sync();
  const before = (await deployment.ledgerLog.head())?.sequence ?? 0;
  await process.first.sync();
  expect((await deployment.ledgerLog.head())?.sequence).toBe(before);
  await allow(a);
  await process.first.sync();
  expect((await deployment.ledgerLog.head())?.sequence).toBe(before + 1);
  expect(await a.ledger.drift()).toEqual({ rules: 0, isOursToMend: true });
});

test("a flood of anchors in one tenant does not keep another waiting until its end", async () => {
  const deployment = await open();
  const process = await start(deployment);
  const [a, b] = [process.of(await create(deployment, "a")), process.of(await create(deployment, "b"))];
  for (const each of [a, b]) await anchor(each);
  const { ledger, records } = a;
  const requests = await Promise.all(
    Array.from({ length: 1_000 }, (_, i) => records.chainAnchors.request(request({ digest: digest(i) }), AT)),
  );
  let left = requests.length;
  const flood = requests.map((each) => ledger.anchor(each).then(() => (left -= 1)));
  await anchor(b, { digest: digest(1) });
  expect(left).toBeGreaterThan(300);
  await Promise.all(flood);
});

/** A process that dies at its first call of this method, before it or after it. From then on no call returns. */
function mortal(fatal: string, when: "before" | "after") {
  const died = Promise.withResolvers<void>();
  const forever = () => new Promise<never>(() => undefined);
  let isDead = false;
  const die = () => {
    isDead = true;
    died.resolve();
    return forever();
  };
  // The lock of a dead process is free again.
  const ending = ({ exclusively }: JobLocks): JobLocks => ({
    exclusively: (name, job) =>
      exclusively(name, () => Promise.race([job(), died.promise.then((): never => undefined as never)])),
  });
  const wrap = (records: RecordStore) =>
    interceptCalls({ ...records, locks: ending(records.locks) }, async (name, call) => {
      if (isDead) return forever();
      if (name === fatal && when === "before") return die();
      const result = await call();
      return isDead || name === fatal ? die() : result;
    });
  return { wrap, died: died.promise };
}

describe("a process that dies while it makes a gate", () => {
  const points = [
    ["writeOnce.putIfAbsent", "before"],
    ["writeOnce.putIfAbsent", "after"],
    ["chainAnchors.addTransaction", "before"],
    ["chainAnchors.addTransaction", "after"],
    ["chainAnchors.closeTransaction", "before"],
    ["chainAnchors.closeTransaction", "after"],
  ] as const;

  test.for(points)("%s, %s the call: one gate is made, and the request is finished for its tenant", async (point) => {
    const [name, when] = point;
    for (const by of ["recovery", "another tenant's anchor"]) {
      const deployment = await open();
      const { wrap, died } = mortal(name, when);
      const doomed = (await start(deployment, { wrap })).of(await create(deployment, "a"));
      await allow({ records: deployment.recordsOf(doomed.tenant) });
      const asked = await deployment.recordsOf(doomed.tenant).chainAnchors.request(request(), AT);
      doomed.ledger.anchor(asked).catch(() => undefined);
      await died;

      const process = await start(deployment);
      const a = process.of(doomed.tenant);
      if (by !== "recovery") await anchor(process.of(await create(deployment, "b")));
      await process.first.recover();
      const outcome = await a.records.chainAnchors.outcomeOf(asked.id);
      expect(outcome?.allAuthorized).toBe(true);
      expect(await process.first.unfinished()).toEqual({ requests: [], transactions: [] });
      expect((await a.ledger.find(outcome?.receiptId ?? ""))?.receipt?.gate).toBe(await gateIdOf(a));
      const { new_gate: gates, anchor_receipt: receipts } = await (await replayed(deployment)).calls();
      expect([gates, receipts]).toEqual(by === "recovery" ? [1, 1] : [2, 2]);
    }
  });
});

test("replicas that anchor for the first time at once make one gate", async () => {
  const { url } = await databaseForTest();
  const deployments = await Promise.all(
    [1, 2, 3].map(async () => {
      const deployment = await postgresRecords({ url });
      onTestFinished(() => deployment.close());
      return deployment;
    }),
  );
  const [deployment] = deployments as [DeploymentRecords];
  const tenants = [await create(deployment, "a"), await create(deployment, "b")];
  const replicas = await Promise.all(deployments.map((each) => start(each)));
  const anchored = await Promise.all(
    replicas.flatMap((replica, i) =>
      tenants.map((tenant, j) => anchor(replica.of(tenant), { digest: digest(10 * i + j) })),
    ),
  );
  expect(new Set(anchored.map(({ receiptId }) => receiptId)).size).toBe(6);
  const { new_gate: gates, anchor_receipt: receipts } = await (await replayed(deployment)).calls();
  expect([gates, receipts]).toEqual([2, 6]);
});

test("receipts of tenants verify, name their gates and nothing else of the tenants, and all records pass fsck", async () => {
  const service = await serviceForTest({ environment: { AUTH: "keys", SEED: "none" } });
  const { tenantAdministration, tenants } = service.tenant;
  const { key } = await tenantAdministration.createDeploymentKey({ name: "operator", role: "operator" }, "test");
  const operator = createClient({ baseUrl: service.url, bearer: key });
  const gates: string[] = [];
  for (const id of ["customer-27", "customer-28"]) {
    await operator.createTenant({ id });
    const admin = await operator.createTenantKey({ tenantId: id }, { name: "admin" });
    const client = createClient({ baseUrl: service.url, bearer: admin.key });
    await client.capture({ namespace: "diet", content: "Dinner is soup.", sourceAgent: "s" });
    await client.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
    const { receipt } = await client.chat({ agentId: "assistant", query: "What is for dinner?" });
    const { receiptId, allAuthorized } = await client.anchorOnChain({ receipt });
    expect(allAuthorized).toBe(true);
    const verification = await client.verify({ receiptId });
    expect(verification.verdict).toBe("verified");
    gates.push(verification.chain?.gate ?? "");
    const object = await service.tenant.ledger.find(receiptId);
    expect(Buffer.from(object?.bcs ?? []).toString("latin1")).not.toContain(id);
    expect(JSON.stringify(receipt)).not.toContain(id);

    const ref = (await tenants.find(id)) ?? expect.fail("There is no such tenant.");
    const found = await tenants.use(ref, async (tenant) => {
      const lines: string[] = [];
      const onDifference = ({ about, detail }: Difference) => void lines.push(`${about}: ${detail}`);
      await fsck(tenant, { onDifference, hasKeyFile: true });
      return lines;
    });
    expect(found).toEqual([]);
  }
  const { packageId, gateId } = await operator.getTrustRoot();
  expect(new Set([...gates, gateId]).size).toBe(3);
  const objects = await Promise.all(gates.map((each) => service.tenant.ledger.find(each)));
  expect(objects.map((object) => object?.type)).toEqual(gates.map(() => `${packageId}::gate::Gate`));
  const lines: string[] = [];
  await fsck(service.tenant, { onDifference: ({ detail }) => void lines.push(detail), hasKeyFile: true });
  expect(lines).toEqual([]);
});
