// Checkpoints of the log on the ledger: when they are anchored, what a proof says of them, and who notices another tree.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { anchorLogRegularly } from "#background/jobs.ts";
import { createClient } from "#contract/client/client.ts";
import { parseCheckpoint } from "#core/log/checkpoint.ts";
import { chainNameOf } from "#core/log/entry.ts";
import { databaseForTest } from "#test/adapters/postgres/fixture.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";
import { waitFor } from "#test/support/wait-for.ts";

const ASK = { agentId: "assistant", query: "peanut allergy" };
const HOUR_MS = 3_600_000;
const VERIFY_PY = fileURLToPath(new URL("../../verifiers/python/verify.py", import.meta.url));

/** An answer that is in the log, of a service whose ledger is in use. */
async function answered({ client, tenant }: Service): Promise<string> {
  const { receipt } = await client.chat(ASK);
  await tenant.ledger.gate();
  await tenant.log.sequence();
  return receipt.answerId;
}

const anchorNow = ({ tenant: { log, ledger } }: Service, everyMs = 0) =>
  log.anchor(ledger, { at: Date.now() + 1_000, everyMs });

const treeOf = async ({ tenant }: Service) =>
  parseCheckpoint((await tenant.log.published()).note) ?? expect.fail("no checkpoint");

const lastOf = async (service: Service) => service.tenant.ledger.lastCheckpoint((await treeOf(service)).origin);

/** What `portcullis proof` wrote of the answer, and where. */
async function proofOf(service: Service, answerId: string) {
  const path = join(await directoryForTest(), "answer.json");
  expect(await portcullis(["proof", answerId, "--out", path], { url: service.url })).toMatchObject({ code: 0 });
  const { out } = await portcullis(["verify", path, "--json"], { url: "http://127.0.0.1:9" });
  const { checks } = JSON.parse(out) as { checks: { name: string; status: string; sentence: string }[] };
  return { path, log: checks.find(({ name }) => name === "log") };
}

