// A full disk: writes are refused with a reason of their own, revokes have a reserve, readiness turns off, and all of it
// recovers by itself.
import { spawnSync } from "node:child_process";
import { rmSync, statfsSync } from "node:fs";
import { join } from "node:path";
import { setImmediate as nextTurn } from "node:timers/promises";
import { describe, expect, test } from "vitest";
import { roomOn } from "#adapters/records/sqlite/connection/files/disk-space.ts";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { createClient } from "#contract/client/client.ts";
import { memory, receipt } from "#test/suites/records/samples.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { send as get, post } from "#test/support/send.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { serviceProcessForTest } from "#test/support/service-process.ts";

const CHAT = { agentId: "assistant", query: "What about dinner?" };
const FACT = { namespace: "n", content: "something", sourceAgent: "s" };
const revoke = (namespace: string) => ({ agentId: "assistant", namespace, allowed: false });
const GATES = Array.from({ length: 20 }, (_, i) => `n${i}`);
const FULL = { code: "storage-full" };
const STAMP = { by: "test", at: "2026-01-02T03:04:05.678Z" };
const MB = 1024 * 1024;

type Receipt = ReturnType<typeof receipt>;

function diskOf(free: { bytes: number; inodes?: number }) {
  return () => ({ bavail: free.bytes / 4096, bsize: 4096, files: 1_000, ffree: free.inodes ?? 900 });
}

test("what the operating system says about the disk is kept for a moment, and then asked again", () => {
  const [free, time] = [{ bytes: 10 * MB, inodes: 5 }, { now: 0 }];
  const requireRoom = roomOn({ folder: "/", reserveBytes: 8 * MB, statfs: () => diskOf(free)(), now: () => time.now });
  requireRoom();
  free.bytes = 0;
  requireRoom();
  time.now += 60_000;
  expect(requireRoom).toThrow("full");
  [free.bytes, free.inodes] = [10 * MB, 0];
  time.now += 60_000;
  expect(requireRoom).toThrow("full");
  free.inodes = 1;
  time.now += 60_000;
  requireRoom();
});

test("with the reserve alone left, revokes and the end of what began are recorded, and nothing else is", async () => {
  const path = join(await directoryForTest(), "p.db");
  const free = { bytes: 100 * MB };
  const records = sqliteRecords({ path, serves: true, reserveBytes: 32 * MB, statfs: () => diskOf(free)() });
  await records.memories.add(memory(1));
  await records.policy.set({ agentId: "a", namespace: "n", allowed: true }, STAMP);
  const begun = receipt(1);
  await records.receipts.begin(begun);
  free.bytes = 31 * MB;
  await expect.poll(() => records.ping().catch((error) => error)).toMatchObject(FULL);

  await expect(records.memories.add(memory(2))).rejects.toMatchObject(FULL);
  await expect(records.policy.set({ agentId: "b", namespace: "n", allowed: true }, STAMP)).rejects.toMatchObject(FULL);
  const rules = [true, null].map((allowed, i) => ({ agentId: `c${i}`, namespace: "n", allowed }));
  await expect(records.policy.setAll(rules, STAMP)).rejects.toMatchObject(FULL);
  await expect(records.receipts.begin(receipt(2))).rejects.toMatchObject(FULL);
  await expect(records.receipts.add(receipt(3))).rejects.toMatchObject(FULL);
  await records.policy.set({ agentId: "a", namespace: "n", allowed: false }, STAMP);
  await records.policy.setAll([{ agentId: "a", namespace: "n", allowed: null }, ...rules.slice(1)], STAMP);
  await records.receipts.add(begun);
  expect((await records.memories.counts()).byNamespace).toEqual(new Map([["n", 1]]));

  free.bytes = 33 * MB;
  await expect.poll(() => records.ping().then(() => "ready", String)).toBe("ready");
  await records.memories.add(memory(2));
  await records.close();
});

test("with the reserve alone left, answers that began are on record, whatever is refused in the same turn", async () => {
  const path = join(await directoryForTest(), "p.db");
  const free = { bytes: 100 * MB };
  const records = sqliteRecords({ path, serves: true, reserveBytes: 32 * MB, statfs: () => diskOf(free)() });
  const { begin, add } = records.receipts;
  const begun = [1, 2, 3].map((each) => receipt(each));
  await Promise.all(begun.map((each) => begin(each)));
  free.bytes = 31 * MB;
  await expect.poll(() => records.ping().catch((error) => error)).toMatchObject(FULL);
  const [first, second, third] = begun as [Receipt, Receipt, Receipt];
  const ends = [begin(receipt(4)), add(first), add(receipt(5)), begin(receipt(6)), add(second), add(third)];
  const settled = await Promise.allSettled(ends);
  const outcomes = settled.map((each) => (each.status === "rejected" ? each.reason.code : "on record"));
  expect(outcomes).toEqual(["storage-full", "on record", "storage-full", "storage-full", "on record", "on record"]);
  expect(await records.receipts.countBegun()).toBe(0);
  await records.close();
});

