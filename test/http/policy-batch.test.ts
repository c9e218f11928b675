// POST /api/policy/batch, the removal of rules, and short replies, over real HTTP.
import { expect, onTestFinished, test } from "vitest";
import { syncLedgerRegularly } from "#background/jobs.ts";
import { createClient } from "#contract/client/client.ts";
import { createWorld } from "#test/identity/world.ts";
import { expectProblem } from "#test/support/bodies.ts";
import { freshDatabase } from "#test/support/postgres/databases.ts";
import { post, problemIn, send } from "#test/support/send.ts";
import { changingNothing, type Service, serviceForTest } from "#test/support/service.ts";
import { differencesIn, exportOf, importInto } from "#test/transfer/exported.ts";

const MINIMAL = { prefer: "return=minimal" };
const rule = (agentId: string, namespace: string, allowed: boolean | null) => ({ agentId, namespace, allowed });
const batch = (
  { url }: Pick<Service, "url">,
  rules: unknown,
  more: object = {},
  headers: Record<string, string> = {},
) => post(`${url}/api/policy/batch`, { rules, ...more }, headers);

async function worldForTest() {
  const world = await createWorld();
  onTestFinished(() => world.service.stop());
  const as = (holder: keyof typeof world.keys) => ({ authorization: `Bearer ${world.keys[holder]}` });
  return { ...world, as };
}

test("a batch is one version, and answers with the whole policy after it; an agent reads its own row of it", async () => {
  const { service, keys, as } = await worldForTest();
  const { url } = service;
  const admin = createClient({ baseUrl: url, bearer: keys.admin });
  const { version } = await admin.getPolicy();
  const rules = [
    rule("assistant", "finance", null),
    rule("assistant", "garden", true),
    rule("planner", "finance", false),
    rule("planner", "diet", false),
    rule("new", "diet", true),
  ];
  const reply = await batch(service, rules, {}, as("admin"));
  const policy = { assistant: { diet: true, garden: true }, new: { diet: true }, planner: { finance: false } };
  expect(JSON.parse(reply.text)).toEqual({ policy, version: version + 1 });
  const { changes } = await admin.listPolicyChanges({ limit: 10 });
  expect(changes.filter((change) => change.version === version + 1)).toMatchObject([
    { agentId: "assistant", namespace: "finance", from: false, to: null, by: "admin" },
    { agentId: "assistant", namespace: "garden", from: null, to: true },
    { agentId: "new", namespace: "diet", from: null, to: true },
    { agentId: "planner", namespace: "finance", from: true, to: false },
  ]);
  const { decisions } = await admin.listDecisions({ limit: 4 });
  expect(
    decisions.map(({ route, kind, agentId, namespace, details }) => [
      route,
      kind,
      agentId,
      namespace,
      details?.allowed,
    ]),
  ).toEqual(
    expect.arrayContaining([
      ["setAccessBatch", "policy", "assistant", "finance", null],
      ["setAccessBatch", "policy", "planner", "finance", false],
      ["setAccessBatch", "policy", "new", "diet", true],
    ]),
  );
  const own = createClient({ baseUrl: url, bearer: keys.otherAgent });
  expect((await own.listDecisions({ limit: 1 })).decisions).toMatchObject([
    { agentId: "planner", namespace: "finance" },
  ]);
  // The same again changes nothing.
  expect(JSON.parse((await batch(service, rules, {}, as("admin"))).text).version).toBe(version + 1);
  expect(await differencesIn(service)).toEqual([]);
});