describe("the log on the ledger", () => {
  test("a proof names the tree on the ledger once it has the answer, and verifiers check it", async () => {
    const service = await serviceForTest();
    const answerId = await answered(service);
    expect(await service.client.getReceiptProof({ answerId })).not.toHaveProperty("anchored");
    await anchorNow(service);
    const { anchored } = await service.client.getReceiptProof({ answerId });
    const last = await lastOf(service);
    expect(anchored?.objectId).toBe(last?.objectId);
    const later = await answered(service);
    expect(await service.client.getReceiptProof({ answerId: later })).not.toHaveProperty("anchored");

    const { path, log } = await proofOf(service, answerId);
    const since = new Date(last?.anchoredAtMs ?? 0).toISOString();
    expect(log).toMatchObject({
      status: "pass",
      sentence: expect.stringContaining(`The ledger has had its tree of ${last?.size} since ${since}.`),
    });
    const python = spawnSync("python3", [VERIFY_PY, path], { encoding: "utf8" });
    if (python.error === undefined) expect(python.stdout).toMatch(/^pass\tlog$/m);
  });

  test("it is anchored when it has grown, and at most once in the interval", async () => {
    const service = await serviceForTest();
    await answered(service);
    await anchorNow(service, HOUR_MS);
    const first = await lastOf(service);
    expect(first).toMatchObject(await treeOf(service).then(({ origin, size }) => ({ origin, size })));
    await anchorNow(service);
    expect(await lastOf(service)).toEqual(first);
    await answered(service);
    await anchorNow(service, HOUR_MS);
    expect(await lastOf(service)).toEqual(first);
    await anchorNow(service);
    expect((await lastOf(service))?.size).toBe((await treeOf(service)).size);
  });

  test("a job anchors it, and none does with an interval of 0", async () => {
    const service = await serviceForTest();
    await answered(service);
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    anchorLogRegularly(service.tenant, log as never, 0).stop();
    const job = anchorLogRegularly(service.tenant, log as never, 20);
    onTestFinished(() => job.stop());
    await waitFor(async () => expect((await lastOf(service))?.size).toBe((await treeOf(service)).size));
    expect(log.warn).not.toHaveBeenCalled();
  });

  test("a tenant whose chain cannot be anchored keeps no other waiting, and is logged", async () => {
    const service = await serviceForTest();
    const log = { info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const anchored: string[] = [];
    const tree = {
      anchor: async () => undefined,
      async anchorChain({ id }: { id: string }) {
        if (id === "first") throw new Error("The ledger refuses it.");
        anchored.push(id);
      },
    };
    const tenants = { loaded: () => [{ id: "first" }, { id: "second" }] };
    const job = anchorLogRegularly({ ...service.tenant, log: tree, tenants } as never, log as never, 20);
    onTestFinished(() => job.stop());
    await waitFor(async () => expect(anchored).toContain("second"));
    expect(log.warn).toHaveBeenCalled();
  });

  test("a local ledger that nobody used is not opened for it", async () => {
    const service = await serviceForTest();
    await service.tenant.log.sequence();
    await anchorNow(service);
    expect(await service.tenant.records.ledgerLog.head()).toBeUndefined();
  });

  test("replicas of one PostgreSQL anchor each size once, and each knows what the other anchored", async () => {
    const { url: database } = await databaseForTest();
    const replicas = [await serviceForTest({ database }), await serviceForTest({ database })] as const;
    const answerId = await answered(replicas[0]);
    await replicas[1].tenant.ledger.gate();
    await Promise.all(replicas.map((replica) => anchorNow(replica)));
    await Promise.all(replicas.map((replica) => anchorNow(replica)));
    const proofs = await Promise.all(replicas.map(({ client }) => client.getReceiptProof({ answerId })));
    expect(new Set(proofs.map(({ anchored }) => anchored?.objectId)).size).toBe(1);
    const { transactions } = await replicas[0].client.ledgerTransactions({ limit: 100 });
    expect(transactions.filter(({ functions }) => functions.anchor_checkpoint !== undefined)).toHaveLength(1);
  });

  test("the answer of another tenant is in the same tree, and whoever verifies it may read that tree", async () => {
    const service = await serviceForTest();
    await service.tenant.tenantAdministration.create("guest");
    const guest = createClient({ baseUrl: service.url, tenant: "guest" });
    const { receipt } = await guest.chat(ASK);
    await answered(service);
    await anchorNow(service);
    const { anchored } = await guest.getReceiptProof({ answerId: receipt.answerId });
    expect(anchored?.objectId).toBe((await lastOf(service))?.objectId);
    const object = await guest.ledgerObject({ objectId: anchored?.objectId ?? "" });
    expect(object.type).toMatch(/::gate::Checkpoint$/);
  });

  test("a database that is older than the tree on the ledger is noticed", async () => {
    const service = await serviceForTest();
    await answered(service);
    const { origin, size, root } = await treeOf(service);
    await service.tenant.ledger.anchorCheckpoint({ origin, size: size + 1, root });
    await expect(anchorNow(service)).rejects.toThrow(/older than what was published/);
  });
});

test("a monitor finds another tree on the ledger than the log shows", async () => {
  const folder = await directoryForTest();
  const service = await serviceForTest();
  const monitor = () => portcullis(["monitor", service.url, "--state", join(folder, "seen"), "--json"], {});
  await answered(service);
  await anchorNow(service);
  await answered(service);
  expect(await monitor()).toMatchObject({ code: 0 });
  const { origin, size } = await treeOf(service);
  await service.tenant.ledger.anchorCheckpoint({ origin, size, root: new Uint8Array(32).fill(1) });
  const { code, out } = await monitor();
  expect([code, JSON.parse(out).findings]).toEqual([1, [expect.objectContaining({ code: "not-as-anchored" })]]);
});

test("the end of each tenant's chain is with its gate, and a monitor finds another one there", async () => {
  const folder = await directoryForTest();
  const service = await serviceForTest();
  const { log, tenants, tenantAdministration } = service.tenant;
  await tenantAdministration.create("guest");
  const anchorChains = async () => {
    for (const tenant of tenants.loaded()) await log.anchorChain(tenant, { at: Date.now() + 1_000, everyMs: 0 });
  };
  const guest = createClient({ baseUrl: service.url, tenant: "guest" });
  await guest.chat(ASK);
  await log.sequence();
  await anchorChains();
  const { receipt } = await guest.chat(ASK);
  await guest.anchorOnChain({ receipt });
  await log.sequence();
  await anchorChains();
  const { number, chain } = await guest.getLog();
  const monitor = () =>
    portcullis(["monitor", service.url, "--state", join(folder, "seen"), "--tenant", "guest", "--json"], {});
  expect(await monitor()).toMatchObject({ code: 0 });
  await guest.chat(ASK);
  expect(await monitor()).toMatchObject({ code: 0 });
  const [own] = [...tenants.loaded()].filter((tenant) => tenant.id === "guest");
  const { origin } = await treeOf(service);
  const other = { origin: chainNameOf(origin), size: number + 1, root: Buffer.from(chain, "hex") };
  await own?.ledger.anchorChain(other, Date.now() + 1_000);
  const { code, out } = await monitor();
  expect([code, JSON.parse(out).findings]).toEqual([1, [expect.objectContaining({ code: "not-as-anchored" })]]);
});
