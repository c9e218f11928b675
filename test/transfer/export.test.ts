// GET /api/export: what each caller gets.
import { describe, expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { digestHex } from "#core/encoding/digest.ts";
import { isSignatureBy } from "#core/receipt/signature.ts";
import { type ExportKind, exportBytes } from "#core/transfer/export-format.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { serviceForTest } from "#test/support/service.ts";
import { exportOf } from "./exported.ts";

const CANARY = "xyzzycanary";
const fact = (content: string, namespace = "diet") => ({ namespace, content, sourceAgent: "kitchen" });

test("the trailer counts the records, and signs every byte before it with the key of receipts", async () => {
  const { client } = await serviceForTest();
  await client.chat({ agentId: "assistant", query: "What do I eat?" });
  const { text, header, records, trailer } = await exportOf(client);
  const counts = Object.fromEntries(
    Object.entries(Object.groupBy(records, ({ kind }) => kind)).map(([kind, all]) => [kind, all.length]),
  );
  expect(trailer.counts).toEqual(counts);
  const before = text.slice(0, text.trimEnd().lastIndexOf("\n") + 1);
  expect(trailer.digest).toBe(digestHex(Buffer.from(before)));
  const { keys } = await client.getTrustRoot();
  expect(keys.map(({ keyId }) => keyId)).toContain(trailer.signature.keyId);
  expect(
    isSignatureBy(trailer.signature.value, exportBytes(trailer), Buffer.from(trailer.signature.publicKey, "hex")),
  ).toBe(true);
  expect(header).toMatchObject({
    portcullis: "export",
    v: 1,
    by: { role: "admin" },
    filter: {},
    blobs: "memory",
    network: "local",
  });
});

test("an export holds no private key, no API key and no text of memories in receipts", async () => {
  const service = await keyedServiceForTest({ environment: { SEED: "none" } });
  await service.admin.capture(fact(`The password is ${CANARY}.`));
  await service.admin.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
  await service.admin.chat({ agentId: "assistant", query: "What is the password?" });
  const { text, records } = await exportOf(service.admin);
  const signing = await service.tenant.records.signingKeys.signing();
  for (const encoding of ["hex", "base64", "base64url"] as const)
    expect(text).not.toContain(Buffer.from(signing?.privateKey ?? []).toString(encoding));
  expect(text).not.toContain(service.adminKey);
  const receipts = records.filter(({ kind }) => kind === "receipt");
  expect(receipts).toHaveLength(1);
  expect(JSON.stringify(receipts)).not.toContain(CANARY);
});

test("settings that were read before a revoke are not sent to the agent after it", async () => {
  const { admin, tenant, keyFor } = await keyedServiceForTest({ environment: { SEED: "none" } });
  const { client: kitchen } = await keyFor("agent:kitchen");
  await admin.setAccess({ agentId: "kitchen", namespace: "diet", allowed: true });
  await admin.putNamespace({ name: "diet" }, { description: CANARY });
  await admin.capture(fact("Tea at five."));
  expect((await exportOf(kitchen)).text).toContain(CANARY);
  const { namespaces } = tenant.records;
  const { page } = namespaces;
  namespaces.page = async (wanted) => {
    const found = await page(wanted);
    await admin.setAccess({ agentId: "kitchen", namespace: "diet", allowed: false });
    return found;
  };
  expect((await exportOf(kitchen)).text).not.toContain(CANARY);
});

test("a filter leaves one namespace, or one source agent", async () => {
  const { client } = await serviceForTest({ environment: { SEED: "none" } });
  await client.capture(fact("Tea at five."));
  await client.capture({ ...fact("Roses in June.", "garden"), sourceAgent: "gardener" });
  for (const namespace of ["diet", "garden"]) await client.setAccess({ agentId: "gardener", namespace, allowed: true });
  for (const agentId of ["gardener", "kitchen"]) await client.chat({ agentId, query: "What is at five?" });
  const texts = ({ records }: Awaited<ReturnType<typeof exportOf>>, kind: ExportKind) =>
    records.filter((record) => record.kind === kind).map((record) => JSON.stringify(record));
  const diet = await exportOf(client, { namespace: "diet" });
  expect(texts(diet, "memory")).toEqual([expect.stringContaining("Tea at five.")]);
  expect(texts(diet, "rule")).toEqual([expect.stringContaining('"diet"')]);
  expect(diet.text).not.toContain("Roses");
  const person = await exportOf(client, { sourceAgent: "gardener" });
  expect(texts(person, "memory")).toEqual([expect.stringContaining("Roses in June.")]);
  expect(texts(person, "rule")).toHaveLength(2);
  expect(texts(person, "receipt")).toEqual([expect.stringContaining('"agentId":"gardener"')]);
  expect(person.header.filter).toEqual({ sourceAgent: "gardener" });
});

describe("an agent's export", () => {
  test("is what the gate gives it: its namespaces, its row of the policy, its receipts and decisions", async () => {
    const service = await keyedServiceForTest({ environment: { SEED: "none" } });
    const { admin } = service;
    await admin.capture(fact("Tea at five."));
    await admin.capture(fact(`A secret: ${CANARY}.`, "finance"));
    const gone = await admin.capture(fact(`Forgotten: ${CANARY}.`, "finance"));
    await admin.forgetMemory({ memoryId: gone.memory.memoryId });
    for (const [agentId, namespace] of [
      ["assistant", "diet"],
      ["planner", "finance"],
      ["assistant", "finance"],
    ] as const)
      await admin.setAccess({ agentId, namespace, allowed: true });
    for (const agentId of ["assistant", "planner"]) await admin.chat({ agentId, query: "What is the secret at five?" });
    const { receipt } = await admin.chat({ agentId: "assistant", query: "A secret?" });
    await admin.anchorReceipt({ answerId: receipt.answerId });
    await admin.setAccess({ agentId: "assistant", namespace: "finance", allowed: false });
    const { client } = await service.keyFor("agent:assistant");
    const { text, records } = await exportOf(client);
    expect(text).not.toContain(CANARY);
    expect(text).not.toContain('"planner"');
    const kinds = new Set(records.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(["namespace", "rule", "memory", "receipt", "names", "decision"]));
    // A seed would open the snippet of a namespace that it may not use any more.
    const receipts = records.filter((record) => record.kind === "receipt");
    for (const { receipt, seed } of receipts) {
      const usesFinance = receipt.usedMemories.some(({ namespace }) => namespace === "finance");
      expect(seed === undefined).toBe(usesFinance);
    }
    expect(receipts.length).toBe(2);
  });

  test("is refused plain text of encrypted memories on demand, and the admin of a namespace gets no receipts", async () => {
    const service = await keyedServiceForTest({ environment: { SEED: "none" } });
    await service.admin.capture(fact("Tea at five."));
    await service.admin.chat({ agentId: "assistant", query: "When is tea?" });
    const agent = await service.keyFor("agent:assistant");
    await expect(exportOf(agent.client, { decrypt: "true" })).rejects.toMatchObject({ code: "forbidden" });
    const { client } = await service.keyFor("admin:diet");
    expect(new Set((await exportOf(client)).records.map(({ kind }) => kind))).toEqual(new Set(["namespace", "memory"]));
  });

  test.for(["a revoke", "a forgetting"] as const)(
    "has nothing that %s in the middle of the stream took away",
    async (what) => {
      const records = sqliteRecords({ path: ":memory:" });
      const [reached, goOn] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      let secretId = "";
      // What was read, and passed the gate, waits before the fence.
      const passFence: typeof records.policy.passFence = async (readSet, action) => {
        if (readSet.memoryIds.includes(secretId)) {
          reached.resolve();
          await goOn.promise;
        }
        return records.policy.passFence(readSet, action);
      };
      const overrides = { records: { ...records, policy: { ...records.policy, passFence } } };
      const service = await keyedServiceForTest({ environment: { SEED: "none" }, overrides });
      const { admin } = service;
      secretId = (await admin.capture(fact(`A secret: ${CANARY}.`, "finance"))).memory.memoryId;
      const facts = Array.from({ length: 500 }, (_, i) => fact(`Fact number ${i}.`));
      for await (const { problem } of admin.importMemories(facts)) expect(problem).toBeUndefined();
      for (const namespace of ["diet", "finance"])
        await admin.setAccess({ agentId: "assistant", namespace, allowed: true });
      const { client } = await service.keyFor("agent:assistant");
      const exporting = exportOf(client);
      await reached.promise;
      if (what === "a revoke") await admin.setAccess({ agentId: "assistant", namespace: "finance", allowed: false });
      else await admin.forgetMemory({ memoryId: secretId });
      goOn.resolve();
      const { text, trailer } = await exporting;
      expect(text).not.toContain(CANARY);
      expect(trailer.counts.memory).toBe(500);
    },
  );
});
