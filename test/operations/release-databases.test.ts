// Databases that a released version wrote: this version starts on them and has all that is in them. Never edit these
// files. scripts/release-databases.ts writes those of the next release. (Until 0.2.0 is out, its schema may still change:
// then run the script again.)
import { chmodSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";
import { verificationOf } from "#test/support/verification-of.ts";

const RELEASES = ["0.2.0"];

const fileOf = (release: string, name: string): Buffer =>
  gunzipSync(readFileSync(new URL(`../vectors/release-${release}/${name}.gz`, import.meta.url)));

const DATABASES = {
  async SQLite(release: string) {
    const path = join(await directoryForTest(), "records.db");
    writeFileSync(path, fileOf(release, "records.db"));
    writeFileSync(`${path}.ledger-key`, fileOf(release, "ledger-key"));
    chmodSync(`${path}.ledger-key`, 0o600);
    return path;
  },
  async PostgreSQL(release: string) {
    const { url, run } = await databaseForTest();
    await run("DROP SCHEMA IF EXISTS portcullis CASCADE");
    await run(fileOf(release, "records.sql").toString());
    return url;
  },
};

describe.for(RELEASES)("a database of release %s", (release) => {
  test.for(Object.entries(DATABASES))("in %s has its records, and its proofs verify", async ([name, restored]) => {
    const { client, tenant } = await serviceForTest({ database: await restored(release) });
    const gardens = await client.listMemories({ namespace: "garden" });
    expect(gardens.memories.map(({ content, pinned = false }) => [content, pinned])).toEqual([
      ["Water at six.", true],
      ["The hydrangea, now pink, needs chalky soil.", false],
    ]);
    expect((await client.getPolicy()).policy).toMatchObject({
      gardener: { garden: true },
      assistant: { finance: false },
    });
    const { receipts } = await client.listReceipts({ limit: 10 });
    expect(receipts.map(({ question }) => question)).toEqual([
      "What is planned for dinner on Friday?",
      "Which soil does the hydrangea need?",
    ]);
    const [anchored] = receipts.flatMap(({ chain }) => chain);
    expect((await verificationOf(client, anchored?.receiptId ?? "")).verdict).toBe("verified");
    const found: unknown[] = [];
    const hasKeyFile = name === "SQLite" || undefined;
    await fsck(tenant, { hasKeyFile, onDifference: (difference) => void found.push(difference) });
    expect(found).toEqual([]);

    const { receipt } = await client.chat({ agentId: "gardener", query: "When is the garden watered?" });
    expect((await client.anchorOnChain({ receipt })).allAuthorized).toBe(true);
  });
});
