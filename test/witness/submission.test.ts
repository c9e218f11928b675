// A service whose log is cosigned by a real witness, and what it does when its database is older than what was published.
import { once } from "node:events";
import { copyFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { cosignedAt, parseCheckpoint } from "#core/log/checkpoint.ts";
import { type NoteKey, parseVkey, vkeyOf } from "#core/log/signed-note.ts";
import { directoryForTest, type Service, startService } from "#test/support/service.ts";
import { createWitness } from "#witness/witness.ts";
import { openWitnessFolder } from "#witness/witness-folder.ts";
import { witnessServer } from "#witness/witness-server.ts";

const ASK = { agentId: "assistant", query: "peanut allergy" };

async function witnessOf(logs: NoteKey[]) {
  const opened = openWitnessFolder(await directoryForTest(), "witness.example/w1");
  const server = witnessServer(createWitness({ ...opened, logs, now: Date.now }), () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
    opened.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return { key: opened.key, policy: `witness w1 ${vkeyOf(opened.key)} ${url}\nquorum w1\n` };
}

/** A witness that says it has cosigned more than there is. Its key is a stranger's, as it signs nothing. */
async function liar() {
  const server = createServer((request, response) => {
    if (request.method === "POST")
      return void response.writeHead(409, { "content-type": "text/x.tlog.size" }).end("999999\n");
    response.end(
      `memory.example/log\n999999\n${Buffer.alloc(32, 1).toString("base64")}\n\n— memory.example/log AAAAAAAA\n`,
    );
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const key = openWitnessFolder(await directoryForTest(), "witness.example/liar");
  onTestFinished(key.close);
  return `witness liar ${vkeyOf(key.key)} http://127.0.0.1:${(server.address() as AddressInfo).port}\n`;
}

test("a witness that lies about a greater tree holds up nothing while the others are enough", async () => {
  const database = join(await directoryForTest(), "records.db");
  const environment = { LOG_ORIGIN: "memory.example/log" };
  const before = await startService({ database, environment });
  const { key, policy } = await witnessOf([parseVkey(await before.tenant.log.vkey()) as NoteKey]);
  await before.stop();
  const [w1 = ""] = policy.split("\n");
  const both = `${w1}\n${await liar()}group one any w1 liar\nquorum one\n`;
  const service = await startService({ database, environment: { ...environment, LOG_WITNESSES: both } });
  onTestFinished(() => service.stop());
  let last = 0;
  for (let i = 0; i < 2; i++) {
    await service.client.chat(ASK);
    await service.tenant.log.sequence();
    await service.tenant.log.cosign();
    const { size, note } = await published(service);
    expect(size).toBeGreaterThan(last);
    last = size;
    expect(cosignedAt(note, key)).toBeDefined();
  }
});

async function published(service: Service) {
  const text = await (await fetch(`${service.url}/log/checkpoint`)).text();
  return parseCheckpoint(text) ?? expect.fail(text);
}

test("checkpoints are cosigned; one that is behind a published one is not signed, and another origin begins a new log", async () => {
  const folder = await directoryForTest();
  const database = join(folder, "records.db");
  const unwitnessed = await startService({ database, environment: { LOG_ORIGIN: "memory.example/log" } });
  const known = parseVkey(await unwitnessed.tenant.log.vkey()) as NoteKey;
  await unwitnessed.tenant.log.sequence();
  const alone = await published(unwitnessed);
  await unwitnessed.stop();
  const { key, policy } = await witnessOf([known, { ...known, name: "memory.example/log/2" }]);
  const environment = { LOG_ORIGIN: "memory.example/log", LOG_WITNESSES: policy };
  const start = (more: Record<string, string> = {}) =>
    startService({ database, environment: { ...environment, ...more } });
  const grow = async (service: Service) => {
    await service.client.chat(ASK);
    await service.tenant.log.sequence();
    await service.tenant.log.cosign();
  };

  const first = await start();
  await grow(first);
  const cosigned = await published(first);
  expect(cosigned.size).toBeGreaterThan(alone.size);
  expect(cosignedAt(cosigned.note, key)).toBeDefined();
  await first.client.chat(ASK);
  await first.tenant.log.sequence();
  // What is not cosigned yet is not published.
  expect((await published(first)).size).toBe(cosigned.size);
  await first.stop();
  copyFileSync(database, join(folder, "backup.db"));

  const second = await start();
  await grow(second);
  const { receipt } = await second.client.chat(ASK);
  await expect(second.client.getReceiptProof(receipt)).rejects.toMatchObject({ code: "not-in-log" });
  await grow(second);
  const { checkpoint } = await second.client.getReceiptProof(receipt);
  const last = parseCheckpoint(checkpoint) ?? expect.fail();
  expect(cosignedAt(last.note, key)).toBeDefined();
  await second.stop();

  copyFileSync(join(folder, "backup.db"), database);
  const behind = await start();
  await expect(behind.tenant.log.sequence()).rejects.toThrow(/older than what was published.*LOG_ORIGIN/);
  await behind.stop();
  const anew = await start({ LOG_ORIGIN: "memory.example/log/2" });
  await grow(anew);
  const begun = await published(anew);
  expect(begun.origin).toBe("memory.example/log/2");
  expect(cosignedAt(begun.note, key)).toBeDefined();
  const { entries } = await anew.client.listLogEntries({ chain: "deployment" });
  expect(JSON.parse(entries.at(-1)?.body ?? "")).toMatchObject({
    kind: "restored",
    checkpoint: expect.stringContaining("memory.example/log\n"),
  });
  await anew.stop();
});
