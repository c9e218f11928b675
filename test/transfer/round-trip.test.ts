// An export of one service, imported into another one that is empty.
import { expect, onTestFinished, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { type Client, createClient } from "#contract/client/client.ts";
import { PortcullisError } from "#core/errors.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { type Service, serviceForTest } from "#test/support/service.ts";
import { differencesIn, exportOf, importInto } from "./exported.ts";

const empty = (database = ":memory:") => serviceForTest({ database, environment: { SEED: "none" } });
const draft = (content: string, more = {}) => ({ namespace: "diet", content, sourceAgent: "kitchen", ...more });

async function databaseOf(kind: "sqlite" | "postgres"): Promise<string> {
  if (kind === "sqlite") return ":memory:";
  const { url, drop } = await freshDatabase();
  onTestFinished(drop);
  return url;
}

/** Memories that were corrected, pinned, forgotten; answers, one of them anchored; settings of a namespace. */
async function lived({ client }: Pick<Service, "client">): Promise<{ answerId: string; forgottenId: string }> {
  await client.capture(draft("Breakfast is at seven.", { key: "breakfast" }));
  await client.capture(draft("Breakfast is at eight.", { key: "breakfast", ttl: 86_400 }));
  const { memory } = await client.capture(draft("Tea is at five."));
  await client.updateMemory({ memoryId: memory.memoryId }, { pinned: true });
  const forgotten = await client.capture(draft("Nobody may know this."));
  await client.forgetMemory({ memoryId: forgotten.memory.memoryId }, { reason: "a test" });
  await client.putNamespace({ name: "diet" }, { description: "What is eaten.", encrypted: false });
  await client.setAccess({ agentId: "companion", namespace: "diet", allowed: false });
  const { receipt } = await client.chat({ agentId: "assistant", query: "When is tea?" });
  await client.anchorReceipt({ answerId: receipt.answerId });
  await client.chat({ agentId: "assistant", query: "When is breakfast?" });
  return { answerId: receipt.answerId, forgottenId: forgotten.memory.memoryId };
}

async function stateOf(client: Client, { answerId, forgottenId }: Awaited<ReturnType<typeof lived>>) {
  const { policy } = await client.getPolicy();
  const { tombstone } = await client.getTombstone({ memoryId: forgottenId });
  const { signature: _, ...said } = tombstone;
  return {
    memories: (await client.listMemories()).memories,
    history: (await client.listMemories({ superseded: "true" })).memories,
    policy,
    receipts: (await client.listReceipts({})).receipts,
    receipt: await client.getReceipt({ answerId }),
    namespaces: (await client.listNamespaces()).namespaces,
    tombstone: said,
  };
}

test.for([
  ["sqlite", "postgres"],
  ["postgres", "sqlite"],
] as const)(
  "from %s to %s: memories, history, policy, receipts and tombstones are the same, and fsck finds nothing",
  async (kinds) => {
    const [source, target] = [await databaseOf(kinds[0]), await databaseOf(kinds[1])];
    const [from, to] = [await serviceForTest({ database: source }), await empty(target)];
    const made = await lived(from);
    const exported = await exportOf(from.client);
    const outcome = await importInto(to.client, exported.text, { key: exported.trailer.signature.keyId });
    expect(outcome).toMatchObject({ policy: "set", leftOut: {} });
    expect(outcome.added).toMatchObject({ receipt: 2, anchor: 1, namespace: 1 });
    expect(await stateOf(to.client, made)).toEqual(await stateOf(from.client, made));
    expect(await differencesIn(to)).toEqual([]);
    // The exporter's key is known as one that has ended, so that its receipts stay verifiable.
    const { keys } = await to.client.getTrustRoot();
    const key = keys.find(({ keyId }) => keyId === exported.trailer.signature.keyId);
    expect(key?.endedAt).toBeDefined();
    // The proof is the same public blob.
    const { anchor } = await to.client.getReceipt({ answerId: made.answerId });
    const blob = async ({ url }: Service) => (await fetch(`${url}/v1/blobs/${anchor?.blobId}`)).text();
    expect(await blob(to)).toBe(await blob(from));
    // It answers, with what it was given.
    const { answer } = await to.client.chat({ agentId: "assistant", query: "When is breakfast?" });
    expect(answer).toContain("eight");
    expect(await differencesIn(to)).toEqual([]);
  },
);

test.for([
  ["sqlite", "postgres", "acme"],
  ["postgres", "sqlite", "other"],
] as const)("a tenant goes from %s to %s, as %s: its receipts and its policy hold there, for it alone", async (to) => {
  const [source, target] = [await empty(await databaseOf(to[0])), await empty(await databaseOf(to[1]))];
  const enter = async ({ url, tenant }: Service, id: string) => {
    const ref = await tenant.tenantAdministration.create(id);
    const differences = () => tenant.tenants.useRecords(ref, (own) => differencesIn({ tenant: own }));
    return { client: createClient({ baseUrl: url, tenant: id }), differences };
  };
  const [from, into] = [await enter(source, "acme"), await enter(target, to[2])];
  await from.client.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
  const made = await lived(from);
  expect(await from.differences()).toEqual([]);
  const { text, trailer } = await exportOf(from.client);
  const { keyId } = trailer.signature;
  const trusted = await into.client.getTrustRoot();
  const outcome = await importInto(into.client, text, { key: keyId });
  expect(outcome).toMatchObject({ policy: "set", leftOut: {} });
  expect(await stateOf(into.client, made)).toEqual(await stateOf(from.client, made));
  await into.client.chat({ agentId: "assistant", query: "When is breakfast?" });
  expect(await into.differences()).toEqual([]);
  expect(await importInto(into.client, text, { key: keyId })).toMatchObject({ added: {} });
  // Nobody else trusts the key, or hears of it; and the tenant can be taken away again.
  expect((await into.client.getTrustRoot()).keys.map((key) => key.keyId)).not.toContain(keyId);
  expect(trusted.keys.map((key) => key.keyId)).not.toContain(keyId);
  expect((await exportOf(target.client)).header.keys.map((key) => key.keyId)).not.toContain(keyId);
  const again = await exportOf(into.client);
  const third = await enter(source, "third");
  await importInto(third.client, again.text, { key: again.trailer.signature.keyId });
  expect(await third.differences()).toEqual([]);
});

test("the same export again adds nothing, and neither does one that goes back to where it came from", async () => {
  const [from, to] = [await serviceForTest(), await empty()];
  await lived(from);
  const { text, trailer } = await exportOf(from.client);
  const query = { key: trailer.signature.keyId };
  await importInto(to.client, text, query);
  const before = await exportOf(to.client);
  expect(await importInto(to.client, text, query)).toEqual({ added: {}, policy: "same", leftOut: {} });
  expect(await importInto(from.client, text)).toEqual({ added: {}, policy: "same", leftOut: {} });
  const counts = ({ decision: _, names: __, ...others }: typeof before.trailer.counts) => others;
  expect(counts((await exportOf(to.client)).trailer.counts)).toEqual(counts(before.trailer.counts));
  expect(await differencesIn(to)).toEqual([]);
  expect(await differencesIn(from)).toEqual([]);
});

test("a service that has a policy keeps it, unless it is to be replaced", async () => {
  const [from, to] = [await serviceForTest(), await empty()];
  await from.client.setAccess({ agentId: "planner", namespace: "garden", allowed: true });
  await to.client.setAccess({ agentId: "somebody", namespace: "attic", allowed: true });
  const { text, trailer } = await exportOf(from.client);
  const query = { key: trailer.signature.keyId };
  expect((await importInto(to.client, text, query)).policy).toBe("kept");
  expect((await to.client.getPolicy()).policy).toEqual({ somebody: { attic: true } });
  expect((await importInto(to.client, text, { ...query, policy: "replace" })).policy).toBe("set");
  expect((await to.client.getPolicy()).policy).toEqual((await from.client.getPolicy()).policy);
  const { changes } = await to.client.listPolicyChanges({});
  expect(new Set(changes.map(({ version }) => version)).size).toBe(2);
  expect(await differencesIn(to)).toEqual([]);
});

test("a memory that was forgotten here does not come back with an older export", async () => {
  const service = await serviceForTest();
  const { memory } = await service.client.capture(draft("This was a mistake."));
  const { text } = await exportOf(service.client);
  await service.client.forgetMemory({ memoryId: memory.memoryId });
  expect((await importInto(service.client, text)).added).toEqual({});
  await expect(service.client.getMemory({ memoryId: memory.memoryId })).rejects.toMatchObject({ code: "not-found" });
});

test("a memory that was forgotten while it was exported does not come back with that export", async () => {
  const from = await serviceForTest({ environment: { SEED: "none" } });
  const { memory } = await from.client.capture({ namespace: "n", content: "a canary", sourceAgent: "s" });
  const { transfer } = from.tenant.records;
  const { tombstones } = transfer;
  // The memories were written by then.
  transfer.tombstones = async (query) => {
    await from.client.forgetMemory({ memoryId: memory.memoryId });
    return tombstones(query);
  };
  const exported = await exportOf(from.client);
  expect(exported.records.map(({ kind }) => kind)).toEqual(expect.arrayContaining(["memory", "tombstone"]));
  const to = await serviceForTest({ environment: { SEED: "none" } });
  await importInto(to.client, exported.text, { key: exported.trailer.signature.keyId });
  expect((await to.client.listMemories()).memories).toEqual([]);
  expect((await to.client.getTombstone({ memoryId: memory.memoryId })).tombstone.cause).toBe("forgotten");
  expect(await differencesIn(to)).toEqual([]);
});

test("an import that broke off goes on when it is repeated", async () => {
  const from = await serviceForTest();
  await lived(from);
  const { text, trailer } = await exportOf(from.client);
  const blobs = memoryBlobs();
  let puts = 0;
  const failing: typeof blobs.put = (bytes) => {
    puts += 1;
    if (puts === 5) throw new PortcullisError("blob-store-failed", "The store is away for a moment.");
    return blobs.put(bytes);
  };
  const overrides = { blobs: { ...blobs, put: failing } };
  const to = await serviceForTest({ environment: { SEED: "none" }, overrides });
  const query = { key: trailer.signature.keyId };
  await expect(importInto(to.client, text, query)).rejects.toMatchObject({ code: "blob-store-failed" });
  await importInto(to.client, text, query);
  expect((await to.client.listMemories()).memories).toEqual((await from.client.listMemories()).memories);
  expect(await differencesIn(to)).toEqual([]);
});