test("a revoke that is repeated does not use up the reserve", async () => {
  const path = join(await directoryForTest(), "p.db");
  const free = { bytes: 100 * MB };
  const records = sqliteRecords({ path, serves: true, reserveBytes: 32 * MB, statfs: () => diskOf(free)() });
  const decision = { at: STAMP.at, principalId: "k", principalName: "k", role: "admin", route: "setAccess" } as const;
  const stamp = { ...STAMP, decision: { ...decision, policyVersion: 1, outcome: "changed" } } as const;
  const rule = (agentId: string, allowed: boolean) => ({ agentId, namespace: "n", allowed });
  await records.policy.set(rule("a", true), stamp);
  free.bytes = 31 * MB;
  await expect.poll(() => records.ping().catch((error) => error)).toMatchObject(FULL);

  const revoked = await records.policy.set(rule("a", false), stamp);
  const { decisions } = await records.decisions.page({ limit: 10 });
  expect(decisions).toHaveLength(2);
  // Somebody who did not hear the answer asks again, and is told the same.
  expect(await records.policy.set(rule("a", false), stamp)).toEqual(revoked);
  expect((await records.decisions.page({ limit: 10 })).decisions).toEqual(decisions);
  await records.close();
});

/** Starts the service where `folder` is a file system of its own. Only it, and `/proc/<pid>/root`, see that. */
const inSmallDisk = (folder: string, size: string) => [
  "unshare",
  ...(process.getuid?.() === 0 ? ["--mount"] : ["--user", "--map-root-user", "--mount"]),
  "sh",
  "-c",
  `mount -t tmpfs -o size=${size},mode=700 tmpfs '${folder}' && exec "$@"`,
  "sh",
];

const canMount = (() => {
  const [command = "", ...args] = inSmallDisk("/mnt", "1m");
  return process.platform === "linux" && spawnSync(command, [...args, "true"]).status === 0;
})();

