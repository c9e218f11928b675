// Backup and restore while the service runs: one consistent snapshot, with every write acknowledged before it began. The
// first test has processes, as an operator does. In the others the service and the commands are in this one.
import { chownSync, existsSync, readdirSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { readConfig } from "#config.ts";
import { type Client, createClient } from "#contract/client/client.ts";
import { prefixesOf, startWriters } from "#test/support/acknowledged-writers.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { runCommand } from "#test/support/run-command.ts";
import { post } from "#test/support/send.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

async function askAndAnchor(client: Client) {
  const { receipt } = await client.chat({ agentId: "assistant", query: "What is planned for dinner on Friday?" });
  return client.anchorOnChain({ answerId: receipt.answerId });
}

async function startFilled() {
  const directory = await directoryForTest();
  const path = join(directory, "records.db");
  const service = await serviceForTest({ database: path });
  await askAndAnchor(service.client);
  const command = (name: string, args: readonly string[], DATABASE_URL = path) =>
    portcullis([name, ...args], { settings: { DATABASE_URL } });
  return { directory, path, service, client: service.client, command };
}

/** For tests that start two services and several commands, which takes long on a busy machine. */
const LONG_MS = 300_000;

test("a backup under load has every write acknowledged before it, is a prefix of the rest, and fsck finds it clean", {
  timeout: LONG_MS,
}, async () => {
  const directory = await directoryForTest();
  const path = join(directory, "records.db");
  const service = serviceProcessForTest(directory, { PORT: "0", DATABASE_URL: path, LOG_LEVEL: "info" });
  const client = createClient({ baseUrl: await service.ready() });
  const anchored = await askAndAnchor(client);
  const writers = startWriters(client);
  await expect.poll(() => Math.min(writers.journal.answers.length, writers.journal.policy.length)).toBeGreaterThan(10);
  const before = structuredClone(writers.journal);
  const backup = join(directory, "backup");
  const taken = await runCommand("backup", [backup], { DATABASE_URL: path });
  const during = writers.count();
  await expect.poll(writers.count).toBeGreaterThan(during + 10);
  await writers.stop();
  expect(taken).toMatchObject({ code: 0 });

  // Restored in a new place, the service starts on it.
  const elsewhere = await directoryForTest();
  const restored = join(elsewhere, "data", "records.db");
  const environment = { DATABASE_URL: restored };
  expect(await runCommand("restore", [backup], environment)).toMatchObject({ code: 0 });
  const second = serviceProcessForTest(elsewhere, { PORT: "0", ...environment });
  const copy = createClient({ baseUrl: await second.ready() });
  const found = await prefixesOf(writers.journal, copy);
  expect(found.memories).toBeGreaterThanOrEqual(before.memories.length);
  expect(found.answers).toBeGreaterThanOrEqual(before.answers.length);
  const { policy, version } = await copy.getPolicy();
  expect(version).toBeGreaterThanOrEqual(before.policy.at(-1)?.version ?? 0);
  const rules = new Map(
    writers.journal.policy.filter((change) => change.version <= version).map((rule) => [rule.namespace, rule.allowed]),
  );
  expect(policy.reader).toEqual(Object.fromEntries(rules));

  // The ledger goes on with its key.
  const [answerId = ""] = writers.journal.answers;
  expect((await copy.anchorOnChain({ answerId })).txDigest).not.toBe(anchored.txDigest);
  await second.kill("SIGTERM");
  const checked = await runCommand("fsck", ["--json"], environment);
  expect(JSON.parse(checked.out)).toMatchObject({ differences: [], onLedger: 2 });
});

test("a backup is readable by its owner alone, never overwrites, and needs the key of the anchors on record", async () => {
  const { directory, path, service, command } = await startFilled();
  const backup = join(directory, "backup");
  expect(await command("backup", [backup, "--fsck"])).toMatchObject({ code: 0 });
  expect(readdirSync(backup).sort()).toEqual(["backup.json", "ledger.key", "records.db"]);
  for (const name of ["", ...readdirSync(backup)]) expect(statSync(join(backup, name)).mode & 0o077, name).toBe(0);
  const again = await command("backup", [backup]);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining("exists already") });
  const homeless = await command("backup", [join(directory, "missing", "backup")]);
  expect(homeless).toMatchObject({ code: 1, err: expect.stringContaining("in one that exists") });

  await service.stop();
  const { ledger } = readConfig({ DATABASE_URL: path });
  if (ledger.kind === "local") renameSync(ledger.keyPath ?? "", join(directory, "lost.key"));
  const refused = await command("backup", [join(directory, "keyless")]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("is missing") });
  expect(readdirSync(directory).filter((name) => /partial|keyless/.test(name))).toEqual([]);
});

