// Tenants, for operators.
import { z } from "zod";
import { keyName, tenantId } from "#contract/schemas/resources.ts";
import { component, count, instant, listed, nextCursor, page } from "#contract/schemas/scalars.ts";
import { issuedKey } from "./identity.ts";
import type { Rows } from "./row.ts";

const tenant = component("Tenant", {
  id: tenantId,
  createdAt: instant.exactOptional().describe("Left out for the tenant `default`, which is always there."),
  suspendedAt: instant.exactOptional().describe("Since then nobody may act in it."),
});

const params = z.object({ tenantId });

export const tenantRows = {
  listTenants: {
    summary: "The tenants, oldest first. For operators.",
    query: page,
    response: z.object({ tenants: listed(tenant), nextCursor }),
  },
  createTenant: {
    summary: "Make a tenant, with an empty policy and without memories.",
    body: z.strictObject({ id: tenantId }),
    response: z.object({ tenant }),
    problems: ["tenant-exists"],
  },
  putTenant: {
    summary: "Make a tenant unless there is one of this id. For provisioning: it may be repeated.",
    params,
    body: z.strictObject({}),
    response: z.object({ tenant }),
  },
  getTenant: {
    summary: "One tenant, with counts. Nothing else of what is in it.",
    params,
    response: z.object({ tenant, usage: z.object({ memories: count, namespaces: count }) }),
    problems: ["not-found"],
  },
  updateTenant: {
    summary: "Suspend or resume a tenant. Nobody may act in a suspended one; its records stay.",
    params,
    body: z.strictObject({ suspended: z.boolean() }),
    response: z.object({ tenant }),
    problems: ["not-found"],
  },
  createTenantKey: {
    summary: "Make a key of an admin of the tenant. It is shown this once; that admin makes the other keys.",
    params,
    body: z.strictObject({ name: keyName, expiresAt: instant.optional().describe("Left out: it does not expire.") }),
    response: issuedKey,
    problems: ["not-found"],
  },
} as const satisfies Rows;
