// In mock mode the service is the blob store: it gives no blob of a memory that is forgotten or has expired.
import { expect, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import type { DeploymentRecords } from "#ports.ts";
import { serviceForTest } from "#test/support/service.ts";

const FACT = { namespace: "garden", content: "The roses are yellow.", sourceAgent: "s" };
const STAMP = { by: "test", at: "2026-01-01T00:00:00.000Z" };

test("a memory that is forgotten while its blob is read does not leave any more", async () => {
  const records = sqliteRecords({ path: ":memory:" });
  let memoryId = "";
  const forgetting: DeploymentRecords = {
    ...records,
    blobTexts: {
      ...records.blobTexts,
      async find(blobId) {
        const found = await records.blobTexts.find(blobId);
        if (memoryId !== "") await records.memories.forget({ memoryIds: [memoryId], cause: "forgotten" }, STAMP);
        return found;
      },
    },
  };
  const { url, client } = await serviceForTest({ overrides: { records: forgetting } });
  const { memory } = await client.capture(FACT);
  memoryId = memory.memoryId;
  const response = await fetch(`${url}/v1/blobs/${memory.storeRef}`);
  expect(response.status).toBe(404);
  expect(await response.text()).not.toContain("yellow");
});

test("no cache keeps the blob of a memory, and the blob is gone when the memory has expired", async () => {
  let now = new Date("2026-01-01T00:00:00.000Z");
  const records = sqliteRecords({ path: ":memory:", now: () => now });
  const { url, client } = await serviceForTest({ overrides: { records, now: () => now } });
  const { memory } = await client.capture({ ...FACT, expiresAt: "2026-01-01T01:00:00.000Z" });
  const before = await fetch(`${url}/v1/blobs/${memory.storeRef}`);
  expect(await before.text()).toContain("yellow");
  expect(before.headers.get("cache-control")).toBe("no-store");
  now = new Date("2026-01-01T01:00:00.000Z");
  expect((await fetch(`${url}/v1/blobs/${memory.storeRef}`)).status).toBe(404);
});
