// Pruning of old receipts and decisions, with the archive that they go to first.
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { chmod, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { archiveFolder } from "#adapters/archive/archive-folder.ts";
import { pruneRecordsRegularly } from "#background/jobs.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { recordedForm } from "#core/receipt/sealed-form.ts";
import { createLog } from "#log.ts";
import type { Archive } from "#ports.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { pruneRecords } from "#service/operations/prune-records.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { interceptCalls } from "#test/support/intercept-calls.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";

const prune = (args: readonly string[], settings: Readonly<Record<string, string>>) =>
  portcullis(["prune", ...args], { settings });

const NOW = new Date("2027-01-01T00:00:00Z");
const QUESTION = { agentId: "assistant", query: "What is planned for dinner on Friday?" };

interface Line {
  readonly kind: string;
  readonly answerId?: string;
  readonly sequence?: number;
  readonly digest?: string;
  readonly receipt?: unknown;
}

function linesIn(folder: string, kind: string): Line[] {
  const files = readdirSync(folder).filter((name) => name.startsWith(kind));
  return files.flatMap((name) => {
    const text = gunzipSync(readFileSync(join(folder, name))).toString();
    return text
      .trimEnd()
      .split("\n")
      .map((line) => JSON.parse(line));
  });
}

const databaseOf = async (kind: "sqlite" | "postgres"): Promise<string> =>
  kind === "sqlite" ? ":memory:" : (await databaseForTest()).url;

async function ask({ client }: Service, times: number): Promise<string[]> {
  const ids: string[] = [];
  for (let i = 0; i < times; i++) ids.push((await client.chat(QUESTION)).receipt.answerId);
  return ids;
}

describe.each(["sqlite", "postgres"] as const)("pruning on %s", (kind) => {
  test("removes what is in the archive, keeps what is anchored, and leaves nothing that fsck complains about", async () => {
    const service = await serviceForTest({ database: await databaseOf(kind) });
    const { client, tenant } = service;
    const ids = await ask(service, 5);
    const [kept = "", first = ""] = ids;
    await client.anchorOnChain({ answerId: kept });
    const { receipt } = await client.getReceipt({ answerId: first });
    const hours = (await client.getOverview()).answers.byHour;
    const folder = join(await directoryForTest(), "archive");
    const archive = archiveFolder({ folder, now: NOW });
    const pruned = await pruneRecords(tenant.records, { before: NOW.toISOString(), now: NOW, archive });
    await archive.close();

    expect(pruned.receipts).toBe(4);
    const receipts = linesIn(folder, "receipts").filter((line) => line.kind === "receipt");
    expect(receipts.map(({ answerId }) => answerId)).toEqual(ids.slice(1));
    // What is on record holds no text of memories, and neither does the archive.
    expect(receipts[0]?.receipt).toEqual(recordedForm(receipt as AnswerReceipt));
    const decisions = linesIn(folder, "decisions");
    const numbers = decisions.flatMap(({ sequence }) => sequence ?? []);
    expect(numbers).toHaveLength(pruned.decisions);
    expect(new Set(numbers).size).toBe(numbers.length);
    expect(decisions.filter((line) => line.kind === "names").length).toBeGreaterThan(0);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o077).toBe(0);

    await expect(client.getReceipt({ answerId: first })).rejects.toMatchObject({ status: 404 });
    expect((await client.getReceipt({ answerId: kept })).receipt.answerId).toBe(kept);
    expect((await client.getOverview()).answers.byHour).toEqual(hours);
    const differences: unknown[] = [];
    await fsck(tenant, { onDifference: (difference) => differences.push(difference) });
    expect(differences).toEqual([]);
    expect((await client.chat(QUESTION)).answer).not.toBe("");
  });

  test("loses nothing when the archive fails in the middle: each receipt is on record, in the archive, or in both", async () => {
    const service = await serviceForTest({ database: await databaseOf(kind) });
    const ids = await ask(service, 3);
    const { retention, receipts } = service.tenant.records;
    const archived: string[] = [];
    const archive: Archive = {
      async append(_, lines) {
        archived.push(...lines);
        throw new Error("The disk is full.");
      },
      close: async () => undefined,
    };
    const options = { before: NOW.toISOString(), now: NOW };
    await expect(pruneRecords(service.tenant.records, { ...options, archive })).rejects.toThrow("full");
    for (const id of ids) expect(await receipts.find(id)).toBeDefined();

    // The same when the removal fails after the archive has them: the next run brings them again.
    const folder = await directoryForTest();
    const broken = interceptCalls(retention, (name, call) =>
      name === "remove" ? Promise.reject(new Error("The database is gone.")) : call(),
    );
    const first = archiveFolder({ folder, now: NOW });
    const records = { ...service.tenant.records, retention: broken };
    await expect(pruneRecords(records, { ...options, archive: first })).rejects.toThrow("gone");
    const second = archiveFolder({ folder, now: new Date(NOW.getTime() + 60_000) });
    await pruneRecords(service.tenant.records, { ...options, archive: second });
    for (const each of [first, second]) await each.close();
    const found = linesIn(folder, "receipts").flatMap(({ answerId }) => answerId ?? []);
    expect(new Set(found)).toEqual(new Set(ids));
  });
});

