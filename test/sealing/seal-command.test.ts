// portcullis seal: what an operator does with the key of sealed namespaces.
import { join } from "node:path";
import { expect, test } from "vitest";
import { sealKeyOf } from "#adapters/sealing/seal-key.ts";
import { portcullis } from "#test/support/portcullis.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";

const [OLD, NEW] = ["0a".repeat(32), "0b".repeat(32)];
const COUNT = 5;

const idOf = (key: string) => sealKeyOf(Buffer.from(key, "hex")).keyId;

async function databaseWithSealed(): Promise<string> {
  const database = join(await directoryForTest(), "records.db");
  const { client, stop } = await serviceForTest({ database, environment: { SEAL_KEY: OLD, SEED: "none" } });
  await client.putNamespace({ name: "vault" }, { sealed: true });
  for (let i = 0; i < COUNT; i++)
    await client.capture({ namespace: "vault", content: `Secret ${i}.`, sourceAgent: "s" });
  await stop();
  return database;
}

test("rotation moves every memory to the new key, so that the former one can be taken away", async () => {
  const DATABASE_URL = await databaseWithSealed();
  const [oldId, newId] = [idOf(OLD), idOf(NEW)];
  const seal = (command: string, variables: Record<string, string>) =>
    portcullis(["seal", command], { settings: { DATABASE_URL, ...variables } });
  expect(await seal("status", { SEAL_KEY: OLD })).toEqual({
    code: 0,
    out: `${oldId}\t${COUNT}\tSEAL_KEY\n`,
    err: "",
  });
  const refused = await seal("rotate", { SEAL_KEY: NEW });
  expect(refused).toMatchObject({ code: 1, err: expect.stringContaining("SEAL_KEY_FORMER") });
  const both = { SEAL_KEY: NEW, SEAL_KEY_FORMER: OLD };
  expect(await seal("rotate", both)).toMatchObject({ code: 0, err: expect.stringContaining(`${COUNT} keys`) });
  expect((await seal("status", both)).out).toBe(`${newId}\t${COUNT}\tSEAL_KEY\n`);

  const { client } = await serviceForTest({ database: DATABASE_URL, environment: { SEAL_KEY: NEW, SEED: "none" } });
  const { memories } = await client.listMemories();
  expect(memories).toHaveLength(COUNT);
  const again = await client.capture({ namespace: "vault", content: "Secret 0.", sourceAgent: "s" });
  expect(memories.map(({ memoryId }) => memoryId)).toContain(again.memory.memoryId);
});
