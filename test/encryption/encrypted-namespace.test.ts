// Encrypted namespaces through the real service: what its callers see, and what is on record.
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import { digestHex } from "#core/encoding/digest.ts";
import type { BlobStore } from "#ports.ts";
import { encryptNamespace } from "#service/memories/encryption.ts";
import type { Difference } from "#service/operations/fsck/context.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { renew } from "#service/operations/renew-blobs.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";

const ENCRYPTION_KEY = "5e".repeat(32);
const fact = { namespace: "diary", content: "The tulips on the balcony bloom in April.", sourceAgent: "companion" };
const query = "When do the tulips bloom?";

const start = (database?: string, environment: Record<string, string> = { ENCRYPTION_KEY }) =>
  serviceForTest({ environment, ...(database !== undefined && { database }) });

async function differencesIn({ tenant }: Service): Promise<unknown[]> {
  const differences: Difference[] = [];
  await fsck(tenant, { onDifference: (difference) => differences.push(difference) });
  return differences;
}

async function withDiary(service: Service) {
  const { client } = service;
  await client.putNamespace({ name: "diary" }, { encrypted: true });
  await client.setAccess({ agentId: "assistant", namespace: "diary", allowed: true });
  return (await client.capture(fact)).memory;
}

describe("an encrypted namespace", () => {
  test("is captured, listed, searched, recalled and asked about as an open one is", async () => {
    const service = await start();
    const { client } = service;
    const memory = await withDiary(service);
    expect(memory).toMatchObject({ ...fact, encrypted: true });
    expect((await client.capture(fact)).memory.memoryId).toBe(memory.memoryId);
    expect((await client.listMemories({ namespace: "diary" })).memories).toEqual([memory]);
    expect((await client.listMemories({ q: "TULIPS" })).memories).toEqual([memory]);
    expect((await client.listMemories({ q: "ciphertext" })).memories).toEqual([]);
    const recalled = (await client.recall({ agentId: "assistant", query })).memories.map(({ content }) => content);
    expect(recalled).toContain(fact.content);
    const { answer, receipt } = await client.chat({ agentId: "assistant", query });
    expect(answer).toContain("April");
    const used = receipt.usedMemories.find(({ memoryId }) => memoryId === memory.memoryId);
    expect(used).toMatchObject({ verified: true, intact: true, contentDigest: memory.contentDigest });
    const view = await client.getReceipt({ answerId: receipt.answerId });
    expect(view.receipt.usedMemories).toEqual(receipt.usedMemories);
    expect(view.opening).toBeDefined();
  });

  test("keeps no digest of a request, and a repeat with another body is refused all the same", async () => {
    const service = await start();
    await withDiary(service);
    const begin = vi.spyOn(service.tenant.records.idempotency, "begin");
    const capture = (content: string) => service.client.capture({ ...fact, content }, { idempotencyKey: "k" });
    const { memory } = await capture("The roses bloom in June.");
    expect((await capture("The roses bloom in June.")).memory).toEqual(memory);
    await expect(capture("The roses bloom in May.")).rejects.toMatchObject({ status: 422 });
    expect(begin.mock.calls.map(([{ digest }]) => digest)).toEqual(["", "", ""]);
  });

  test("has ciphertext in its blob, on record and in the seed of a receipt that used it", async () => {
    const service = await start();
    const { storeRef, contentDigest, memoryId } = await withDiary(service);
    const blob = await fetch(`${service.url}/v1/blobs/${storeRef}`).then((response) => response.bytes());
    expect(digestHex(blob)).toBe(contentDigest);
    expect(Buffer.from(blob).toString()).not.toMatch(/tulips|diary|companion/);
    expect(Object.keys(JSON.parse(Buffer.from(blob).toString()))).toEqual(["alg", "ciphertext", "iv", "v"]);
    const { receipt } = await service.client.chat({ agentId: "assistant", query });
    const rows: unknown[] = [];
    await service.tenant.records.audit(async (audit) => {
      for (const kind of ["memory", "receipt", "writeOnce"] as const)
        for await (const row of audit.rows(kind)) rows.push(row);
    });
    const text = JSON.stringify(rows);
    expect(text).toContain(memoryId);
    expect(text).not.toContain("tulips");
    const seed = rows.find((row) => (row as { answerId?: string }).answerId === receipt.answerId);
    expect(seed).toMatchObject({ seed: expect.stringMatching(/^encrypted:/) });
  });

  test("is blocked for everybody without its key, and all else works; with the key again it is as before", async () => {
    const database = join(await directoryForTest(), "records.db");
    const first = await start(database);
    const memory = await withDiary(first);
    const { receipt } = await first.client.chat({ agentId: "assistant", query });
    expect(await differencesIn(first)).toEqual([]);
    await first.stop();

    for (const [environment, encryption] of [
      [{}, "no-key"],
      [{ ENCRYPTION_KEY: "0f".repeat(32) }, "other-key"],
    ] as [Record<string, string>, string][]) {
      const locked = await start(database, environment);
      const { client } = locked;
      expect((await client.getService()).encryption).toBe(encryption);
      const ready = await fetch(`${locked.url}/readyz`).then((response) => response.json());
      expect(ready).toMatchObject({ status: "ready", warnings: [expect.stringContaining("Set ENCRYPTION_KEY")] });
      await expect(client.getMemory({ memoryId: memory.memoryId })).rejects.toMatchObject({ status: 404 });
      expect((await client.listMemories({ namespace: "diary" })).memories).toEqual([]);
      const answered = await client.chat({ agentId: "assistant", query });
      expect(answered.answer).not.toContain("April");
      expect(answered.receipt.blockedNamespaces).toContain("diary");
      const refused = client.capture({ ...fact, content: "Another secret." });
      await expect(refused).rejects.toMatchObject({ status: 409, code: "encryption-key-missing" });
      await expect(client.putNamespace({ name: "other" }, { encrypted: true })).rejects.toMatchObject({
        code: "encryption-key-missing",
      });
      expect(await differencesIn(locked)).toEqual([]);
      const renewed = await Array.fromAsync(renew(locked.tenant, { since: new Date() }));
      expect(renewed).toContainEqual({ blobId: memory.storeRef, status: "renewed" });
      const view = await client.getReceipt({ answerId: receipt.answerId });
      expect(view.opening).toBeUndefined();
      expect(view.receipt.usedMemories.find(({ memoryId }) => memoryId === memory.memoryId)?.snippet).toBeUndefined();
      const open = { ...fact, namespace: "diet", content: "Likes soup." };
      expect((await client.capture(open)).memory).toMatchObject(open);
      const { memories } = await client.recall({ agentId: "assistant", query: "What about peanuts?" });
      expect(memories.length).toBeGreaterThan(0);
      await locked.stop();
    }

    const again = await start(database);
    expect((await again.client.getService()).encryption).toBe("ready");
    expect(await fetch(`${again.url}/readyz`).then((response) => response.text())).not.toContain("warnings");
    expect((await again.client.chat({ agentId: "assistant", query })).answer).toContain("April");
    expect(await again.client.getMemory({ memoryId: memory.memoryId })).toEqual({ memory });
    expect((await again.client.getReceipt({ answerId: receipt.answerId })).opening).toBeDefined();
  });
});

