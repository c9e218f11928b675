// npm run keys, as a process of its own.
import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";

const CLI = fileURLToPath(new URL("../../src/cli/keys.ts", import.meta.url));

function keys(database: string, ...args: string[]) {
  const env = { DATABASE_URL: database };
  const { status, stdout, stderr } = spawnSync(process.execPath, [CLI, ...args], { encoding: "utf8", env });
  return { status, stdout, stderr };
}

test("The command makes the first admin's key before the first start, and works beside the service", async () => {
  const database = join(await directoryForTest(), "new", "records.db");
  const made = keys(database, "create", "--name", "ops", "--role", "admin");
  expect(made).toMatchObject({ status: 0, stdout: expect.stringMatching(/^portcullis_[0-9A-Za-z]{50}\n$/) });
  const [, keyId = ""] = /^(key_\w+) \(ops, admin\)/.exec(made.stderr) ?? [];

  const { url } = await serviceForTest({ database, environment: { AUTH: "keys" } });
  const admin = createClient({ baseUrl: url, bearer: made.stdout.trim() });
  expect((await admin.listKeys()).keys).toMatchObject([{ keyId, createdBy: "command line" }]);

  const agent = ["--name", "planner", "--role", "agent:planner", "--captures", "diet", "--captures", "a, b"];
  expect(keys(database, "create", ...agent, "--expires", "2099-01-01").status).toBe(0);
  expect((await admin.listKeys({ limit: 1 })).keys).toMatchObject([
    { role: "agent:planner", captures: ["diet", "a, b"], expiresAt: "2099-01-01T00:00:00.000Z" },
  ]);

  const rotated = keys(database, "rotate", keyId, "--grace", "1");
  await admin.getPolicy();
  await createClient({ baseUrl: url, bearer: rotated.stdout.trim() }).getPolicy();
  expect(keys(database, "revoke", keyId)).toMatchObject({ status: 0, stdout: "" });
  await expect(admin.getPolicy()).rejects.toMatchObject({ status: 401 });

  const listed = keys(database, "list").stdout;
  expect(listed.split("\n")).toHaveLength(3);
  expect(listed).toMatch(new RegExp(`${keyId}  admin  ops; .*revoked `));
  const lines = keys(database, "list", "--json").stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line).name)).toEqual(["planner", "ops"]);
  for (const secret of [made.stdout, rotated.stdout]) expect(listed).not.toContain(secret.trim().slice(22));
});

test.for([
  [["create", "--role", "admin"], "needs --name and --role"],
  [["create", "--name", "x", "--role", "boss"], "A role is"],
  [["create", "--name", "x", "--role", "admin", "--expires", "yesterday"], "--expires takes a time"],
  [["create", "--name", "x", "--role", "admin", "--expires", "2001-01-01"], "--expires takes a time"],
  [["rotate", "key_00000000000"], "There is no such key"],
  [["rotate", "key_00000000000", "--grace", "25"], "--grace takes hours"],
  [["rotate", "ops"], "Name the key by its id"],
  [["revoke", "key_00000000000"], "There is no such key"],
  [["revoke"], "Name the key by its id"],
  [["destroy"], "The commands are"],
  [["list", "a", "b"], "too many arguments"],
] as const)("keys %j fails and says why", async ([args, sentence]) => {
  const database = join(await directoryForTest(), "records.db");
  expect(keys(database, "create", "--name", "ops", "--role", "admin").status).toBe(0);
  expect(keys(database, ...args)).toMatchObject({ status: 1, stdout: "", stderr: expect.stringContaining(sentence) });
});

test("The command creates no database but for a new key, and helps", async () => {
  const database = join(await directoryForTest(), "records.db");
  expect(keys(database, "list")).toMatchObject({ status: 1, stderr: expect.stringContaining("There is no database") });
  expect(keys(":memory:", "create", "--name", "x", "--role", "admin").stderr).toContain("keeps nothing");
  for (const args of [[], ["--help"]]) expect(keys(database, ...args).stdout).toContain("npm run keys -- create");
});