describe.runIf(canMount)("on a disk that is really full (needs the right to mount a tmpfs)", () => {
  async function startOn(size: string, environment: Readonly<Record<string, string>>) {
    const disk = await directoryForTest();
    const variables = { DATABASE_URL: join(disk, "p.db"), PORT: "0", ...environment };
    const service = serviceProcessForTest("/", variables, { launcher: inSmallDisk(disk, size) });
    const url = await service.ready();
    const ballast = `/proc/${service.pid}/root${disk}/ballast`;
    return { service, url, disk, fill: (bytes?: number) => fill(ballast, bytes), empty: () => rmSync(ballast) };
  }

  function fill(path: string, bytes = 1_000 * MB): void {
    const { status } = spawnSync("dd", ["if=/dev/zero", `of=${path}`, "bs=64K", `count=${Math.ceil(bytes / 65_536)}`]);
    if (bytes < 1_000 * MB) expect(status).toBe(0);
  }

  test("every write is refused with 503 and the reason, readiness is off, reads go on, and the log stays short", async () => {
    const { service, url, fill, empty } = await startOn("24m", { DISK_RESERVE_MB: "0" });
    const client = createClient({ baseUrl: url });
    await client.capture(FACT);
    for (const namespace of GATES) await client.setAccess({ ...revoke(namespace), allowed: true });
    fill();
    // What the log of SQLite has already on disk is written again. Then nothing can be written any more.
    let written = 0;
    const writeMore = () => post(`${url}/api/memories`, { ...FACT, content: `${++written} ${"y".repeat(7_000)}` });
    await expect.poll(async () => (await writeMore()).status).toBe(503);
    expectProblem(await get(`${url}/readyz`), 503, "storage-full");
    const refused = await Promise.all(
      Array.from({ length: 20 }, (_, i) =>
        post(`${url}/api/memories`, { ...FACT, content: `${i} ${"x".repeat(7_000)}` }),
      ),
    );
    for (const answer of refused) expectProblem(answer, 503, "storage-full");
    const answers = await Promise.all(GATES.map((namespace) => post(`${url}/api/policy`, revoke(namespace))));
    for (const answer of answers) if (answer.status !== 200) expectProblem(answer, 503, "storage-full");
    expect((await client.listMemories({ limit: 1 })).memories).toHaveLength(1);
    const { policy } = await client.getPolicy();
    const acknowledged = GATES.filter((_, i) => answers[i]?.status === 200);
    for (const namespace of acknowledged) expect(policy.assistant?.[namespace]).toBe(false);
    const failures = service.out().match(/"request failed"|failed after/g) ?? [];
    expect(failures.length).toBeLessThan(4);

    empty();
    await expect.poll(async () => (await get(`${url}/readyz`)).status).toBe(200);
    expect((await post(`${url}/api/chat`, CHAT)).status).toBe(200);
  });

  test("a revoke is recorded while everything else is refused", async () => {
    const { url, fill, empty } = await startOn("64m", { DISK_RESERVE_MB: "32" });
    const client = createClient({ baseUrl: url });
    for (const namespace of GATES) await client.setAccess({ ...revoke(namespace), allowed: true });
    fill(40 * MB);
    await expect.poll(async () => (await get(`${url}/readyz`)).status).toBe(503);
    expectProblem(await post(`${url}/api/memories`, FACT), 503, "storage-full");
    expectProblem(await post(`${url}/api/chat`, CHAT), 503, "storage-full");
    for (const namespace of GATES)
      expect((await client.setAccess(revoke(namespace))).policy.assistant?.[namespace]).toBe(false);
    empty();
    await expect.poll(async () => (await post(`${url}/api/chat`, CHAT)).status).toBe(200);
  });

  test("imports that are sent at once leave the reserve to revokes", async () => {
    const { service, url, disk } = await startOn("96m", { DISK_RESERVE_MB: "32" });
    const client = createClient({ baseUrl: url });
    await client.setAccess({ ...revoke("n"), allowed: true });
    const free = () => {
      const { bavail, bsize } = statfsSync(`/proc/${service.pid}/root${disk}`);
      return (bavail * bsize) / MB;
    };
    const before = free();
    const uploads = Array.from({ length: 8 }, () => uploadWithoutEnd(url));
    await expect.poll(() => before - free()).toBeGreaterThan(7);
    for (const { goOn } of uploads) goOn();
    let [least, status] = [before, 0 as number | string];
    const refused = Promise.race(uploads.map(({ refused }) => refused)).then((first) => {
      status = first;
    });
    while (status === 0) {
      least = Math.min(least, free());
      await nextTurn();
    }
    await refused;
    expect(status).toBe(503);
    expect(least).toBeGreaterThan(32);
    await client.setAccess(revoke("n"));
    for (const { end } of uploads) end();
    await Promise.all(uploads.map(({ refused }) => refused));
  });

  /** Sends a megabyte, and then, when it is told to, 14 more. */
  function uploadWithoutEnd(url: string) {
    const controller = new AbortController();
    const told = Promise.withResolvers<void>();
    let sent = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(stream) {
        if (sent === 1) await told.promise;
        sent += 1;
        if (sent <= 15) stream.enqueue(new Uint8Array(MB).fill(32));
      },
    });
    const headers = { "content-type": "application/x-ndjson" };
    const init = { method: "POST", headers, body, duplex: "half", signal: controller.signal };
    const refused = fetch(`${url}/api/import`, init as RequestInit).then(
      ({ status }) => status,
      () => "cut",
    );
    return { goOn: told.resolve, refused, end: () => controller.abort() };
  }
});

test("on PostgreSQL a full disk of the server is reported in the same way", async () => {
  const { url: database, run, drop } = await freshDatabase();
  const { url, client, stop } = await serviceForTest({ database });
  await client.capture(FACT);
  await run(`CREATE FUNCTION portcullis.full_disk() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$;
    CREATE TRIGGER full_disk BEFORE INSERT ON portcullis.memories EXECUTE FUNCTION portcullis.full_disk()`);
  expectProblem(await post(`${url}/api/memories`, { ...FACT, content: "more" }), 503, "storage-full");
  expectProblem(await get(`${url}/readyz`), 503, "storage-full");
  expect((await client.listMemories({ limit: 1 })).memories).toHaveLength(1);
  await run("DROP TRIGGER full_disk ON portcullis.memories");
  await expect.poll(async () => (await get(`${url}/readyz`)).status).toBe(200);
  await client.capture({ ...FACT, content: "more" });
  await stop();
  await drop();
});