test.for(["return=minimal", 'Return = "minimal"', "respond-async, return=minimal; x=1, return=representation"])(
  "with Prefer: %s the policy routes answer with the version alone, and say so",
  async (prefer) => {
    const service = await serviceForTest();
    const replies = [
      await send(`${service.url}/api/policy`, { headers: { prefer } }),
      await post(`${service.url}/api/policy`, rule("advisor", "travel", true), { prefer }),
      await batch(service, [rule("advisor", "diet", true)], {}, { prefer }),
    ];
    expect(replies.map(({ text }) => JSON.parse(text))).toEqual([{ version: 1 }, { version: 2 }, { version: 3 }]);
    for (const { headers } of replies) expect(headers["preference-applied"]).toBe("return=minimal");
    const { client } = service;
    expect(await client.setAccessBatch({ rules: [rule("advisor", "diet", null)] }, { prefer: "minimal" })).toEqual({
      version: 4,
    });
    expect(await client.getPolicy({ prefer: "minimal" })).toEqual({ version: 4 });
  },
);

test.for([{}, { prefer: "return=representation, return=minimal" }, { prefer: "handling=strict" }])(
  "with the headers %o they answer with the whole policy",
  async (headers) => {
    const service = await serviceForTest();
    const reply = await batch(service, [rule("advisor", "diet", true)], {}, headers);
    expect(JSON.parse(reply.text)).toMatchObject({ policy: { advisor: { diet: true } }, version: 2 });
    expect(reply.headers).not.toHaveProperty("preference-applied");
  },
);

test("a batch that is not valid is refused, with the position and the field of each fault, and changes nothing", async () => {
  const service = await serviceForTest();
  const good = rule("advisor", "diet", true);
  const faults: readonly (readonly [unknown, ...string[]])[] = [
    [[], "#/rules"],
    [
      [good, rule("advisor", " x", true), { ...good, agentId: "b", allowed: "no" }],
      "#/rules/1/namespace",
      "#/rules/2/allowed",
    ],
    [[good, rule("planner", "diet", true), { ...good, allowed: false }], "#/rules/2"],
    [[good, { ...rule("b", "c", null), dryRun: true }], "#/rules/1/dryRun"],
    // A name with an invisible character may be closed, and not opened.
    [[rule("a\u200bb", "diet", false), rule("a\u200bc", "diet", true)], "#/rules/1/agentId"],
    [Array.from({ length: 1_001 }, (_, i) => rule(`a${i}`, "diet", true)), "#/rules"],
    [Array.from({ length: 200_000 }, () => 0), "#/rules"],
  ];
  await changingNothing(service, async () => {
    for (const [rules, ...pointers] of faults) {
      const answer = await batch(service, rules);
      for (const pointer of pointers) expectProblem(answer, 400, "invalid-request", pointer);
    }
  });
  const most = Array.from({ length: 1_000 }, (_, i) => rule(`${"🌿".repeat(60)}${1_000 + i}`, "🌿".repeat(64), true));
  expect(JSON.parse((await batch(service, most, {}, MINIMAL)).text)).toEqual({ version: 2 });
});

test("the admin of a namespace names its own namespaces alone in a batch, and allows no names that look alike", async () => {
  const { service, as } = await worldForTest();
  const foreign = [rule("x", "garden", true), rule("x", "diet", true)];
  const own = foreign.slice(0, 1);
  const refused = await batch(service, foreign, {}, as("namespaceAdmin"));
  expectProblem(refused, 403, "forbidden", "#/rules/1/namespace");
  expectProblem(await batch(service, own, { allowConfusable: true }, as("namespaceAdmin")), 403, "forbidden");
  const single = { ...own[0], allowConfusable: true };
  expectProblem(await post(`${service.url}/api/policy`, single, as("namespaceAdmin")), 403, "forbidden");
  const done = await batch(service, own, {}, as("namespaceAdmin"));
  expect(JSON.parse(done.text).policy).toEqual({ x: { garden: true } });
});

test("a batch for a version that is past changes nothing, and says which version there is", async () => {
  const service = await serviceForTest();
  const { version } = await service.client.setAccess(rule("assistant", "health", false));
  const undo = [rule("assistant", "health", true)];
  const refused = await changingNothing(service, () => batch(service, undo, { ifVersion: version - 1 }));
  expectProblem(refused, 409, "policy-changed");
  expect(problemIn(refused).detail).toContain(`version ${version} by now`);
  const done = await batch(service, undo, { ifVersion: version }, MINIMAL);
  expect(JSON.parse(done.text)).toEqual({ version: version + 1 });
});

