// Canaries on PostgreSQL: nothing of an encrypted memory is in the clear in any table. The same search finds an open one.
import { Client } from "pg";
import { expect, test } from "vitest";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { serviceForTest } from "#test/support/service.ts";

async function tablesWith(url: string, word: string): Promise<string[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT format('%I.%I', schemaname, tablename) AS name FROM pg_tables WHERE schemaname NOT IN ('pg_catalog', 'information_schema')",
    );
    const found: string[] = [];
    for (const { name } of tables) {
      // bytea is shown in hex.
      const { rows } = await client.query<{ text: string }>(`SELECT t::text AS text FROM ${name} AS t`);
      const hex = Buffer.from(word).toString("hex");
      if (rows.some(({ text }) => text.includes(word) || text.includes(hex))) found.push(name);
    }
    return found;
  } finally {
    await client.end();
  }
}

test("an encrypted text is in no table, and one that is encrypted later leaves all of them", async () => {
  const { url } = await databaseForTest();
  const { client, tenant } = await serviceForTest({ database: url, environment: { ENCRYPTION_KEY: "c4".repeat(32) } });
  const fact = { namespace: "vault", content: "Xylocanary lives here.", sourceAgent: "s" };
  await client.putNamespace({ name: "vault" }, { encrypted: true });
  for (const namespace of ["vault", "later"]) await client.setAccess({ agentId: "a", namespace, allowed: true });
  await client.capture(fact);
  await client.capture({ ...fact, namespace: "later", content: "Latewombat lives there." });
  const { answer } = await client.chat({ agentId: "a", query: "Where does the Xylocanary live?" });
  expect(answer).toContain("Xylocanary");
  expect(await tablesWith(url, "Xylocanary")).toEqual([]);
  expect(await tablesWith(url, "Latewombat")).toEqual([expect.stringContaining("memories")]);
  await client.putNamespace({ name: "later" }, { encrypted: true });
  await expect.poll(() => tenant.records.encryption.unencryptedNamespaces()).toEqual([]);
  expect(await tablesWith(url, "Latewombat")).toEqual([]);
  const { memories } = await client.recall({ agentId: "a", query: "Latewombat" });
  expect(memories.map(({ content }) => content)).toContain("Latewombat lives there.");
});
