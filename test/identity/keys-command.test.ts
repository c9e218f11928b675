// portcullis keys.
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { createClient } from "#contract/client/client.ts";
import { fetchWithoutKeepAlive } from "#test/support/fetch-without-keep-alive.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";

interface Outcome {
  readonly status: unknown;
  readonly stdout: string;
  readonly stderr: string;
}

async function keys(database: string, ...args: string[]): Promise<Outcome> {
  const { code, out, err } = await portcullis(["keys", ...args], { settings: { DATABASE_URL: database } });
  return { status: code, stdout: out, stderr: err };
}

test("The command makes the first admin's key before the first start, and works beside the service", async () => {
  const database = join(await directoryForTest(), "new", "records.db");
  const made = await keys(database, "create", "--name", "ops", "--role", "admin");
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^portcullis_[0-9A-Za-z]{50}\n$/) });
  expect(made.stderr).toContain(`There was no database at ${database}`);
  const [, keyId = ""] = /^(key_\w+) \(ops, admin\)/m.exec(made.stderr) ?? [];

  const { url } = await serviceForTest({ database, environment: { AUTH: "keys" } });
  const as = (key: string) => createClient({ baseUrl: url, fetch: fetchWithoutKeepAlive, bearer: key.trim() });
  const admin = as(made.stdout);
  expect((await admin.listKeys()).keys).toMatchObject([{ keyId, createdBy: "command line" }]);

  const agent = ["--name", "planner", "--role", "agent:planner", "--captures", "diet", "--captures", "a, b"];
  expect((await keys(database, "create", ...agent, "--expires", "2099-01-01")).status).toBe(0);
  expect((await admin.listKeys({ limit: 1 })).keys).toMatchObject([
    { role: "agent:planner", captures: ["diet", "a, b"], expiresAt: "2099-01-01T00:00:00.000Z" },
  ]);

  const rotated = await keys(database, "rotate", keyId, "--grace", "1");
  await admin.getPolicy();
  await as(rotated.stdout).getPolicy();
  expect(await keys(database, "revoke", keyId)).toMatchObject({ status: 0, stdout: "" });
  await expect(admin.getPolicy()).rejects.toMatchObject({ status: 401 });

  const listed = (await keys(database, "list")).stdout;
  expect(listed.split("\n")).toHaveLength(3);
  expect(listed).toMatch(new RegExp(`${keyId}\tadmin\tops\t.*revoked `));
  const lines = (await keys(database, "list", "--json")).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(["planner", "ops"]);
  for (const secret of [made.stdout, rotated.stdout]) expect(listed).not.toContain(secret.trim().slice(22));
});

test("A command that cannot be done fails and says why", async () => {
  const database = join(await directoryForTest(), "records.db");
  await sqliteRecords({ path: database }).close();
  const create = ["create", "--name", "x", "--role"];
  const mistakes: [args: string[], sentence: string, status?: number][] = [
    [["create", "--role", "admin"], "needs --name and --role"],
    [[...create, "boss"], "A role is"],
    [[...create, "admin", "--expires", "2001-01-01"], "--expires takes a time"],
    [[...create, "admin", "--expires", "2099-02-31"], "--expires takes a time"],
    [["rotate", "key_00000000000", "--grace", "25"], "--grace takes hours"],
    [["rotate", "ops"], "Name the key by its id"],
    [["revoke", "key_00000000000"], "There is no such key", 4],
    [["destroy"], "The commands are"],
    [["list", "a", "b"], "too many arguments"],
  ];
  for (const [args, sentence, status = 2] of mistakes) {
    const outcome = await keys(database, ...args);
    expect(outcome).toMatchObject({ status, stdout: "", stderr: expect.stringContaining(sentence) });
  }
});

test("The command creates no database but for a new key, and helps", async () => {
  const database = join(await directoryForTest(), "records.db");
  expect(await keys(database, "list")).toMatchObject({
    status: 1,
    stderr: expect.stringContaining("There is no database"),
  });
  expect((await keys(database, "create", "--name", "x", "--role", "boss")).status).toBe(2);
  expect(existsSync(database)).toBe(false);
  expect((await keys(":memory:", "create", "--name", "x", "--role", "admin")).stderr).toContain("keeps nothing");
  expect((await keys(database, "--help")).stdout).toContain("keys create");
});
