// portcullis encryption: what an operator does with the key of encrypted namespaces.
import { join } from "node:path";
import { expect, test } from "vitest";
import { encryptionKeyOf } from "#adapters/encryption/encryption-secret.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";

const [OLD, NEW] = ["0a".repeat(32), "0b".repeat(32)];
const COUNT = 5;

const idOf = (key: string) => encryptionKeyOf(Buffer.from(key, "hex")).keyId;

async function databaseWithEncrypted(): Promise<string> {
  const database = join(await directoryForTest(), "records.db");
  const { client, stop } = await serviceForTest({ database, environment: { ENCRYPTION_KEY: OLD, SEED: "none" } });
  await client.putNamespace({ name: "vault" }, { encrypted: true });
  for (let i = 0; i < COUNT; i++)
    await client.capture({ namespace: "vault", content: `Secret ${i}.`, sourceAgent: "s" });
  await stop();
  return database;
}

test("rotation moves every memory to the new key, so that the former one can be taken away", async () => {
  const DATABASE_URL = await databaseWithEncrypted();
  const [oldId, newId] = [idOf(OLD), idOf(NEW)];
  const encryptionCommand = (command: string, variables: Record<string, string>) =>
    portcullis(["encryption", command], { settings: { DATABASE_URL, ...variables } });
  expect(await encryptionCommand("status", { ENCRYPTION_KEY: OLD })).toEqual({
    code: 0,
    out: `${oldId}\t${COUNT}\tENCRYPTION_KEY\n`,
    err: "",
  });
  const refused = await encryptionCommand("rotate", { ENCRYPTION_KEY: NEW });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("ENCRYPTION_KEY_FORMER") });
  const both = { ENCRYPTION_KEY: NEW, ENCRYPTION_KEY_FORMER: OLD };
  expect(await encryptionCommand("rotate", both)).toMatchObject({
    code: 0,
    err: expect.stringContaining(`${COUNT} keys`),
  });
  expect((await encryptionCommand("status", both)).out).toBe(`${newId}\t${COUNT}\tENCRYPTION_KEY\n`);

  const { client } = await serviceForTest({
    database: DATABASE_URL,
    environment: { ENCRYPTION_KEY: NEW, SEED: "none" },
  });
  const { memories } = await client.listMemories();
  expect(memories).toHaveLength(COUNT);
  const again = await client.capture({ namespace: "vault", content: "Secret 0.", sourceAgent: "s" });
  expect(memories.map(({ memoryId }) => memoryId)).toContain(again.memory.memoryId);
});
