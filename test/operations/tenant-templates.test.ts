// Templates of tenants: copied when a tenant is made, finished when that was broken off, and applied again in the
// background without what the tenant's admin did. On both databases.
import { describe, expect, onTestFinished, test } from "vitest";
import { applyTemplatesRegularly } from "#background/jobs.ts";
import { createClient } from "#contract/client/client.ts";
import { createLog } from "#log.ts";
import { databaseForTest } from "#test/support/database-for-test.ts";
import { directoryForTest, serviceForTest } from "#test/support/service.ts";

const log = createLog({ level: "silent" });
const rule = (agentId: string, namespace: string, allowed = true) => ({ agentId, namespace, allowed });
const RULES = [rule("support", "orders"), rule("support", "tickets"), rule("billing", "orders")];
const NAMESPACES = [{ name: "orders", description: "What was ordered.", retentionSeconds: 3_600 }];

describe.for(["sqlite", "postgres"] as const)("On %s, a template", (kind) => {
  async function deployment() {
    const database = kind === "postgres" ? (await databaseForTest()).url : `${await directoryForTest()}/records.db`;
    const service = await serviceForTest({ environment: { AUTH: "keys", SEED: "none" }, database });
    const { tenantAdministration } = service.tenant;
    const { key } = await tenantAdministration.createDeploymentKey({ name: "operator", role: "operator" }, "test");
    const clientWith = (bearer: string) => createClient({ baseUrl: service.url, bearer });
    const operator = clientWith(key);
    const adminOf = async (tenantId: string) =>
      clientWith((await operator.createTenantKey({ tenantId }, { name: "admin" })).key);
    const applied = async () => {
      const job = applyTemplatesRegularly(service.tenant, log, { intervalMs: 20 });
      onTestFinished(job.stop);
      const { progress } = await operator.applyTemplate({ template: "shop" });
      await expect
        .poll(async () => (await operator.getTemplate({ template: "shop" })).progress, { timeout: 20_000 })
        .toEqual({ tenants: progress.tenants, done: progress.tenants });
      job.stop();
      return progress.tenants;
    };
    return { service, operator, adminOf, applied };
  }
  type Admin = ReturnType<typeof createClient>;
  const rulesOf = async (admin: Admin) => (await admin.getPolicy()).policy;

  test("is copied into a tenant that is made from it, and a repeat changes nothing", async () => {
    const { operator, adminOf } = await deployment();
    const template = { template: "shop" };
    await expect(operator.putTenant({ tenantId: "a" }, template)).rejects.toMatchObject({ code: "not-found" });
    const quotas = { memories: 5 };
    const content = { rules: RULES, namespaces: NAMESPACES, quotas };
    const made = await operator.putTemplate(template, content);
    expect(made).toEqual({ template: { name: "shop", ...content }, progress: { tenants: 0, done: 0 } });
    expect((await operator.listTemplates()).templates).toEqual(["shop"]);
    for (let i = 0; i < 2; i += 1)
      expect((await operator.putTenant({ tenantId: "a" }, template)).tenant).toMatchObject({ id: "a", quotas });
    const admin = await adminOf("a");
    expect(await rulesOf(admin)).toEqual({ billing: { orders: true }, support: { orders: true, tickets: true } });
    expect((await admin.getNamespace({ name: "orders" })).namespace).toMatchObject(NAMESPACES[0] ?? {});
    expect((await admin.listPolicyChanges()).changes.map(({ version, by }) => [version, by])).toEqual(
      RULES.map(() => [1, "operator"]),
    );
    await operator.createTenant({ id: "b", ...template });
    expect((await operator.getTemplate(template)).progress).toEqual({ tenants: 2, done: 2 });
    await operator.deleteTemplate(template);
    await expect(operator.getTemplate(template)).rejects.toMatchObject({ code: "not-found" });
    expect(await rulesOf(await adminOf("b"))).toHaveProperty("billing");
    await expect(admin.getTemplate(template)).rejects.toMatchObject({ code: "forbidden" });
  });

  test("is applied when it changed: what admins made or changed stays, what it no longer has goes", async () => {
    const { operator, adminOf, applied } = await deployment();
    await operator.putTemplate({ template: "shop" }, { rules: RULES, namespaces: NAMESPACES, quotas: { memories: 5 } });
    for (const id of ["a", "b", "own"]) await operator.createTenant({ id, ...(id !== "own" && { template: "shop" }) });
    const [a, b] = [await adminOf("a"), await adminOf("b")];
    // The admin of a closes one gate, opens another, and says what a namespace is for; its operator gave it a quota.
    await a.setAccess(rule("support", "tickets", false));
    await a.setAccess(rule("own", "orders"));
    await a.putNamespace({ name: "orders" }, { description: "Ours." });
    await operator.updateTenant({ tenantId: "a" }, { quotas: { memories: 77 } });
    const next = [rule("support", "orders", false), rule("support", "tickets"), rule("new", "orders")];
    const namespaces = [{ name: "orders", description: "Changed." }];
    await operator.putTemplate({ template: "shop" }, { rules: next, namespaces, quotas: { memories: 6, receipts: 9 } });
    expect(await applied()).toBe(2);
    expect(await rulesOf(a)).toEqual({
      support: { orders: false, tickets: false },
      own: { orders: true },
      new: { orders: true },
    });
    expect(await rulesOf(b)).toEqual({ support: { orders: false, tickets: true }, new: { orders: true } });
    const changes = (await b.listPolicyChanges()).changes.filter(({ version }) => version === 2);
    expect(changes.map(({ agentId, to }) => [agentId, to]).sort()).toEqual([
      ["billing", null],
      ["new", true],
      ["support", false],
    ]);
    expect((await a.getNamespace({ name: "orders" })).namespace.description).toBe("Ours.");
    expect((await b.getNamespace({ name: "orders" })).namespace.description).toBe("Changed.");
    const quotasOf = async (tenantId: string) => (await operator.getTenant({ tenantId })).tenant.quotas;
    expect([await quotasOf("a"), await quotasOf("b")]).toEqual([
      { memories: 77, receipts: 9 },
      { memories: 6, receipts: 9 },
    ]);
    expect(await rulesOf(await adminOf("own"))).toEqual({});
  });

  test("that could not be copied when the tenant was made is copied by a repeat, or in the background", async () => {
    const { operator, adminOf, applied } = await deployment();
    const template = { template: "shop" };
    // As when the process ends after the tenant was made: the copy is refused half-way.
    await operator.putTemplate(template, { rules: RULES, quotas: { memories: 3, policyRules: 1 } });
    for (const tenantId of ["a", "b"]) {
      await expect(operator.putTenant({ tenantId }, template)).rejects.toMatchObject({ code: "limit-reached" });
      await operator.updateTenant({ tenantId }, { quotas: { policyRules: 10 } });
    }
    expect((await operator.getTemplate(template)).progress).toEqual({ tenants: 2, done: 0 });
    expect((await operator.putTenant({ tenantId: "a" }, template)).tenant.quotas).toMatchObject({ memories: 3 });
    expect((await operator.getTemplate(template)).progress).toEqual({ tenants: 2, done: 1 });
    await applied();
    for (const id of ["a", "b"]) expect(Object.keys(await rulesOf(await adminOf(id)))).toHaveLength(2);
  });
});
