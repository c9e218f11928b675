// Tenants, for operators.
import { z } from "zod";
import { accessRules, keyName, recorded, tenantId } from "#contract/schemas/resources.ts";
import * as s from "#contract/schemas/scalars.ts";
import { type QuotaName, TENANT_QUOTAS, TENANT_STATES } from "#core/identity/tenant.ts";
import { issuedKey } from "./identity.ts";
import { settings } from "./memories.ts";
import type { Rows } from "./row.ts";

const counts = {
  memories: s.count.describe("Superseded ones included."),
  receipts: s.count.describe("Those of answers that were broken off included."),
  namespaces: s.count,
  keys: s.count,
};

const quota = z
  .int()
  .min(0)
  .max(10 ** 15);
const ofEach = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(TENANT_QUOTAS.map((name) => [name, schema])) as Record<QuotaName, S>;
const quotas = s.component("Quotas", ofEach(quota.exactOptional())).describe("Left out: the default, or any number.");
const { answersPerMinute: _, writesPerMinute: __, ...usage } = ofEach(s.count);

const tenant = s.component("Tenant", {
  id: tenantId,
  createdAt: s.instant.exactOptional().describe("Left out for the tenant `default`, which is always there."),
  suspendedAt: s.instant.exactOptional().describe("Since then nobody may act in it."),
  quotas: quotas.exactOptional().describe("Its own, in place of the defaults."),
  deletion: z
    .object({
      startedAt: s.instant,
      endedAt: s.instant.exactOptional().describe("Left out while it goes on."),
      removed: z.object(counts),
      remaining: s.count.describe("Memories and receipts that are yet to be removed, about."),
    })
    .exactOptional()
    .describe("Since its beginning nobody may act in the tenant. The id is not given again."),
});

const tombstone = s.component("TenantTombstone", {
  tenantId,
  startedAt: s.instant,
  endedAt: s.instant,
  ...counts,
  signature: z.object({ keyId: s.id, value: s.signatureValue.describe("Ed25519, base64url.") }),
});

const params = z.object({ tenantId });

const template = tenantId.describe("The template's name.");
const content = {
  rules: accessRules.shape.rules.optional().describe("Rules of the policy."),
  namespaces: z
    .array(z.strictObject({ name: recorded.namespace, ...settings }))
    .max(100)
    .optional()
    .describe("Namespaces and their settings."),
  quotas: z.strictObject(ofEach(quota.exactOptional())).optional(),
};
const shownTemplate = z.object({
  template: s.component("TenantTemplate", { name: template, ...content }),
  progress: z.object({
    tenants: s.count.describe("Those that were made from it."),
    done: s.count.describe("Those that have its newest version."),
  }),
});
const ofTemplate = { params: z.object({ template }), problems: ["not-found"] } as const;

export const tenantRows = {
  listTenants: {
    summary: "The tenants, oldest first. For operators.",
    query: s.page.extend({
      state: z
        .enum(TENANT_STATES)
        .optional()
        .describe("Left out: all. A deleted one is `deleted` from its deletion's beginning."),
    }),
    response: z.object({ tenants: s.listed(tenant), nextCursor: s.nextCursor }),
  },
  createTenant: {
    summary: "Make a tenant, with an empty policy and without memories.",
    body: z.strictObject({ id: tenantId, template: template.optional() }),
    response: z.object({ tenant }),
    problems: ["tenant-exists", "not-found", "limit-reached"],
  },
  putTenant: {
    summary: "Make a tenant unless there is one of this id. For provisioning: it may be repeated.",
    params,
    body: z.strictObject({ template: template.optional() }),
    response: z.object({ tenant }),
    problems: ["tenant-deleted", "not-found", "limit-reached"],
  },
  getTenant: {
    summary: "One tenant, with counts. Nothing else of what is in it.",
    params,
    response: z.object({
      tenant,
      usage: z.object(usage),
      limits: quotas,
      tombstone: tombstone.exactOptional().describe("What stays of a tenant that was deleted."),
    }),
    problems: ["not-found"],
  },
  updateTenant: {
    summary: "Suspend or resume a tenant, or change its quotas. Nobody may act in a suspended one; its records stay.",
    params,
    body: z.strictObject({
      suspended: z.boolean().optional(),
      quotas: z
        .strictObject(ofEach(quota.nullable().optional()))
        .optional()
        .describe("Those that change. Null goes back to the default."),
    }),
    response: z.object({ tenant }),
    problems: ["not-found", "tenant-deleted"],
  },
  deleteTenant: {
    summary:
      "Delete a tenant, for good. From the answer on nobody may act in it; its records are removed in the background, and `GET` shows how far it is. May be repeated.",
    params,
    response: z.object({ tenant }),
    problems: ["not-found"],
  },
  applyTemplate: {
    summary:
      "Bring the tenants that were made from a template to its newest version, in the background, each in one change of its policy. What their admins made or changed stays.",
    body: z.strictObject({ template }),
    response: shownTemplate,
    problems: ["not-found"],
  },
  listTemplates: { summary: "The names of the templates.", response: z.object({ templates: s.listed(template) }) },
  getTemplate: {
    summary: "A template, and how many tenants have its newest version.",
    ...ofTemplate,
    response: shownTemplate,
  },
  putTemplate: {
    summary: "Make or change a template. Tenants that were made from it stay as they are, until it is applied.",
    ...ofTemplate,
    body: z.strictObject(content),
    bodyLimit: 1024 * 1024,
    response: shownTemplate,
    problems: ["limit-reached"],
  },
  deleteTemplate: {
    summary: "Remove a template. Tenants that were made from it stay.",
    ...ofTemplate,
    response: z.object({}),
  },
  createTenantKey: {
    summary: "Make a key of an admin of the tenant. It is shown this once; that admin makes the other keys.",
    params,
    body: z.strictObject({ name: keyName, expiresAt: s.instant.optional().describe("Left out: it does not expire.") }),
    response: issuedKey,
    problems: ["not-found", "tenant-deleted"],
  },
} as const satisfies Rows;
