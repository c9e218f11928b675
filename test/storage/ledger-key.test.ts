// The key of the local ledger belongs to one database. A database that comes without its key is refused at the start.
import { chmodSync, copyFileSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { directoryForTest, type Service, serviceForTest, startService } from "#test/support/service.ts";

const ASK = { agentId: "assistant", query: "What is for dinner?" };

async function anchorOn({ client }: Service) {
  const { receipt } = await client.chat(ASK);
  return client.anchorOnChain({ receipt });
}

/** A database with an anchor, whose service has stopped. */
async function anchoredDatabase(path: string) {
  const service = await startService({ database: path });
  const { receiptId } = await anchorOn(service);
  await service.stop();
  return receiptId;
}

test("two databases in one folder have a key each", async () => {
  const folder = await directoryForTest();
  for (const name of ["a.db", "b.db"]) await anchoredDatabase(join(folder, name));
  expect(readdirSync(folder).filter((name) => name.endsWith("key"))).toEqual(["a.db.ledger-key", "b.db.ledger-key"]);
});

test("a database that was restored without its key is refused, with the file that is missing and what to do", async () => {
  const folder = await directoryForTest();
  const path = join(folder, "p.db");
  const receiptId = await anchoredDatabase(path);
  const restored = join(folder, "restored");
  mkdirSync(restored);
  const database = join(restored, "p.db");
  copyFileSync(path, database);
  await expect(startService({ database })).rejects.toMatchObject({
    code: "configuration",
    message: expect.stringMatching(
      /key of the local ledger is missing: .*restored\/p\.db\.ledger-key\. Restore the file/,
    ),
  });
  expect(existsSync(`${database}.ledger-key`)).toBe(false);

  copyFileSync(`${path}.ledger-key`, `${database}.ledger-key`);
  chmodSync(`${database}.ledger-key`, 0o600);
  const service = await serviceForTest({ database });
  expect((await service.client.verify({ receiptId })).verdict).toBe("verified");
});

test("a database with the key of another one is refused", async () => {
  const folder = await directoryForTest();
  const [a, b] = [join(folder, "a.db"), join(folder, "b.db")];
  await anchoredDatabase(a);
  await anchoredDatabase(b);
  copyFileSync(`${b}.ledger-key`, `${a}.ledger-key`);
  await expect(startService({ database: a })).rejects.toThrow(/belongs to another ledger: .*a\.db\.ledger-key/);
});

test("a service whose key is lost can go on without anchoring, and verifies what it anchored", async () => {
  const folder = await directoryForTest();
  const database = join(folder, "p.db");
  const receiptId = await anchoredDatabase(database);
  rmSync(`${database}.ledger-key`);
  const service = await serviceForTest({ database, environment: { LOCAL_LEDGER: "read-only" } });
  expect((await service.client.verify({ receiptId })).verdict).toBe("verified");
  await service.client.setAccess({ agentId: "assistant", namespace: "n", allowed: true });
  await expect(anchorOn(service)).rejects.toThrow("read-only");
  expect(existsSync(`${database}.ledger-key`)).toBe(false);
});
