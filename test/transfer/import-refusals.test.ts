// POST /api/import refuses what is not as it was signed, or signed by a stranger, before it records anything.
import { beforeAll, beforeEach, describe, expect, test } from "vitest";
import { memoryBlobs } from "#adapters/blobs/memory.ts";
import type { BlobStore } from "#ports.ts";
import { encryptNamespace } from "#service/memories/encryption.ts";
import { keyedServiceForTest } from "#test/support/keyed-service.ts";
import { changingNothing, directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";
import { type Exported, exportOf, importInto } from "./exported.ts";

let exported: Exported;

beforeAll(async () => {
  const { startService } = await import("#test/support/start-service.ts");
  const from = await startService();
  await from.client.chat({ agentId: "assistant", query: "What do I eat?" });
  exported = await exportOf(from.client);
  await from.stop();
});

const refused = (to: Service, text: string, code: string, key = exported.trailer.signature.keyId) =>
  changingNothing(to, () => expect(importInto(to.client, text, { key })).rejects.toMatchObject({ code }));

/** The lines, changed by the test. */
const changed = (change: (lines: string[]) => string[]): string =>
  `${change(exported.text.trimEnd().split("\n")).join("\n")}\n`;

test("bytes that differ, lines that are missing, swapped or added, and a broken trailer are refused", async () => {
  const to = await serviceForTest({ environment: { SEED: "none" } });
  const trailer = JSON.stringify({ ...exported.trailer, counts: { ...exported.trailer.counts, memory: 1 } });
  const foreign = JSON.stringify({
    ...exported.trailer,
    signature: { ...exported.trailer.signature, publicKey: "0".repeat(64) },
  });
  const forgeries: [string, string][] = [
    [exported.text.replace("peanut", "walnut"), "export-damaged"],
    [exported.text.replace('"allowed":true', '"allowed":false'), "export-damaged"],
    [changed((lines) => lines.toSpliced(2, 1)), "export-damaged"],
    [changed(([first = "", second = "", third = "", ...rest]) => [first, third, second, ...rest]), "export-damaged"],
    [changed((lines) => lines.toSpliced(1, 0, lines[1] ?? "")), "export-damaged"],
    [changed((lines) => lines.toSpliced(1, 0, "{}")), "export-damaged"],
    [changed((lines) => [...lines.slice(0, -1), trailer]), "export-damaged"],
    [changed((lines) => [...lines.slice(0, -1), foreign]), "export-damaged"],
    [changed((lines) => lines.slice(1)), "export-damaged"],
    [changed((lines) => lines.slice(0, -1)), "export-incomplete"],
    [exported.text.slice(0, -100), "export-incomplete"],
    ["no export at all\n", "export-incomplete"],
  ];
  for (const [text, code] of forgeries) {
    expect(text).not.toBe(exported.text);
    await refused(to, text, code);
  }
});

test("an export that a stranger signed is refused until its key is named", async () => {
  const to = await serviceForTest({ environment: { SEED: "none" } });
  await changingNothing(to, () =>
    expect(importInto(to.client, exported.text)).rejects.toMatchObject({ code: "export-key-unknown" }),
  );
  await refused(to, exported.text, "export-key-unknown", "0".repeat(32));
  const { keyId } = exported.trailer.signature;
  expect((await importInto(to.client, exported.text, { key: keyId })).added.memory).toBeGreaterThan(0);
  // The key is on record now.
  expect((await importInto(to.client, exported.text)).added).toEqual({});
});

test("an export with decrypted memories is not imported, and one with ciphertext is for who has the ENCRYPTION_KEY", async () => {
  const encryption = { SEED: "none", ENCRYPTION_KEY: "11".repeat(32) };
  const from = await serviceForTest({ environment: encryption });
  await from.client.putNamespace({ name: "vault" }, { encrypted: true });
  await from.client.capture({ namespace: "vault", content: "The code is xyzzycanary.", sourceAgent: "s" });
  const encrypted = await exportOf(from.client);
  expect(encrypted.text).not.toContain("xyzzycanary");
  const decrypted = await exportOf(from.client, { decrypt: "true" });
  expect(decrypted.text).toContain("xyzzycanary");
  const to = await serviceForTest({ environment: encryption });
  const query = { key: encrypted.trailer.signature.keyId };
  await expect(importInto(to.client, decrypted.text, query)).rejects.toMatchObject({ code: "export-not-importable" });
  // Who has the ENCRYPTION_KEY reads what was exported as ciphertext.
  await importInto(to.client, encrypted.text, query);
  expect((await to.client.listMemories()).memories).toMatchObject([
    { content: "The code is xyzzycanary.", encrypted: true },
  ]);
  const again = await to.client.capture({ namespace: "vault", content: "The code is xyzzycanary.", sourceAgent: "s" });
  expect((await to.client.listMemories()).memories).toHaveLength(1);
  expect(again.memory.content).toContain("xyzzycanary");
});

test("an export that was encrypted with another key is refused until that key is named, and spoils nothing", async () => {
  const [theirs, ours] = ["11".repeat(32), "22".repeat(32)];
  const from = await serviceForTest({ environment: { SEED: "none", ENCRYPTION_KEY: theirs } });
  const secret = { namespace: "vault", content: "The code is xyzzycanary.", sourceAgent: "s" };
  await from.client.putNamespace({ name: "vault" }, { encrypted: true });
  await from.client.capture(secret);
  const encrypted = await exportOf(from.client);
  const { keyId } = encrypted.trailer.signature;
  const database = `${await directoryForTest()}/records.db`;
  const to = await serviceForTest({ database, environment: { SEED: "none", ENCRYPTION_KEY: ours } });
  await refused(to, encrypted.text, "export-not-importable", keyId);
  await changingNothing(to, () =>
    expect(importInto(to.client, encrypted.text)).rejects.toMatchObject({ code: "export-key-unknown" }),
  );
  await to.stop();
  const environment = { SEED: "none", ENCRYPTION_KEY: ours, ENCRYPTION_KEY_FORMER: theirs };
  const both = await serviceForTest({ database, environment });
  await importInto(both.client, encrypted.text, { key: keyId });
  expect((await both.client.listMemories()).memories).toMatchObject([{ ...secret, encrypted: true }]);
  expect((await both.client.capture({ ...secret, content: "Another one." })).memory.encrypted).toBe(true);
});

describe("Plain text of a namespace that is encrypted here", () => {
  const environment = { SEED: "none", ENCRYPTION_KEY: "11".repeat(32) };
  const asked = { namespace: "vault" } as const;
  const sent: string[] = [];
  let plain: Exported;

  /** Counts what the blob store is sent. */
  function watchedBlobs(onPut: () => Promise<unknown> = async () => undefined): BlobStore {
    const blobs = memoryBlobs();
    return {
      ...blobs,
      async put(bytes, options) {
        await onPut();
        const stored = await blobs.put(bytes, options);
        sent.push(Buffer.from(bytes).toString());
        return stored;
      },
    };
  }

  beforeAll(async () => {
    const { startService } = await import("#test/support/start-service.ts");
    const from = await startService({ environment: { SEED: "none" } });
    await from.client.capture({ namespace: "home", content: "The door is green.", sourceAgent: "s" });
    await from.client.capture({ ...asked, content: "The code is xyzzycanary.", sourceAgent: "s" });
    plain = await exportOf(from.client);
    await from.stop();
  });
  beforeEach(() => {
    sent.length = 0;
  });

  test("is refused before anything is stored, by a dry run as well", async () => {
    const to = await serviceForTest({ environment, overrides: { blobs: watchedBlobs() } });
    await to.client.putNamespace({ name: "vault" }, { encrypted: true });
    const key = plain.trailer.signature.keyId;
    for (const query of [{ key }, { key, dryRun: "true" }] as const)
      await changingNothing(to, () =>
        expect(importInto(to.client, plain.text, query)).rejects.toMatchObject({
          code: "export-not-importable",
          status: 409,
          message: expect.stringContaining('"vault"'),
        }),
      );
    expect(sent).toEqual([]);
  });

  test("is not stored either when it is encrypted while the import runs", async () => {
    const encrypt = async () => to.client.putNamespace({ name: "vault" }, { encrypted: true });
    const to: Service = await serviceForTest({ environment, overrides: { blobs: watchedBlobs(() => encrypt()) } });
    const query = { key: plain.trailer.signature.keyId };
    await expect(importInto(to.client, plain.text, query)).rejects.toMatchObject({ code: "export-not-importable" });
    expect(sent.join()).not.toContain("xyzzycanary");
    expect((await to.client.listMemories(asked)).memories).toEqual([]);
  });

  test("is passed over when it was encrypted here since", async () => {
    const to = await serviceForTest({ environment });
    const query = { key: plain.trailer.signature.keyId };
    await importInto(to.client, plain.text, query);
    await to.client.putNamespace({ name: "vault" }, { encrypted: true });
    await encryptNamespace(to.tenant, "vault");
    expect((await importInto(to.client, plain.text, query)).added).toEqual({});
  });
});

test("an export of another blob store is not imported", async () => {
  const blobs = { kind: "walrus", aggregator: "" } as const;
  const about = { version: "0", blobs, model: "extractive", records: "sqlite" } as const;
  const to = await serviceForTest({ environment: { SEED: "none" }, overrides: { about } });
  await refused(to, exported.text, "export-not-importable");
});

test("only an admin imports, and only NDJSON", async () => {
  const service = await keyedServiceForTest({ environment: { SEED: "none" } });
  const { client } = await service.keyFor("agent:assistant");
  await expect(importInto(client, exported.text)).rejects.toMatchObject({ code: "forbidden" });
  const response = await fetch(`${service.url}/api/import`, {
    method: "POST",
    headers: { authorization: `Bearer ${service.adminKey}`, "content-type": "application/json" },
    body: "{}",
  });
  expect(response.status).toBe(415);
});
