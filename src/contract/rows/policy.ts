// The policy and its change log.
import { z } from "zod";
import { accessRule, recorded, versionedPolicy } from "#contract/schemas/resources.ts";
import { component, instant, listed, name, nextCursor, pageBy, version } from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

const policyChange = component("PolicyChange", {
  version: version.describe("The policy's version after the change. All changes of a reset have the same one."),
  agentId: name.describe("Empty, as the namespace: no rule changed, the version moved past that of the ledger."),
  namespace: name,
  from: z.boolean().nullable().describe("Null: there was no rule."),
  to: z.boolean().nullable().describe("Null: the rule was removed."),
  by: name.describe("The name of the caller."),
  at: instant,
});

const isRevoke = (body: unknown): boolean => !(body as z.output<typeof accessRule>).allowed;

export const policyRows = {
  getPolicy: { summary: "The policy and its version.", response: versionedPolicy, streams: "pieces" },
  setAccess: {
    summary: "Allow or revoke an agent's use of a namespace.",
    body: accessRule,
    response: versionedPolicy,
    streams: "pieces",
    isUrgent: isRevoke,
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
