import { Ed25519Keypair } from "@mysten/sui/keypairs/ed25519";
import { expect, onTestFinished, test } from "vitest";
import { sqliteRecords } from "#adapters/records/sqlite/sqlite-records.ts";
import { ledgerOf } from "#compose/ledger.ts";
import { readConfig } from "#config.ts";

test("the ledger on Sui knows the package of release 0.1.0 if the environment names it", async () => {
  const records = sqliteRecords({ path: ":memory:" });
  onTestFinished(() => records.close());
  const id = (digit: string) => `0x${digit.repeat(64)}`;
  const sui = {
    SUI_NETWORK: "localnet",
    SUI_KEYSTORE: Ed25519Keypair.generate().getSecretKey(),
    SUI_PACKAGE_ID: id("1"),
    SUI_GATE_ID: id("2"),
  };
  const formerOf = async (environment: Record<string, string>) => {
    const { ledger } = await ledgerOf(readConfig(environment).ledger, records);
    onTestFinished(() => ledger.close());
    return ledger.formerPackageId();
  };
  expect(await formerOf(sui)).toBeUndefined();
  expect(await formerOf({ ...sui, SUI_FORMER_PACKAGE_ID: id("3") })).toBe(id("3"));
});