test("an admin is told which name another looks like, and may allow both; they go with an export", async () => {
  const service = await serviceForTest();
  const alike = [rule("anna1", "diet", true), rule("annal", "diet", true)];
  const refused = await batch(service, alike);
  expectProblem(refused, 409, "confusable-name", "#/rules/1/agentId");
  expect(problemIn(refused).detail).toMatch(/looks like “anna1”.*`allowConfusable`/);
  const allowed = await batch(service, alike, { allowConfusable: true }, MINIMAL);
  expect(JSON.parse(allowed.text)).toEqual({ version: 2 });
  const { client } = service;
  const single = { ...rule("companion", "dіet", true), allowConfusable: true };
  expect((await client.setAccess(single)).policy.companion?.dіet).toBe(true);
  await client.capture({ namespace: "dіet", content: "Tea at five.", sourceAgent: "annal" });
  await client.capture({ namespace: "diet", content: "Tea at six.", sourceAgent: "anna1" });
  for (const name of ["diet", "dіet"]) await client.putNamespace({ name }, { description: "Meals.", encrypted: false });

  const { url: database, drop } = await freshDatabase();
  onTestFinished(drop);
  const elsewhere = await serviceForTest({ database, environment: { SEED: "none" } });
  const { text, trailer } = await exportOf(client);
  await importInto(elsewhere.client, text, { key: trailer.signature.keyId });
  expect((await elsewhere.client.getPolicy()).policy).toEqual((await client.getPolicy()).policy);
  await elsewhere.client.capture({ namespace: "dіet", content: "Tea at seven.", sourceAgent: "annal" });
  expect(await differencesIn(elsewhere)).toEqual([]);
});

test("answers before and after batches and removals are anchored, verify, and are as the ledger knows the policy", async () => {
  const service = await serviceForTest();
  const { client, tenant } = service;
  const ask = async () => (await client.chat({ agentId: "assistant", query: "What about dinner?" })).receipt;
  const before = await ask();
  await client.setAccessBatch({ rules: [rule("assistant", "diet", null), rule("assistant", "health", false)] });
  const between = await ask();
  const many = Array.from({ length: 1_000 }, (_, i) => rule(`agent ${i}`, `n${i % 3}`, true));
  await client.setAccessBatch({ rules: many }, { prefer: "minimal" });
  await client.setAccess(rule("assistant", "health", null));
  await client.setAccess(rule("assistant", "diet", true));
  const after = await ask();
  expect(before.usedMemories.map(({ namespace }) => namespace)).toContain("diet");
  expect(between.usedMemories.map(({ namespace }) => namespace)).not.toContain("diet");
  expect(between.blockedNamespaces).toEqual(["diet", "finance", "health"]);
  expect(after.blockedNamespaces).toEqual(["finance", "health"]);
  for (const { answerId } of [before, between, after]) {
    const { receiptId, allAuthorized } = await client.anchorOnChain({ answerId });
    expect(allAuthorized).toBe(true);
    expect((await client.verify({ receiptId })).verdict).toBe("verified");
  }
  const claimed = await client.anchorOnChain({ answerId: between.answerId, claimNamespaces: ["diet"] });
  expect(claimed.allAuthorized).toBe(false);

  await client.setAccessBatch({ rules: many.slice(0, 600).map((each) => ({ ...each, allowed: null })) });
  const syncing = syncLedgerRegularly(tenant, { intervalMs: 10 });
  onTestFinished(() => syncing.stop());
  await expect.poll(async () => (await tenant.ledger.drift()).rules, { timeout: 10_000 }).toBe(0);
  expect(await differencesIn(service)).toEqual([]);
});
