import { Client } from "pg";
import { describe, expect, it, onTestFinished } from "vitest";
import { postgresRecords } from "#adapters/records/postgres/index.ts";
import { migrate } from "#adapters/records/postgres/migrate.ts";
import { MIGRATIONS } from "#adapters/records/postgres/migrations.ts";
import { fenceSuite } from "#test/suites/fence.ts";
import { historySuite } from "#test/suites/record-pages.ts";
import { recordStoreSuite } from "#test/suites/record-store.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { databaseForTest, memoryOf, STAMP, storeForTest } from "./fixture.ts";

async function prepare() {
  const { url, drop } = await freshDatabase();
  const open = () => postgresRecords({ url });
  return { open, openAgain: open, destroy: drop };
}

recordStoreSuite("PostgreSQL", prepare);
fenceSuite("PostgreSQL", prepare);
historySuite("PostgreSQL", prepare);

async function clientOf(url: string): Promise<Client> {
  const client = new Client({ connectionString: url });
  await client.connect();
  onTestFinished(() => client.end());
  return client;
}

const NEXT = [...MIGRATIONS, "CREATE TABLE later (x integer)"];

describe("a PostgreSQL database", () => {
  it("is made ready by one of several that start at once", async () => {
    const { url, run } = await databaseForTest();
    const stores = await Promise.all(Array.from({ length: 8 }, () => storeForTest(url)));
    await Promise.all(stores.map((records) => records.ping()));
    expect(await run("SELECT version FROM portcullis.schema_version")).toEqual([{ version: MIGRATIONS.length }]);
  });

  it("is migrated from an older version, keeping what it holds", async () => {
    const { url, run } = await databaseForTest();
    await (await storeForTest(url)).memories.add(memoryOf("kept"));
    await migrate(await clientOf(url), NEXT);
    expect(await run("SELECT content FROM portcullis.memories")).toEqual([{ content: "kept" }]);
    expect(await run("SELECT x FROM portcullis.later")).toEqual([]);
  });

  it("is left as it was when a migration fails", async () => {
    const { url, run } = await databaseForTest();
    await migrate(await clientOf(url));
    await expect(migrate(await clientOf(url), [...NEXT, "SELECT nonsense"])).rejects.toThrow("nonsense");
    expect(await run("SELECT to_regclass('portcullis.later') AS later")).toEqual([{ later: null }]);
    await (await storeForTest(url)).ping();
  });

  it("is refused with a sentence when a newer version wrote it", async () => {
    const { url } = await databaseForTest();
    await migrate(await clientOf(url), NEXT);
    await expect(postgresRecords({ url })).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringMatching(/written by a newer version of Portcullis.*Upgrade Portcullis/),
    });
  });

  it("is refused when its schema of our name is another program's, but not when it is empty", async () => {
    const { url, run } = await databaseForTest();
    await run("CREATE SCHEMA portcullis");
    await run("CREATE TABLE portcullis.theirs (x integer)");
    await expect(postgresRecords({ url })).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringContaining("another program's"),
    });
    await run("DROP TABLE portcullis.theirs");
    await (await storeForTest(url)).ping();
  });

  it("is refused when it is not there, or when nobody answers, without telling the password", async () => {
    const { url } = await databaseForTest();
    const opened = (to: Partial<URL>) => postgresRecords({ url: Object.assign(new URL(url), to).href });
    await expect(opened({ pathname: "/none" })).rejects.toMatchObject({ code: "configuration" });
    await expect(opened({ password: "s3cret" })).rejects.toMatchObject({
      code: "configuration",
      message: expect.not.stringContaining("s3cret"),
    });
    await expect(opened({ port: "1" })).rejects.toMatchObject({ code: "records-unavailable" });
    await expect(postgresRecords({ url: "postgres://[" })).rejects.toMatchObject({ code: "configuration" });
  });

  it("takes text with a NUL for an error, which harms nobody else", async () => {
    const records = await storeForTest((await databaseForTest()).url);
    const bad = { code: "records-unavailable" };
    const results = await Promise.allSettled([
      records.memories.add(memoryOf("a")),
      records.memories.add(memoryOf("nul \0")),
      records.memories.add(memoryOf("b")),
    ]);
    expect(results.map(({ status }) => status)).toEqual(["fulfilled", "rejected", "fulfilled"]);
    expect(results[1]).toMatchObject({ reason: bad });
    const { changes } = await records.changeFeed.since({ position: 0, policyVersion: 0 });
    expect(changes.map(({ sequence }) => sequence)).toEqual([1, 2]);

    await expect(records.memories.find("\0")).rejects.toMatchObject(bad);
    await expect(records.policy.set({ agentId: "\0", namespace: "n", allowed: true }, STAMP)).rejects.toMatchObject(
      bad,
    );
    await records.policy.set({ agentId: "a", namespace: "n", allowed: true }, STAMP);
    const passes = (agentId: string) =>
      records.policy.passFence({ agentId, policyVersion: 0, namespaces: ["n"] }, () => undefined);
    expect(await Promise.all([passes("a"), passes("\0"), passes("a")])).toEqual([true, false, true]);
  });

  it("is in the order of bytes, although its own order is another", async () => {
    const { url, run } = await databaseForTest();
    const records = await storeForTest(url);
    const names = ["a", "B", "_", "Z", "ä", "\u{1f600}", "\uffee"];
    expect(await run("SELECT 'a' < 'B' AS \"isEnglish\"")).toEqual([{ isEnglish: true }]);
    for (const namespace of names) await records.policy.set({ agentId: "x", namespace, allowed: true }, STAMP);
    const byBytes = names.toSorted((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    expect(Object.keys((await records.policy.current()).policy.x ?? {})).toEqual(byBytes);
  });

  it("keeps requests with more claims than an index has room for", async () => {
    const records = await storeForTest((await databaseForTest()).url);
    const claimed = Array.from({ length: 500 }, (_, i) => `${i} ${crypto.randomUUID()}`);
    const request = { agentId: "a", blobId: "b", digest: "d", claimed, issued: true };
    const pending = await records.chainAnchors.request(request, STAMP.at);
    expect(await records.chainAnchors.request(request, STAMP.at)).toEqual(pending);
    expect(await records.chainAnchors.pending()).toEqual([{ ...request, id: pending.id }]);
  });

  it("keeps the last lease of a blob, also when several come in one commit", async () => {
    const records = await storeForTest((await databaseForTest()).url);
    const lease = (endEpoch: number) => ({ blobId: "same", endEpoch, storedAt: STAMP.at });
    await Promise.all([1, 2, 3].map((n) => records.memories.add(memoryOf(`${n}`), lease(n))));
    expect(await records.leases.find("same")).toEqual(lease(3));
  });
});
