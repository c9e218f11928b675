// The policy and its change log.
import { z } from "zod";
import { policyChange } from "#contract/schemas/history.ts";
import { nextCursor, pageBy } from "#contract/schemas/paging.ts";
import { accessRule, recorded, versionedPolicy } from "#contract/schemas/resources.ts";
import { listed } from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

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
