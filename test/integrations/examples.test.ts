// The programs of examples/, each in a process of its own, against a fresh service.
import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { COMPILE_CACHE } from "#test/support/compile-cache.ts";
import { type KeyedService, keyedServiceForTest } from "#test/support/keyed-service.ts";

const SOURCE = new URL("../support/package-from-source.ts", import.meta.url).href;

/** What the example prints. It fails if the example does. */
async function run(name: string, { url }: KeyedService, key: string, environment = {}): Promise<string> {
  const program = fileURLToPath(new URL(`../../examples/${name}.ts`, import.meta.url));
  const env = { ...COMPILE_CACHE, PORTCULLIS_URL: url, PORTCULLIS_KEY: key, ...environment };
  const { stdout } = await promisify(execFile)(process.execPath, ["--import", SOURCE, program], { env });
  return stdout;
}

const freshService = () => keyedServiceForTest({ environment: { SEED: "none" } });

test("ai-sdk-agent.ts: the model is given what the policy allows, and a revoke counts for the next call", async () => {
  const service = await freshService();
  expect(await run("ai-sdk-agent", service, service.adminKey)).toMatchInlineSnapshot(`
    "The model is scripted: it repeats what it was given. Set MODEL to use a real one.

    user:    What should I cook tonight?
    model:   I was given: Is allergic to peanuts. Spends 80 euros a week on food.
    receipt: recalled by cook, from budget and kitchen

    The budget is closed to the cook.

    user:    What should I cook tonight?
    model:   I was given: Is allergic to peanuts.
    receipt: recalled by cook, from kitchen
    "
  `);
});

test("two-agents.ts: what one captures, the other finds as long as the policy says so", async () => {
  const service = await freshService();
  expect(await run("two-agents", service, service.adminKey)).toMatchInlineSnapshot(`
    "At first, the driver finds: The next visit is on Friday at nine.
      closed to it: care
    After a correction, the driver finds: The next visit is on Friday at eleven.
      closed to it: care
    With care opened, the driver finds: Takes 5 mg of warfarin in the evening. The next visit is on Friday at eleven.
      closed to it: nothing
    With everything revoked, the driver finds: nothing
      closed to it: care, visits
    The driver's key captures into no namespace: forbidden
    "
  `);
});

test("langgraph-agent.ts: it remembers in one conversation, recalls in another, and forgets with a revoke", async () => {
  const service = await freshService();
  expect(await run("langgraph-agent", service, service.adminKey)).toMatchInlineSnapshot(`
    "The model is scripted: it repeats what was found. Put your own in its place.

    user:  Remember: the white roses were cut on 3 March.
    agent: I will.

    user:  When were the roses cut?
    agent: I remember: the white roses were cut on 3 March.

    namespaces: [["garden","roses"]]
    The garden is closed to the gardener.

    user:  When were the roses cut?
    agent: I do not remember anything.
    "
  `);
});

test("auditor.ts: verifies receipts from outside, says which kind they are, and finds one in doubt", async () => {
  const service = await freshService();
  const { client } = await service.keyFor("agent:planner", { captures: ["trips"] });
  const auditor = await service.keyFor("auditor");
  await service.admin.setAccess({ agentId: "planner", namespace: "trips", allowed: true });
  await client.capture({ namespace: "trips", content: "Flies to Lisbon on 14 May." });
  const { receipt: recalled } = await client.recall({ query: "Lisbon" });
  const { receipt: answered } = await client.chat({ query: "When do I fly?" });
  for (const { answerId } of [recalled as typeof answered, answered]) await client.anchorOnChain({ answerId });
  expect(await run("auditor", service, auditor.key)).toMatchInlineSnapshot(`
    "The package is the one that the service names. Set PORTCULLIS_PACKAGE to pin one.
    verified: answered by planner, 16 checks
    verified: recalled by planner, 16 checks
    2 anchored receipts, 0 in doubt
    "
  `);
  const another = run("auditor", service, auditor.key, { PORTCULLIS_PACKAGE: `0x${"1".repeat(64)}` });
  await expect(another).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining("2 in doubt") });
});
