// `portcullis monitor` against a real service, and against one whose operator changes what was published.
import { copyFileSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { expect, onTestFinished, test } from "vitest";
import { hasKind } from "#adapters/records/shared/logs/log-entries.ts";
import { createClient } from "#contract/client/client.ts";
import { parseCheckpoint } from "#core/log/checkpoint.ts";
import { loadWeb } from "#http/static/app-files.ts";
import { newMemory } from "#test/suites/records/samples.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { freePort } from "#test/support/postgres/server.ts";
import { directoryForTest, type Service, startService } from "#test/support/service.ts";
import { startKeyedService } from "#test/support/start-keyed-service.ts";
import { waitFor } from "#test/support/wait-for.ts";

const ASK = { agentId: "assistant", query: "peanut allergy" };

/** A pass of the monitor, with its findings. */
async function monitor(service: Service, state: string, more: string[] = [], key?: string) {
  const { code, out, err } = await portcullis(["monitor", service.url, "--state", state, "--json", ...more], { key });
  const { findings = [], ...pass } = out === "" ? {} : JSON.parse(out);
  return { code, err, codes: findings.map((finding: { code: string }) => finding.code), ...pass };
}

async function live(service: Service): Promise<void> {
  const { client, tenant } = service;
  await client.chat(ASK);
  await client.recall(ASK);
  await client.setAccess({ agentId: "assistant", namespace: "diet", allowed: false });
  await client.chat(ASK);
  await client.capture({ namespace: "work", content: "Meets on Mondays.", sourceAgent: "assistant" });
  await client.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
  await tenant.log.sequence();
}

test("a monitor with a key checks all that an honest service shows, and one without a key what is public", async () => {
  const folder = await directoryForTest();
  const service = await startKeyedService();
  onTestFinished(() => service.stop());
  const { key } = await service.keyFor("auditor");
  const agent = await service.keyFor("agent:assistant", { captures: ["work"] });
  const byAdmin = { ...service, client: { ...service.admin, chat: agent.client.chat, recall: agent.client.recall } };
  await live(byAdmin as Service);
  const first = await monitor(service, join(folder, "auditor"), [], key);
  expect(first).toMatchObject({ code: 0, codes: [], receipts: 3 });
  expect(first.entries).toBeGreaterThan(9);
  const vkey = await service.tenant.log.vkey();
  for (const [name, publicly] of [
    ["public", ["--log-key", vkey]],
    ["told", []],
  ] as const)
    expect(await monitor(service, join(folder, name), [...publicly])).toMatchObject({
      code: 0,
      codes: [],
      size: first.size,
    });
  await live(byAdmin as Service);
  const second = await monitor(service, join(folder, "auditor"), [], key);
  expect(second).toMatchObject({ code: 0, codes: [], receipts: 6 });
  expect(second.size).toBeGreaterThan(first.size);
  expect(await monitor(service, join(folder, "public"))).toMatchObject({ code: 0, size: second.size });
  const other = vkey.replace(/^[^+]+/, "other.example/log");
  expect(await monitor(service, join(folder, "public"), ["--log-key", other])).toMatchObject({ code: 2 });
});

test("a monitor that goes on tells what it finds, in metrics as well", async () => {
  const folder = await directoryForTest();
  const service = await startService();
  onTestFinished(() => service.stop());
  await live(service);
  const stopping = new AbortController();
  const port = await freePort();
  let out = "";
  const args = ["monitor", service.url, "--state", folder, "--follow", "--interval", "1", "--metrics", `${port}`];
  const running = portcullis(args, {
    signal: stopping.signal,
    onWrite: (text) => {
      out += text;
    },
  });
  await waitFor(() => expect(out).toMatch(/nothing is wrong/));
  await live(service);
  await waitFor(() => expect(out).toMatch(/receipts 6: nothing is wrong/));
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toMatch(/^portcullis_monitor_up 1$/m);
  expect(metrics).toMatch(/^portcullis_monitor_findings 0$/m);
  expect(metrics).toMatch(/^portcullis_monitor_receipts 6$/m);
  stopping.abort();
  expect((await running).code).toBe(0);
});

test("a monitor finds an operator who takes back what was published, or removes what is on record", async () => {
  const folder = await directoryForTest();
  const [database, backup, seen] = ["records.db", "backup.db", "seen"].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  const start = (environment: Record<string, string> = {}) => startService({ database, environment });
  const first = await start();
  await live(first);
  expect(await monitor(first, seen)).toMatchObject({ code: 0, codes: [] });
  await first.stop();
  copyFileSync(database, backup);

  const second = await start();
  await live(second);
  expect(await monitor(second, seen)).toMatchObject({ code: 0, codes: [] });
  await second.stop();

  // Two histories: the same log, from an older copy.
  copyFileSync(backup, database);
  const noticed = await start();
  await expect(noticed.tenant.log.sequence()).rejects.toThrow(/older than what was published.*LOG_ORIGIN/);
  await noticed.stop();
  rmSync(`${database}.log-checkpoint`);
  const forked = await start();
  await live(forked);
  await live(forked);
  const found = await monitor(forked, seen);
  expect(found).toMatchObject({ code: 1, codes: expect.arrayContaining(["fork", "chain"]) });
  const notes = readFileSync(join(seen, "evidence.txt"), "utf8").split(/\n\n(?!—)/);
  const sizes = notes.map((note) => parseCheckpoint(`${note.trimEnd()}\n`)?.size);
  expect(sizes).toEqual([expect.any(Number), expect.any(Number)]);
  await forked.stop();

  // A log that ends before what it has shown, and has no tiles of the rest.
  rmSync(`${database}.log-checkpoint`);
  copyFileSync(backup, database);
  const shrunk = await start();
  expect(await monitor(shrunk, seen)).toMatchObject({
    code: 1,
    codes: expect.arrayContaining(["shrunk"]),
    unchecked: expect.stringMatching(/404/),
  });
  await shrunk.stop();

  // What was answered is removed from the records, or from the log.
  rmSync(`${database}.log-checkpoint`);
  copyFileSync(backup, database);
  const records = new DatabaseSync(database);
  records.exec(`DELETE FROM log_batches WHERE ${hasKind("'issued'")}`);
  records.close();
  const removed = await start();
  onTestFinished(() => removed.stop());
  expect(await monitor(removed, join(folder, "new"))).toMatchObject({
    code: 1,
    codes: expect.arrayContaining(["gap", "receipt-not-in-log", "chain"]),
  });
  // Whoever damages what the monitor knows, gains no fresh start.
  writeFileSync(join(seen, "monitor.json"), "{");
  expect(await monitor(removed, seen)).toMatchObject({ code: 2, err: expect.stringMatching(/damaged/) });
});

test("a monitor goes on with a log that gets another name, and finds an operator who hides answers as imported", async () => {
  const folder = await directoryForTest();
  const [database, seen] = ["records.db", "seen"].map((name) => join(folder, name)) as [string, string];
  const start = async (LOG_ORIGIN: string) => startService({ database, environment: { LOG_ORIGIN } });
  const first = await start("memory.example/first");
  await live(first);
  expect(await monitor(first, seen)).toMatchObject({ code: 0, codes: [], imported: 0 });
  await first.stop();
  const renamed = await start("memory.example/second");
  await live(renamed);
  expect(await monitor(renamed, seen)).toMatchObject({ code: 0, codes: [], origin: "memory.example/second" });
  await renamed.stop();

  const records = new DatabaseSync(database);
  const instead = (kind: string, other: string) => `
    CREATE TRIGGER hide_${kind} AFTER INSERT ON log_batches WHEN new.${hasKind(`'${kind}'`)} BEGIN
      UPDATE log_batches SET entries = replace(entries, '"kind":"${kind}"', '"kind":"${other}"')
        WHERE tenant = new.tenant AND last = new.last;
    END`;
  records.exec(instead("opened", "captured"));
  records.exec(instead("issued", "imported"));
  records.close();
  const hiding = await start("memory.example/second");
  onTestFinished(() => hiding.stop());
  await hiding.client.recall(ASK);
  await hiding.tenant.log.sequence();
  const found = { code: 1, codes: ["receipt-not-in-log"], imported: 1 };
  expect(await monitor(hiding, seen)).toMatchObject(found);
  expect(await monitor(hiding, join(folder, "new"))).toMatchObject(found);
});

test("a monitor finds a verify.html that the log does not name", async () => {
  const folder = await directoryForTest();
  const page = "<!doctype html><title>Verify</title>";
  writeFileSync(join(folder, "index.html"), page);
  writeFileSync(join(folder, "verify.html"), page);
  const web = await loadWeb(folder);
  const service = await startService({ web });
  onTestFinished(() => service.stop());
  expect(await monitor(service, join(folder, "seen"))).toMatchObject({ code: 1, codes: ["verifier-not-in-log"] });
  await service.tenant.log.nameVerifier(web?.verifier ?? "");
  await service.tenant.log.sequence();
  expect(await monitor(service, join(folder, "seen"))).toMatchObject({ code: 0, codes: [] });
});

test("nothing in the log tells what was forgotten, has expired or was a deleted tenant's, and the log still verifies", async () => {
  const folder = await directoryForTest();
  const database = join(folder, "records.db");
  const service = await startService({ database });
  onTestFinished(() => service.stop());
  const { client, tenant } = service;
  await live(service);
  const canary = (where: string) => ({ namespace: "diet", content: `A canary ${where}.`, sourceAgent: "canary" });
  const { memory: forgotten } = await client.capture(canary("was forgotten"));
  const expired = await tenant.records.memories.add(
    newMemory("A canary has expired.", {
      namespace: "diet",
      // Long enough that no random value contains it.
      storeRef: "blob-of-what-has-expired",
      expiresAt: "2020-01-01T00:00:00.000Z",
    }),
  );
  const { receipt } = await client.chat({ agentId: "assistant", query: "Which canary was forgotten?" });
  await tenant.log.sequence();
  expect(await monitor(service, join(folder, "seen"))).toMatchObject({ code: 0, codes: [] });

  await tenant.tenantAdministration.create("canary-guest");
  const guest = createClient({ baseUrl: service.url, tenant: "canary-guest" });
  const { memory: deleted } = await guest.capture(canary("lived elsewhere"));
  const { receipt: left } = await guest.chat({ agentId: "assistant", query: "Where did the canary live?" });
  await client.forgetMemory({ memoryId: forgotten.memoryId });
  // A recall may have done so already.
  await tenant.records.memories.forgetExpired(100);
  expect((await tenant.records.memories.tombstone(expired.memoryId))?.tombstone.cause).toBe("expired");
  const [{ number = 0 } = {}] = [...tenant.tenants.loaded()].filter(({ id }) => id === "canary-guest");
  const at = new Date().toISOString();
  await tenant.tenantDeletions.begin("canary-guest", at);
  while ((await tenant.tenantDeletions.step({ number }, at)) !== "ended");
  await tenant.log.sequence();

  const records = new DatabaseSync(database, { readOnly: true });
  onTestFinished(() => records.close());
  const rows = ["log_tiles", "log_head", "log_chains", "log_batches", "log_subjects"].map((table) =>
    records.prepare(`SELECT * FROM ${table}`).all(),
  );
  const disclosed = await Promise.all(
    (["deployment", "tenant"] as const).map((chain) => client.listLogEntries({ after: 0, limit: 500, chain })),
  );
  const shown = JSON.stringify([disclosed, rows], (_, value: unknown) =>
    value instanceof Uint8Array
      ? `${Buffer.from(value).toString("hex")} ${Buffer.from(value).toString("latin1")}`
      : value,
  );
  const told = [forgotten, expired, deleted].flatMap(({ contentDigest, storeRef }) => [contentDigest, storeRef]);
  for (const text of ["canary", ...told, left.answerId, deleted.memoryId]) expect(shown).not.toContain(text);
  const ids = [forgotten.memoryId, expired.memoryId, receipt.answerId];
  for (const id of ids) expect(JSON.stringify(disclosed)).not.toContain(id);
  expect(await monitor(service, join(folder, "seen"))).toMatchObject({ code: 0, codes: [] });
});

test("receipts that were imported into another tenant are counted, and no finding", async () => {
  const folder = await directoryForTest();
  const service = await startService();
  onTestFinished(() => service.stop());
  await live(service);
  await service.tenant.tenantAdministration.create("guest");
  const [exported, bundle] = ["all.ndjson", "answer.json"].map((name) => join(folder, name)) as [string, string];
  const run = async (...args: string[]) => expect((await portcullis(args, { url: service.url })).code).toBe(0);
  await run("export", "--out", exported);
  await run("import", exported, "--tenant", "guest");
  await service.tenant.log.sequence();
  const found = await monitor(service, join(folder, "guest"), ["--tenant", "guest"]);
  expect(found).toMatchObject({ code: 0, codes: [], receipts: 3, imported: 3 });
  const { receipts } = await service.client.listReceipts({ limit: 1 });
  await run("proof", receipts[0]?.receipt.answerId ?? "", "--tenant", "guest", "--out", bundle);
  expect(JSON.parse(readFileSync(bundle, "utf8"))).not.toHaveProperty("log");
});