test("a restore refuses a database that is there or served, and names the gates that it opens again", async () => {
  const { directory, path, service, client, command } = await startFilled();
  const backup = join(directory, "backup");
  await client.setAccess({ agentId: "reader", namespace: "x", allowed: true });
  expect(await command("backup", [backup])).toMatchObject({ code: 0 });
  // A reset removes what it does not know. That closes a gate as a revoke does.
  await client.resetDemo();
  await client.setAccess({ agentId: "assistant", namespace: "diet", allowed: false });

  expect((await command("restore", [backup])).err).toContain("--replace");
  const served = await command("restore", [backup, "--replace"]);
  expect(served).toMatchObject({ code: 1, err: expect.stringContaining("Another process serves") });
  await service.stop();
  const restored = await command("restore", [backup, "--replace"]);
  const line = { agentId: "assistant", namespace: "diet", allowed: false };
  expect(
    restored.out
      .trimEnd()
      .split("\n")
      .map((text) => JSON.parse(text)),
  ).toEqual([line, { agentId: "reader", namespace: "x", allowed: false }]);
  expect(readdirSync(directory).some((name) => name.startsWith("records.db.replaced-"))).toBe(true);

  const { url } = await serviceForTest({ database: path });
  expect((await post(`${url}/api/policy`, line)).status).toBe(200);
});

test("a key that was revoked or rotated since the backup stays so after a restore, and sessions end", {
  timeout: LONG_MS,
}, async () => {
  const directory = await directoryForTest();
  const environment = { DATABASE_URL: join(directory, "records.db"), AUTH: "keys", PORT: "0" };
  const command = (...args: string[]) => portcullis(args, { settings: environment });
  const keys = async (...args: string[]) => (await command("keys", ...args)).out.trim();
  const create = (name: string) => keys("create", "--name", name, "--role", "admin");
  const idOf = (key: string) => `key_${key.slice("portcullis_".length, "portcullis_".length + 11)}`;
  const [kept, leaked, ended] = [await create("kept"), await create("leaked"), await create("ended")];
  const service = serviceProcessForTest(directory, environment);
  const url = await service.ready();
  const signIn = await post(`${url}/api/session`, { key: kept }, { origin: url });
  const cookie = signIn.headers["set-cookie"]?.[0]?.split(";")[0] ?? "";
  const statusFor = async (at: string, headers: Record<string, string>) =>
    (await fetch(`${at}/api/policy`, { headers })).status;
  expect(await statusFor(url, { cookie })).toBe(200);
  expect(await command("signing-keys", "rotate")).toMatchObject({ code: 0 });
  const backup = join(directory, "backup");
  expect(await command("backup", backup)).toMatchObject({ code: 0 });
  const rotated = await keys("rotate", idOf(leaked));
  await keys("revoke", idOf(ended));
  const [leakedSigner = ""] = (await command("signing-keys", "list")).out.split("\t");
  expect(await command("signing-keys", "end", leakedSigner)).toMatchObject({ code: 0 });
  await service.kill("SIGKILL");

  const restored = await command("restore", backup, "--replace");
  expect(restored).toMatchObject({ code: 0, out: "" });
  expect(restored.err).toContain(`${idOf(ended)} (ended) was revoked after the backup, and stays revoked.`);
  expect(restored.err).toContain(`${idOf(leaked)} (leaked) was rotated`);
  expect(restored.err).not.toContain("(kept)");
  const signers = await command("signing-keys", "list");
  expect(signers.out).toMatch(new RegExp(`^${leakedSigner}\t.*\tended `));
  const again = await serviceProcessForTest(directory, environment).ready();
  const statuses = [kept, rotated, leaked, ended].map((key) => statusFor(again, { authorization: `Bearer ${key}` }));
  expect(await Promise.all(statuses)).toEqual([200, 200, 401, 401]);
  expect(await statusFor(again, { cookie })).toBe(401);
});

test.runIf(process.getuid?.() === 0)("what root restores belongs to the user who had the database", async () => {
  const { directory, path, service, command } = await startFilled();
  const backup = join(directory, "backup");
  expect(await command("backup", [backup])).toMatchObject({ code: 0 });
  await service.stop();
  const owner = { uid: 65_534, gid: 65_533 };
  for (const each of [directory, path]) chownSync(each, owner.uid, owner.gid);
  rmSync(`${path}-serving`, { force: true });
  expect(await command("restore", [backup, "--replace"])).toMatchObject({ code: 0 });
  const elsewhere = join(directory, "new", "records.db");
  expect(await command("restore", [backup], elsewhere)).toMatchObject({ code: 0 });
  const files = [path, `${path}.ledger-key`, `${path}-serving`, join(directory, "new"), elsewhere];
  for (const each of files) expect([each, statSync(each)]).toMatchObject([each, owner]);
});

test("a restore over a database that cannot be read says that its revokes are not known", async () => {
  const { directory, path, service, command } = await startFilled();
  const backup = join(directory, "backup");
  expect(await command("backup", [backup])).toMatchObject({ code: 0 });
  await service.stop();
  writeFileSync(path, "not a database ".repeat(1_000));
  const restored = await command("restore", [backup, "--replace"]);
  expect(restored).toMatchObject({ code: 0, out: "", err: expect.stringContaining("could not be read") });
});

test("a restore refuses what is not a backup, and a PostgreSQL is sent to its own tools", async () => {
  const directory = await directoryForTest();
  const settings = { DATABASE_URL: join(directory, "new.db") };
  expect((await portcullis(["restore", directory], { settings })).err).toContain("is not a backup");
  expect(existsSync(settings.DATABASE_URL)).toBe(false);
  const refused = await portcullis(["backup", join(directory, "backup")], {
    settings: { DATABASE_URL: "postgres://u:secret@db/p" },
  });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("pg_dump") });
  expect(refused.err).not.toContain("secret");
});
