// A failover to a standby that lagged: the last changes of the policy are lost, and others take their versions. A replica
// has the lost ones in memory.
import { expect, test } from "vitest";
import { databaseForTest } from "#test/support/database-for-test.ts";
import type { TestDatabase } from "#test/support/postgres/databases.ts";
import { serviceForTest } from "#test/support/service.ts";

const RULE = { agentId: "assistant", namespace: "travel" };
const DIET = { agentId: "assistant", namespace: "diet" };

const TABLES = ["access", "access_changes", "policy_chain"];
const NUMBERS = [
  ["counters", "policy"],
  ["totals", "rules"],
] as const;

/** Keeps the policy as it is now, and later puts it in the place of what it has become. */
async function standbyOf({ run }: TestDatabase) {
  for (const name of [...TABLES, "counters", "totals"])
    await run(`CREATE TABLE public.${name} AS TABLE portcullis.${name}`);
  return async () => {
    for (const name of TABLES) {
      await run(`DELETE FROM portcullis.${name}`);
      await run(`INSERT INTO portcullis.${name} TABLE public.${name}`);
    }
    for (const [table, name] of NUMBERS)
      await run(`UPDATE portcullis.${table} SET value = kept.value FROM public.${table} AS kept
        WHERE kept.name = '${name}' AND ${table}.name = kept.name`);
  };
}

test.for([0, 1])(
  "a replica that knows lost changes takes over the policy of the new primary, also %i versions later",
  async (later) => {
    const database = await databaseForTest();
    const [lost, other] = [
      await serviceForTest({ database: database.url }),
      await serviceForTest({ database: database.url }),
    ];
    const allowed = async () => {
      const { policy } = await lost.client.getPolicy();
      return { travel: policy.assistant?.travel, diet: policy.assistant?.diet };
    };
    for (const rule of [RULE, DIET]) await other.client.setAccess({ ...rule, allowed: true });
    const failOver = await standbyOf(database);
    await other.client.setAccess({ ...DIET, allowed: false });
    expect(await allowed()).toEqual({ travel: true, diet: false });

    await failOver();
    await other.client.setAccess({ ...RULE, allowed: false });
    for (let i = 0; i < later; i++) await other.client.setAccess({ agentId: "other", namespace: "n", allowed: true });
    expect(await allowed()).toEqual({ travel: false, diet: true });
    const { receipt } = await lost.client.chat({ agentId: "assistant", query: "Where do I travel?" });
    expect(receipt.blockedNamespaces).toContain("travel");
  },
);
