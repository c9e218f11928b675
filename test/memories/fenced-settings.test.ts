// What is said of namespaces and of forgotten memories leaves behind the fence, as memories do.
import { expect, test } from "vitest";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { serviceForTest } from "#test/support/service.ts";

const FACT = { namespace: "garden", content: "The hydrangea needs acid soil.", sourceAgent: "gardener" };
const EMPTY = { SEED: "none" };

/** A service whose gardener loses the garden while a reply is made: after its records were read, and before it leaves. */
async function revokedWhileRead() {
  const service = await keyedServiceForTest({ environment: EMPTY });
  const { admin, tenant, keyFor } = service;
  const { client: gardener } = await keyFor("agent:gardener", { captures: ["garden"] });
  await admin.setAccess({ agentId: "gardener", namespace: "garden", allowed: true });
  await admin.putNamespace({ name: "garden" }, { description: "What grows where." });
  const { memory } = await gardener.capture(FACT);
  await admin.forgetMemory({ memoryId: memory.memoryId }, { reason: "asked for" });
  await gardener.capture({ ...FACT, content: "The roses are cut in March." });
  /** Revokes after the next read by this method, once. */
  function revokeAfter<T extends object, K extends keyof T>(records: T, method: K): void {
    const original = records[method] as (...args: unknown[]) => Promise<unknown>;
    const patched = async (...args: unknown[]) => {
      const found = await original(...args);
      records[method] = original as T[K];
      await admin.setAccess({ agentId: "gardener", namespace: "garden", allowed: false });
      return found;
    };
    records[method] = patched as T[K];
  }
  return { ...service, gardener, memoryId: memory.memoryId, revokeAfter, records: tenant.records };
}

test("a list of namespaces that was read before a revoke is read again after it", async () => {
  const { gardener, revokeAfter, records } = await revokedWhileRead();
  expect((await gardener.listNamespaces()).namespaces).toMatchObject([{ name: "garden" }]);
  revokeAfter(records.namespaces, "page");
  expect((await gardener.listNamespaces()).namespaces).toEqual([]);
});

test("a namespace that was read before a revoke is a 404 after it", async () => {
  const { gardener, revokeAfter, records } = await revokedWhileRead();
  revokeAfter(records.namespaces, "find");
  await expect(gardener.getNamespace({ name: "garden" })).rejects.toMatchObject({ problem: { status: 404 } });
});

test("a tombstone that was read before a revoke is a 404 after it", async () => {
  const { gardener, memoryId, revokeAfter, tenant } = await revokedWhileRead();
  expect((await gardener.getTombstone({ memoryId })).tombstone.reason).toBe("asked for");
  revokeAfter(tenant.signer, "signBytes");
  await expect(gardener.getTombstone({ memoryId })).rejects.toMatchObject({ problem: { status: 404 } });
});

test("a memory that is forgotten while it is pinned is not quoted by the reply", async () => {
  const { client, tenant } = await serviceForTest({ environment: EMPTY });
  const { memoryId } = (await client.capture(FACT)).memory;
  const { memories } = tenant.records;
  const { setPinned } = memories;
  memories.setPinned = async (pin, stamp) => {
    const outcome = await setPinned(pin, stamp);
    await client.forgetMemory({ memoryId });
    return outcome;
  };
  await expect(client.updateMemory({ memoryId }, { pinned: true })).rejects.toMatchObject({ problem: { status: 404 } });
});

test("an encrypted memory cannot be pinned without its key, and stays unpinned", async () => {
  const service = await serviceForTest({ environment: { ...EMPTY, ENCRYPTION_KEY: "5e".repeat(32) } });
  const { client, tenant } = service;
  await client.putNamespace({ name: "garden" }, { encrypted: true });
  const { memoryId } = (await client.capture(FACT)).memory;
  tenant.cipher.status = () => "no-key";
  tenant.cipher.decrypt = async () => undefined;
  await expect(client.updateMemory({ memoryId }, { pinned: true })).rejects.toMatchObject({ problem: { status: 404 } });
  expect((await tenant.stored.memories.find(memoryId))?.pinned).toBeUndefined();
});

test("pages of namespaces with long descriptions end before a megabyte, and lose none", async () => {
  const { client, tenant } = await serviceForTest({ environment: EMPTY });
  const description = "ж".repeat(500);
  const names = Array.from({ length: 1_200 }, (_, i) => `n${String(i).padStart(4, "0")}`);
  const stamp = { by: "test", at: "2026-01-02T03:04:05.678Z" };
  for (const name of names) await tenant.records.namespaces.put({ name, description }, stamp);
  const found: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await client.listNamespaces({ limit: 1_000, ...(cursor !== undefined && { cursor }) });
    expect(Buffer.byteLength(JSON.stringify(page))).toBeLessThan(1_024 * 1_024);
    found.push(...page.namespaces.map(({ name }) => name));
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  expect(found).toEqual(names);
});
