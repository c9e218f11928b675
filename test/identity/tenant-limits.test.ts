import { expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { startService } from "#test/support/start-service.ts";

test("metrics name the tenants that METRICS_TENANTS lists, and no others", async () => {
  const environment = { AUTH: "keys", SEED: "none", METRICS_TENANTS: "acme, later" };
  const service = await startService({ environment });
  try {
    const { tenantAdministration } = service.tenant;
    for (const id of ["acme", "globex"]) {
      await tenantAdministration.create(id);
      const { key } = await tenantAdministration.createAdminKey(id, { name: "admin" }, "test");
      const admin = createClient({ baseUrl: service.url, bearer: key });
      await admin.capture({ namespace: "n", content: "A fact.", sourceAgent: "s" });
      await expect(admin.getMemory({ memoryId: "mem_none" })).rejects.toMatchObject({ code: "not-found" });
    }
    const { text } = await service.tenant.metrics.exposition();
    const counted = text.split("\n").filter((line) => line.startsWith("portcullis_tenant_requests_total"));
    expect(counted.sort()).toEqual([
      'portcullis_tenant_requests_total{tenant="acme",kind="read",outcome="failed"} 1',
      'portcullis_tenant_requests_total{tenant="acme",kind="write",outcome="served"} 1',
    ]);
    expect(text).not.toContain("globex");
  } finally {
    await service.stop();
  }
});

test("a key of all tenants that has used up its requests in one has all of them in another", async () => {
  const environment = { AUTH: "keys", SEED: "none", LIMIT_ANSWERS_PER_MINUTE: "2" };
  const service = await startService({ environment });
  try {
    const { tenantAdministration } = service.tenant;
    for (const id of ["acme", "globex"]) await tenantAdministration.create(id);
    const asked = { name: "backend", role: "agent:support", tenants: "all" } as const;
    const { key } = await tenantAdministration.createDeploymentKey(asked, "test");
    const recallIn = (tenant: string) =>
      createClient({ baseUrl: service.url, bearer: key, tenant }).recall({ query: "anything" });
    for (let i = 0; i < 2; i += 1) await recallIn("acme");
    await expect(recallIn("acme")).rejects.toMatchObject({ code: "too-many-requests" });
    for (let i = 0; i < 2; i += 1) await recallIn("globex");
    await expect(recallIn("globex")).rejects.toMatchObject({ code: "too-many-requests" });
  } finally {
    await service.stop();
  }
});