test("the service prunes in the background what is older than RETAIN_DAYS, and nothing else", async () => {
  const { tenant, client } = await serviceForTest({ overrides: { now: () => new Date("2026-01-01T00:00:00Z") } });
  const { receipt: old } = await client.chat(QUESTION);
  const log = createLog({ level: "silent" });
  const folder = join(await directoryForTest(), "archive");
  const days = 30;
  const openArchive = (now: Date) => archiveFolder({ folder, now });
  const at = (time: string) => ({ ...tenant, now: () => new Date(time) });

  pruneRecordsRegularly(at("2026-01-30T23:00:00Z"), log, { days: 0, openArchive }).stop();
  const early = pruneRecordsRegularly(at("2026-01-30T23:00:00Z"), log, { days, openArchive });
  const due = pruneRecordsRegularly(at("2026-01-31T01:00:00Z"), log, { days, openArchive });
  await expect
    .poll(() =>
      client.getReceipt({ answerId: old.answerId }).then(
        () => 200,
        ({ status }) => status,
      ),
    )
    .toBe(404);
  await expect.poll(() => existsSync(folder)).toBe(true);
  for (const pruning of [early, due]) pruning.stop();
});

describe("portcullis prune", () => {
  test("counts with --dry-run, exports and removes beside a running service, and refuses to lose anything unasked", async () => {
    const directory = await directoryForTest();
    const path = join(directory, "records.db");
    const service = await serviceForTest({ database: path });
    const ids = await ask(service, 3);
    const folder = join(directory, "archive");
    const before = new Date().toISOString();
    const environment = { DATABASE_URL: path };
    const refused = await prune(["--before", before], environment);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("--export") });
    const dry = await prune(["--before", before, "--dry-run"], environment);
    expect(dry).toMatchObject({ code: 0, err: expect.stringContaining("3 receipts") });
    const done = await prune(["--before", before, "--export", folder], environment);
    expect(done).toMatchObject({ code: 0, err: expect.stringContaining("Removed 3 receipts") });
    expect(done.err).toContain(`older than ${before}`);
    expect(linesIn(folder, "receipts").flatMap(({ answerId }) => answerId ?? [])).toEqual(ids);
    expect((await service.client.listReceipts()).receipts).toEqual([]);
    const discarded = await prune(["--before", before], { ...environment, RETAIN_EXPORT: "none" });
    expect(discarded).toMatchObject({ code: 0, err: expect.stringContaining("Removed 0 receipts") });
  });

  test("creates no database where DATABASE_URL is mistyped, and takes no day that is not in the calendar", async () => {
    const environment = { DATABASE_URL: join(await directoryForTest(), "mistyped", "records.db") };
    const missing = await prune(["--before", "2026-01-01", "--dry-run"], environment);
    expect(missing).toMatchObject({ code: 1, err: expect.stringContaining("There is no database") });
    expect(existsSync(dirname(environment.DATABASE_URL))).toBe(false);
    const refused = await prune(["--before", "2026-02-31", "--dry-run"], environment);
    expect(refused).toMatchObject({ code: 2, err: expect.stringContaining("--before takes a time") });
  });

  test.skipIf(process.getuid?.() === 0)("removes nothing when the folder cannot be written (not as root)", async () => {
    const directory = await directoryForTest();
    const path = join(directory, "records.db");
    const service = await serviceForTest({ database: path });
    await ask(service, 1);
    await chmod(directory, 0o500);
    const args = ["--before", new Date().toISOString(), "--export", join(directory, "archive")];
    expect((await prune(args, { DATABASE_URL: path })).code).toBe(1);
    expect((await service.client.listReceipts()).receipts).toHaveLength(1);
  });

  test("removes nothing when the export is no folder", async () => {
    const directory = await directoryForTest();
    const path = join(directory, "records.db");
    const service = await serviceForTest({ database: path });
    await ask(service, 1);
    await writeFile(join(directory, "file"), "");
    const args = ["--before", new Date().toISOString(), "--export", join(directory, "file")];
    const refused = await prune(args, { DATABASE_URL: path });
    expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("must be a folder") });
    expect((await service.client.listReceipts()).receipts).toHaveLength(1);
  });
});
