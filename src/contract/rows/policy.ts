// The policy and its change log.
import { z } from "zod";
import * as r from "#contract/schemas/resources.ts";
import * as s from "#contract/schemas/scalars.ts";
import { FATES } from "#core/gate/explain.ts";
import { MAX_RECALL_LIMIT } from "#core/gate/gate.ts";
import type { Rows } from "./row.ts";

const policyChange = s.component("PolicyChange", {
  version: s.version.describe(
    "The policy's version after the change. All changes of a batch, or of a reset, have the same one.",
  ),
  agentId: s.name.describe("Empty, as the namespace: no rule changed, the version moved past that of the ledger."),
  namespace: s.name,
  from: z.boolean().nullable().describe("Null: there was no rule."),
  to: z.boolean().nullable().describe("Null: the rule was removed."),
  by: s.name.describe("The name of the caller."),
  at: s.instant,
});

const explainedMemory = s.component("ExplainedMemory", {
  memoryId: s.id,
  namespace: s.name,
  fate: z
    .enum(FATES)
    .describe(
      "`given`; or not: `held-back` (its gate is closed, and it would be given if all were open), `below-limit` (others come first), `near-duplicate` (another says the same), `not-relevant` (too little of it bears on the question), `superseded`, `expired`, `forgotten`.",
    ),
  rank: s.count
    .exactOptional()
    .describe(
      "From 1: of those given and, after them, those below the limit; of a memory that is not relevant, among all.",
    ),
  gate: z.enum(["revoked", "blocked"]).exactOptional().describe("Somebody closed it, or nobody ever opened it."),
  snippet: r.snippet.exactOptional().describe("Absent when its text is gone."),
  createdAt: s.instant.exactOptional(),
  supersededBy: s.id.exactOptional(),
  relevance: r.relevance.exactOptional(),
  why: r.why.exactOptional(),
  terms: s
    .listed(z.object({ term: s.label, weight: s.score }))
    .exactOptional()
    .describe("The terms of `why`, with what each weighs: a rare one weighs more."),
});

const isRevoke = (body: unknown): boolean => !(body as z.output<typeof r.accessRule>).allowed;
const isAllRevokes = (body: unknown): boolean => (body as z.output<typeof r.accessRules>).rules.every(isRevoke);

const POLICY = { response: r.versionedPolicy, minimal: r.versionAlone, streams: "pieces" } as const;

export const policyRows = {
  explain: {
    summary: "What an agent would be given for a question, and why; and why not the rest. No model, no receipt.",
    body: z.strictObject({
      agentId: r.agentId,
      query: r.query,
      limit: z.int().min(1).max(MAX_RECALL_LIMIT).optional().describe("At most, and by default, RECALL_LIMIT."),
      memoryId: s.id.optional().describe("Explains this one in any case."),
    }),
    response: z.object({
      policyVersion: s.version,
      memories: s
        .listed(explainedMemory)
        .describe(
          "What a recall would give now, best first. Then others that the question finds, and the one that was named.",
        ),
      incomplete: s.whenTrue.describe("Only the namespaces that the caller administers were looked at."),
    }),
    streams: "reply",
    problems: ["not-found", "policy-changed"],
  },
  getPolicy: { summary: "The policy and its version.", ...POLICY },
  setAccess: {
    summary: "Allow or revoke an agent's use of a namespace, or remove the rule.",
    body: r.accessRule,
    ...POLICY,
    isUrgent: isRevoke,
    problems: ["confusable-name", "limit-reached"],
  },
  setAccessBatch: {
    summary: "Set up to 1,000 rules of the policy as one change: all of them, or none.",
    body: r.accessRules,
    // A thousand rules fit, whatever their names are.
    bodyLimit: 1024 * 1024,
    ...POLICY,
    isUrgent: isAllRevokes,
    problems: ["confusable-name", "limit-reached", "policy-changed"],
  },
  listPolicyChanges: {
    summary: "The changes of the policy, newest first.",
    query: s.pageBy(/^[1-9]\d{0,15}(?:\.\d{1,9})?$/).extend({
      agentId: r.recorded.agentId.optional().describe("Only the gates of this agent."),
      namespace: r.recorded.namespace.optional().describe("Only the gates of this namespace."),
    }),
    response: z.object({ changes: s.listed(policyChange), nextCursor: s.nextCursor }),
  },
} as const satisfies Rows;