describe("encrypting a namespace that has memories", () => {
  test("keeps what is known of them under new ids, forgets the open ones, and says what it did", async () => {
    const service = await start();
    const { client, tenant } = service;
    const before = (await client.listMemories({ namespace: "health" })).memories;
    expect(before.some(({ pinned }) => pinned)).toBe(true);
    await client.putNamespace({ name: "health" }, { encrypted: true });
    await expect.poll(() => tenant.records.encryption.unencryptedNamespaces()).toEqual([]);
    const after = (await client.listMemories({ namespace: "health" })).memories;
    const known = before.map(({ memoryId: _, storeRef: __, contentDigest: ___, ...rest }) => ({
      ...rest,
      encrypted: true,
    }));
    expect(after).toMatchObject(known);
    for (const { memoryId, storeRef } of before) {
      await expect(client.getMemory({ memoryId })).rejects.toMatchObject({ status: 404 });
      expect((await fetch(`${service.url}/v1/blobs/${storeRef}`)).status).toBe(404);
    }
    const { answer, receipt } = await client.chat({ agentId: "assistant", query: "Is satay safe for me?" });
    expect(answer).toMatch(/peanut/i);
    const ids = new Set(after.map(({ memoryId }) => memoryId));
    expect(receipt.usedMemories.some(({ memoryId }) => ids.has(memoryId))).toBe(true);
  });

  test("has no plain text stored by a capture that began before", async () => {
    const sent: string[] = [];
    const blobs = memoryBlobs();
    let onPut: () => Promise<unknown> = async () => undefined;
    const slow: BlobStore = {
      ...blobs,
      async put(bytes, options) {
        await onPut();
        const stored = await blobs.put(bytes, options);
        sent.push(Buffer.from(bytes).toString());
        return stored;
      },
    };
    const { client } = await serviceForTest({ environment: { ENCRYPTION_KEY }, overrides: { blobs: slow } });
    onPut = () => client.putNamespace({ name: "diary" }, { encrypted: true });
    sent.length = 0;
    expect((await client.capture(fact)).memory).toMatchObject({ ...fact, encrypted: true });
    expect(sent).toHaveLength(1);
    expect(sent[0]).not.toContain("tulips");
  });

  test("goes on where it ended, loses nothing, and captures nothing twice", async () => {
    const { client, tenant } = await start();
    const many = Array.from({ length: 120 }, (_, i) => ({ ...fact, content: `Entry ${i}.` }));
    for (const each of many) await client.capture(each);
    await tenant.records.namespaces.put(
      { name: "diary", encrypted: true },
      { by: "test", at: new Date().toISOString() },
    );
    const stopping = new AbortController();
    const interrupted = encryptNamespace(tenant, "diary", {
      signal: stopping.signal,
      onProgress: () => stopping.abort(),
    });
    await expect(interrupted).rejects.toThrow();
    const left = (await tenant.records.encryption.openIn("diary", 1_000)).length;
    expect([left > 0, left < many.length]).toEqual([true, true]);
    // A capture of what is still open, while it goes on.
    await client.capture(many.at(-1) ?? fact);
    const { encrypted } = await encryptNamespace(tenant, "diary");
    expect(encrypted).toBe(left);
    const contents = (await client.listMemories({ namespace: "diary", limit: 500 })).memories.map((m) => m.content);
    expect(contents.sort()).toEqual(many.map(({ content }) => content).sort());
    expect(await tenant.records.encryption.unencryptedNamespaces()).toEqual([]);
  });
});
