// The policy and its change log.
import { z } from "zod";
import { accessRule, accessRules, recorded, versionAlone, versionedPolicy } from "#contract/schemas/resources.ts";
import { component, instant, listed, name, nextCursor, pageBy, version } from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

const policyChange = component("PolicyChange", {
  version: version.describe(
    "The policy's version after the change. All changes of a batch, or of a reset, have the same one.",
  ),
  agentId: name.describe("Empty, as the namespace: no rule changed, the version moved past that of the ledger."),
  namespace: name,
  from: z.boolean().nullable().describe("Null: there was no rule."),
  to: z.boolean().nullable().describe("Null: the rule was removed."),
  by: name.describe("The name of the caller."),
  at: instant,
});

const isRevoke = (body: unknown): boolean => !(body as z.output<typeof accessRule>).allowed;
const isAllRevokes = (body: unknown): boolean => (body as z.output<typeof accessRules>).rules.every(isRevoke);

const POLICY = { response: versionedPolicy, minimal: versionAlone, streams: "pieces" } as const;

export const policyRows = {
  getPolicy: { summary: "The policy and its version.", ...POLICY },
  setAccess: {
    summary: "Allow or revoke an agent's use of a namespace, or remove the rule.",
    body: accessRule,
    ...POLICY,
    isUrgent: isRevoke,
    problems: ["confusable-name", "limit-reached"],
  },
  setAccessBatch: {
    summary: "Set up to 1,000 rules of the policy as one change: all of them, or none.",
    body: accessRules,
    // A thousand rules fit, whatever their names are.
    bodyLimit: 1024 * 1024,
    ...POLICY,
    isUrgent: isAllRevokes,
    problems: ["confusable-name", "limit-reached"],
  },
  listPolicyChanges: {
    summary: "The changes of the policy, newest first.",
    query: pageBy(/^[1-9]\d{0,15}(?:\.\d{1,9})?$/).extend({
      agentId: recorded.agentId.optional().describe("Only the gates of this agent."),
      namespace: recorded.namespace.optional().describe("Only the gates of this namespace."),
    }),
    response: z.object({ changes: listed(policyChange), nextCursor }),
  },
} as const satisfies Rows;
