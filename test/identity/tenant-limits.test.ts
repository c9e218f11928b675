import { expect, test } from "vitest";
import { createClient } from "#contract/client/client.ts";
import { startService } from "#test/support/start-service.ts";

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
