// portcullis export, and portcullis import of an export.
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { portcullis } from "#test/support/portcullis.ts";
import { changingNothing, directoryForTest, serviceForTest } from "#test/support/service.ts";
import { read } from "./exported.ts";

test("a file that one service wrote goes into another, whose import names the key to trust", async () => {
  const [from, to] = [await serviceForTest(), await serviceForTest({ environment: { SEED: "none" } })];
  const file = join(await directoryForTest(), "all.ndjson");
  const exported = await portcullis(["export", "--url", from.url, "--out", file]);
  expect(exported).toMatchObject({ code: 0, out: "" });
  const { trailer, records } = read(await readFile(file, "utf8"));
  const { keyId } = trailer.signature;
  expect(exported.err).toBe(`${records.length} records, signed with the key ${keyId}\n`);
  expect((await stat(file)).mode & 0o077).toBe(0);

  const refused = await portcullis(["import", file, "--url", to.url]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining(`--trust-key ${keyId}`) });
  const trial = ["import", file, "--url", to.url, "--dry-run"];
  expect((await portcullis(trial)).err).toContain(`--trust-key ${keyId}`);
  const [, memories] = await changingNothing(to, async () => [
    expect(await portcullis([...trial, "--trust-key", keyId])).toMatchObject({ code: 0 }),
    JSON.parse((await portcullis([...trial, "--trust-key", keyId, "--json"])).out),
  ]);
  expect(memories).toMatchObject({ dryRun: true, records: trailer.counts, newMemories: trailer.counts.memory });
  const imported = await portcullis(["import", file, "--url", to.url, "--trust-key", keyId]);
  expect(imported).toMatchObject({ code: 0, err: expect.stringContaining("the policy is the exported one now") });
  expect((await to.client.listMemories()).memories).toEqual((await from.client.listMemories()).memories);
  expect((await portcullis([...trial, "--trust-key", keyId])).err).toContain("0 of its memories are not on record");
});

test("the export overwrites no file, and goes to standard output without one", async () => {
  const { url } = await serviceForTest();
  const file = join(await directoryForTest(), "mine.ndjson");
  await writeFile(file, "mine");
  const refused = await portcullis(["export", "--url", url, "--out", file]);
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("exists") });
  expect(await readFile(file, "utf8")).toBe("mine");
  const { code, out } = await portcullis(["export", "--url", url, "--namespace", "diet"]);
  expect(code).toBe(0);
  expect(read(out).header.filter).toEqual({ namespace: "diet" });
});
