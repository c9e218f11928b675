// The transparency log as anyone reads it.
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { parseCheckpoint } from "#core/log/checkpoint.ts";
import { isConsistent, leafHash } from "#core/log/merkle-tree.ts";
import { checkSignature, parseVkey } from "#core/log/signed-note.ts";
import { hashesOf, parseEntryBundle } from "#core/log/tiles.ts";
import type { DeploymentRecords } from "#ports.ts";
import { databaseForTest } from "#test/adapters/postgres/fixture.ts";
import { definedRoot } from "#test/support/defined-root.ts";
import {
  directoryForTest,
  type Service,
  type ServiceOptions,
  serviceForTest,
  startService,
} from "#test/support/service.ts";

const DATABASES: Readonly<Record<string, () => Promise<ServiceOptions>>> = {
  SQLite: async () => ({ database: join(await directoryForTest(), "records.db") }),
  PostgreSQL: async () => ({ database: (await databaseForTest()).url }),
};

const bytesAt = async (service: Service, path: string) =>
  new Uint8Array(await (await fetch(`${service.url}/log/${path}`)).arrayBuffer());

async function checkpointOf(service: Service) {
  const response = await fetch(`${service.url}/log/checkpoint`);
  expect(response.headers.get("content-type")).toBe("text/plain; charset=utf-8");
  const checkpoint = parseCheckpoint(await response.text());
  if (checkpoint === undefined) return expect.fail("no checkpoint");
  const key = parseVkey(await service.tenant.log.vkey());
  expect(key && checkSignature(checkpoint.note, key)).toBe("valid");
  return checkpoint;
}

describe.each(Object.keys(DATABASES))("the log in %s", (name) => {
  test("has a signed checkpoint, and the tiles and entries of its tree", async () => {
    const service = await serviceForTest(await DATABASES[name]?.());
    const { client, tenant } = service;
    await tenant.log.sequence();
    const before = await checkpointOf(service);
    await client.chat({ agentId: "assistant", query: "peanut allergy" });
    await tenant.log.sequence();
    const { size, root } = await checkpointOf(service);
    expect(size).toBeGreaterThanOrEqual(before.size + 2);

    const tile = await fetch(`${service.url}/log/tile/0/000.p/${size}`);
    expect([tile.status, tile.headers.get("content-type"), tile.headers.get("cache-control")]).toEqual([
      200,
      "application/octet-stream",
      "public, max-age=31536000, immutable",
    ]);
    const hashes = hashesOf(new Uint8Array(await tile.arrayBuffer()));
    expect(definedRoot(hashes)).toEqual(root);
    const entries = parseEntryBundle(await bytesAt(service, `tile/entries/000.p/${size}`)) ?? [];
    expect(entries.map(({ length }) => length)).toEqual(Array(size).fill(32));
    expect(entries.map(leafHash)).toEqual(hashes);
    expect(await bytesAt(service, `tile/0/000.p/${before.size}`)).toEqual(
      Uint8Array.from(Buffer.concat(hashes.slice(0, before.size))),
    );
    const proof = (await tenant.log.consistency(before.size, size)) ?? [];
    expect(isConsistent(before, { size, root }, proof)).toBe(true);
    for (const path of [
      `tile/0/000.p/${size + 1}`,
      "tile/0/000",
      "tile/0/001.p/1",
      "tile/1/000.p/1",
      "tile/0/0",
      "tile/x",
    ])
      expect((await fetch(`${service.url}/log/${path}`)).status, path).toBe(404);
  });

  test("goes on after a restart, and another origin begins a log that names the old one's last checkpoint", async () => {
    const options = await DATABASES[name]?.();
    const first = await startService(options);
    await first.tenant.log.sequence();
    const { note, ...old } = await checkpointOf(first);
    await first.stop();
    const second = await startService(options);
    const again = await checkpointOf(second);
    expect([again.origin, again.size]).toEqual([old.origin, old.size]);
    await second.stop();
    const third = await serviceForTest({ ...options, environment: { LOG_ORIGIN: "memory.example/log" } });
    await third.tenant.log.sequence();
    const begun = await checkpointOf(third);
    expect(begun.origin).toBe("memory.example/log");
    expect(begun.size).toBe(old.size + 1);
    const proof = (await third.tenant.log.consistency(old.size, begun.size)) ?? [];
    expect(isConsistent(old, begun, proof)).toBe(true);
    const { deploymentLog } = third.tenant.records as unknown as DeploymentRecords;
    const [restored] = (await deploymentLog.entries({ after: 0, limit: 100 }))
      .slice(-1)
      .map(({ body }) => JSON.parse(body));
    expect(restored).toMatchObject({ kind: "restored", checkpoint: expect.stringContaining(note.text) });
  });
});
