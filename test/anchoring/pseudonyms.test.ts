// A gate with pseudonyms: no name of an agent or a namespace is on the ledger, and everything else is as ever.
import { describe, expect, test } from "vitest";
import { openingOfAll } from "#core/receipt/held-values.ts";
import { openingText } from "#core/receipt/opening.ts";
import type { AnswerReceipt } from "#core/receipt/receipt.ts";
import { fsck } from "#service/operations/fsck/fsck.ts";
import { statuses } from "#test/support/anchored-receipt.ts";
import { digest } from "#test/support/reference-encoding.ts";
import { directoryForTest, type Service, serviceForTest } from "#test/support/service.ts";
import { verifyInBrowser } from "#web/pages/verify/verify-in-browser.ts";

const PSEUDONYMS = { environment: { LEDGER_NAMES: "pseudonyms", RECALL_LIMIT: "1" } };
const ASK = { agentId: "assistant", query: "What may I eat on Friday?" };

/** All transactions of the ledger, as text in which a name would be readable. */
async function ledgerText({ tenant: { records } }: Service): Promise<string> {
  const log = await records.ledgerLog.page({ limit: 1_000 });
  return log.map(({ bytes }) => Buffer.from(bytes).toString("latin1")).join("\n");
}

/** With none of our code. */
const pseudonym = (name: string, salt: string): string =>
  digest(Buffer.concat([Buffer.from("portcullis/name/v1\0"), Buffer.from(salt, "hex"), Buffer.from(name)]));

test("agents and namespaces are on the ledger as pseudonyms alone, in the policy and in claims", async () => {
  const service = await serviceForTest(PSEUDONYMS);
  const { client, tenant } = service;
  await client.setAccess({ agentId: "assistant", namespace: "diet", allowed: false });
  await client.setAccess({ agentId: "assistant", namespace: "diet", allowed: true });
  const { receipt } = await client.chat(ASK);
  const { receiptId, allAuthorized } = await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
  expect(allAuthorized).toBe(true);
  const { names = [] } = await client.getReceipt({ answerId: receipt.answerId });
  expect(names.map(({ name }) => name)).toEqual(["assistant", "diet"]);
  const onLedger = names.map(({ name, salt }) => pseudonym(name, salt));
  const { chain, hasPseudonyms } = await client.verify({ receiptId });
  expect([hasPseudonyms, chain?.agent, chain?.claimed]).toEqual([true, onLedger[0], [onLedger[1]]]);

  const text = await ledgerText(service);
  expect(text).toContain(onLedger[0]);
  for (const name of ["assistant", "companion", "diet", "health", "finance"]) expect(text).not.toContain(name);
  expect(await tenant.ledger.drift()).toEqual({ rules: 0, isOursToMend: true });
  const { differences } = await fsck(tenant, { onDifference: ({ detail }) => expect.fail(detail) });
  expect(differences).toBe(0);
});

test("the gate judges claims by pseudonyms: a namespace that was closed is refused", async () => {
  const { client } = await serviceForTest(PSEUDONYMS);
  const { receipt } = await client.chat(ASK);
  const [blocked = ""] = receipt.blockedNamespaces;
  const { allAuthorized } = await client.anchorOnChain({ receipt, claimNamespaces: [blocked] });
  expect(allAuthorized).toBe(false);
});

describe("verification", () => {
  test("is unknown without the salts of the names, and verified with them", async () => {
    const { client, tenant, url } = await serviceForTest(PSEUDONYMS);
    const { receipt, opening } = await client.chat(ASK);
    const { receiptId } = await client.anchorOnChain({ answerId: receipt.answerId, sealed: true });
    const { names } = await client.getReceipt({ answerId: receipt.answerId });
    const { packageId } = await client.getTrustRoot();
    const fetchers = {
      packageId: async () => packageId,
      object: async (id: string) => (await tenant.ledger.find(id)) ?? ("missing" as const),
      blob: async (id: string) => (await fetch(`${url}/v1/blobs/${id}`)).bytes(),
    };
    const verify = async (held: Parameters<typeof openingOfAll>[2]) => {
      const document = openingOfAll(receipt as AnswerReceipt, opening.seed, held);
      const options = { signal: new AbortController().signal, opening: openingText(document) };
      return (await verifyInBrowser(receiptId, fetchers, options)).progress;
    };
    const hidden = await verify({});
    expect([hidden.verdict, statuses(hidden.checks)]).toEqual([
      "unknown",
      expect.objectContaining({ agent: "unknown", claims: "unknown", opening: "pass" }),
    ]);
    expect((await verify({ names: names ?? [] })).verdict).toBe("verified");
  });
});

describe("a gate keeps its names", () => {
  test("also over a restart, without the setting", async () => {
    const directory = await directoryForTest();
    const DATABASE_URL = `${directory}/portcullis.db`;
    const first = await serviceForTest({ environment: { ...PSEUDONYMS.environment, DATABASE_URL } });
    const { receipt } = await first.client.chat(ASK);
    const before = await first.client.anchorOnChain({ answerId: receipt.answerId });
    await first.stop();
    const second = await serviceForTest({ environment: { DATABASE_URL, RECALL_LIMIT: "1" } });
    const answered = await second.client.chat(ASK);
    const after = await second.client.anchorOnChain({ answerId: answered.receipt.answerId });
    const agents = await Promise.all(
      [before, after].map(async ({ receiptId }) => (await second.client.verify({ receiptId })).chain?.agent),
    );
    expect(agents[0]).toMatch(/^[0-9a-f]{64}$/);
    expect(agents[1]).toBe(agents[0]);
  });

  test.for([
    ["plain", "pseudonyms"],
    ["pseudonyms", "plain"],
  ])("and refuses to start when they are %s and the setting demands %s", async ([names = "", other = ""]) => {
    const directory = await directoryForTest();
    const environment = { DATABASE_URL: `${directory}/portcullis.db` };
    const first = await serviceForTest({ environment: { ...environment, LEDGER_NAMES: names } });
    const { receipt } = await first.client.chat(ASK);
    await first.client.anchorOnChain({ answerId: receipt.answerId });
    await first.stop();
    const start = (LEDGER_NAMES: string) => serviceForTest({ environment: { ...environment, LEDGER_NAMES } });
    await expect(start(other)).rejects.toMatchObject({
      code: "configuration",
      message: expect.stringMatching(/for ever, and LEDGER_NAMES demands/),
    });
    await start(names);
  });
});
