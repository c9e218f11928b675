// KEEP_QUESTIONS: who reads a question, and when there is none. What ends one on record is in test/suites/records.
import { join } from "node:path";
import { expect, test } from "vitest";
import { builtInModel } from "#adapters/model/built-in/built-in-model.ts";
import type { LanguageModel } from "#ports.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";
import { tracesInFolder } from "#test/support/text-traces.ts";

const KEEP = { KEEP_QUESTIONS: "true" };
const QUERY = "What is for dinner, zanzibarian?";
const [OLD, NEW] = ["0a".repeat(32), "0b".repeat(32)];

const ask = async ({ client }: Pick<Service, "client">, query = QUERY) =>
  (await client.chat({ agentId: "assistant", query })).receipt.answerId;
const questionOf = async ({ client }: Pick<Service, "client">, answerId: string) =>
  (await client.getReceipt({ answerId })).question;

test("no question is kept unless the service is set to", async () => {
  const service = await serviceForTest();
  expect(await questionOf(service, await ask(service))).toBeUndefined();
});

test("a kept question is for its agent and for admins, and in no export, decision, event or log line", async () => {
  const service = await keyedServiceForTest({ environment: KEEP });
  const { admin, keyFor, url } = service;
  const agent = await keyFor("agent:assistant");
  const other = await keyFor("agent:other");
  const auditor = await keyFor("auditor");
  const asked = [
    (await agent.client.chat({ agentId: "assistant", query: QUERY })).receipt.answerId,
    (await agent.client.recall({ agentId: "assistant", query: QUERY })).receipt?.answerId ?? "",
  ];
  for (const answerId of asked) {
    for (const client of [admin, agent.client]) {
      expect((await client.getReceipt({ answerId })).question).toBe(QUERY);
    }
    expect(await auditor.client.getReceipt({ answerId })).not.toHaveProperty("question");
    await expect(other.client.getReceipt({ answerId })).rejects.toMatchObject({ status: 404 });
  }
  const answerIds = asked.join();
  const listed = async ({ client }: Pick<Service, "client">, filter = {}) =>
    (await client.listReceipts(filter)).receipts.map(({ question }) => question);
  for (const filter of [{}, { answerIds }]) {
    expect(await listed(agent, filter)).toEqual([QUERY, QUERY]);
    expect(await listed(auditor, filter)).toEqual([undefined, undefined]);
    expect(await listed(other, filter)).toEqual([]);
  }
  expect(await listed({ client: admin }, { answerIds: asked[0] })).toEqual([QUERY]);
  await expect(admin.listReceipts({ answerIds: ",".repeat(3) })).rejects.toMatchObject({ status: 400 });

  const read = async (path: string, key: string) => {
    const response = await fetch(`${url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    expect([path, response.status]).toEqual([path, 200]);
    return response.text();
  };
  for (const key of [service.adminKey, agent.key, auditor.key])
    for (const path of ["/api/export", "/api/decisions"]) expect(await read(path, key)).not.toContain("zanzibarian");
  const events = await service.tenant.records.events.after({ after: 0, limit: 1_000 });
  expect(JSON.stringify(events)).not.toContain("zanzibarian");
  expect(service.logLines.join()).not.toContain("zanzibarian");
});

test("a revoke leaves the agent its question, and takes the snippets only", async () => {
  const service = await keyedServiceForTest({ environment: KEEP });
  const { client } = await service.keyFor("agent:assistant");
  const answerId = await ask({ client });
  const { receipt } = await client.getReceipt({ answerId });
  const [used] = receipt.usedMemories;
  await service.admin.setAccess({ agentId: "assistant", namespace: used?.namespace ?? "", allowed: false });
  const after = await client.getReceipt({ answerId });
  expect(after.question).toBe(QUERY);
  expect(after.receipt.usedMemories[0]).not.toHaveProperty("snippet");
});

test("with ENCRYPTION_KEY a question is encrypted, survives the rotation of the key, and is gone without it", async () => {
  const folder = await directoryForTest();
  const database = join(folder, "records.db");
  const open = (environment: Record<string, string>) =>
    serviceForTest({ database, environment: { ...KEEP, ...environment } });
  const first = await open({ ENCRYPTION_KEY: OLD });
  const answerId = await ask(first);
  expect(await questionOf(first, answerId)).toBe(QUERY);
  expect(await first.tenant.stored.receipts.find(answerId)).toMatchObject({ question: { encrypted: true } });
  await first.stop();
  expect(tracesInFolder(folder, ["zanzibarian"])).toEqual([]);

  const settings = { DATABASE_URL: database, ENCRYPTION_KEY: NEW, ENCRYPTION_KEY_FORMER: OLD };
  expect(await portcullis(["encryption", "rotate"], { settings })).toMatchObject({ code: 0 });
  const second = await open({ ENCRYPTION_KEY: NEW });
  expect(await questionOf(second, answerId)).toBe(QUERY);
  await second.stop();

  // The former key opens nothing any more, and with another key than the database's no question is kept.
  const third = await open({ ENCRYPTION_KEY: OLD });
  expect(await questionOf(third, answerId)).toBeUndefined();
  expect(await questionOf(third, await ask(third))).toBeUndefined();
});

const VAULT = { namespace: "vault", content: "The zanzibarian dinner is at eight.", sourceAgent: "s" };

async function withVault(model?: LanguageModel): Promise<Service> {
  const environment = { ...KEEP, ENCRYPTION_KEY: OLD };
  const service = await serviceForTest({ environment, ...(model && { overrides: { model } }) });
  const { client } = service;
  await client.putNamespace({ name: "vault" }, { encrypted: true });
  await client.capture(VAULT);
  await client.setAccess({ agentId: "assistant", namespace: "vault", allowed: true });
  return service;
}

test("a question for which an encrypted memory was used is never kept", async () => {
  const service = await withVault();
  const answerId = await ask(service);
  const { receipt, question } = await service.client.getReceipt({ answerId });
  expect(receipt.usedMemories.map(({ namespace }) => namespace)).toContain("vault");
  expect(question).toBeUndefined();
  await service.client.setAccess({ agentId: "assistant", namespace: "vault", allowed: false });
  expect(await questionOf(service, await ask(service))).toBe(QUERY);
});

test("it is not kept either when only an attempt that a revoke ended used the encrypted memory", async () => {
  const inner = builtInModel();
  let prompts = 0;
  const model: LanguageModel = {
    name: inner.name,
    async complete(prompt, options) {
      if (++prompts === 1) await service.client.setAccess({ agentId: "assistant", namespace: "vault", allowed: false });
      return inner.complete(prompt, options);
    },
  };
  const service = await withVault(model);
  const answerId = await ask(service);
  expect(prompts).toBe(2);
  expect((await service.client.getReceipt({ answerId })).receipt.blockedNamespaces).toContain("vault");
  const { receipts } = await service.client.listReceipts();
  expect(receipts.map(({ status, question }) => [status, question])).toEqual([
    ["issued", undefined],
    ["broken-off", undefined],
  ]);
});

test("when the first attempt used no encrypted memory and the next one does, neither keeps the question", async () => {
  const inner = builtInModel();
  let prompts = 0;
  const model: LanguageModel = {
    name: inner.name,
    async complete(prompt, options) {
      if (++prompts === 1) {
        await service.client.setAccess({ agentId: "assistant", namespace: "vault", allowed: true });
        await service.client.setAccess({ agentId: "assistant", namespace: "diet", allowed: false });
      }
      return inner.complete(prompt, options);
    },
  };
  const service = await withVault(model);
  await service.client.setAccess({ agentId: "assistant", namespace: "vault", allowed: false });
  await ask(service);
  expect(prompts).toBe(2);
  const asked = async () => (await service.client.listReceipts()).receipts.map(({ question }) => question);
  await expect.poll(asked).toEqual([undefined, undefined]);
});

test("a question is not kept when a memory that an attempt used was withdrawn before the answer", async () => {
  const inner = builtInModel();
  const changes: (() => Promise<unknown>)[] = [];
  const model: LanguageModel = {
    name: inner.name,
    async complete(prompt, options) {
      await changes.shift()?.();
      return inner.complete(prompt, options);
    },
  };
  const service = await serviceForTest({ environment: KEEP, overrides: { model } });
  const { client } = service;
  const { receipt } = await client.chat({ agentId: "assistant", query: QUERY });
  const [used, other] = receipt.usedMemories;
  // The question may quote the memory, and no receipt of the answer names it.
  changes.push(() => client.forgetMemory({ memoryId: used?.memoryId ?? "" }));
  expect(await questionOf(service, await ask(service))).toBeUndefined();
  // It could be forgotten later.
  changes.push(() => client.setAccess({ agentId: "assistant", namespace: other?.namespace ?? "", allowed: false }));
  expect(await questionOf(service, await ask(service))).toBeUndefined();
  expect(changes).toEqual([]);
  expect(await questionOf(service, await ask(service))).toBe(QUERY);
});

test("receipts are found by model and by time", async () => {
  const service = await serviceForTest();
  const { client } = service;
  const first = (await client.chat({ agentId: "assistant", query: QUERY })).receipt;
  const recalled = (await client.recall({ agentId: "assistant", query: QUERY })).receipt;
  const found = async (query: object) =>
    (await client.listReceipts(query)).receipts.map(({ receipt }) => receipt.answerId);
  const model = String(first.evidence.model);
  expect(await found({ model })).toEqual([first.answerId]);
  expect(await found({ model: "another" })).toEqual([]);
  const after = new Date(Date.parse(recalled?.createdAt ?? "") + 1).toISOString();
  expect(await found({ from: first.createdAt, to: after })).toEqual([recalled?.answerId, first.answerId]);
  expect(await found({ to: first.createdAt })).toEqual([]);
  expect(await found({ from: after })).toEqual([]);
  expect(await found({ from: first.createdAt, to: after, model })).toEqual([first.answerId]);
  await expect(client.listReceipts({ from: "yesterday" })).rejects.toMatchObject({ status: 400 });
  // PostgreSQL has no such text, and would take the statement for a fault of its own.
  await expect(client.listReceipts({ model: "\0" })).rejects.toMatchObject({ status: 400 });
});
