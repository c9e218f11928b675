// The decision log, and the feed of events.
import { z } from "zod";
import { agentId, recorded, relevance } from "#contract/schemas/resources.ts";
import * as s from "#contract/schemas/scalars.ts";
import { ACTIVITY_KINDS } from "#core/activity-kind.ts";
import { EVENT_KINDS } from "#core/identity/visible-events.ts";
import type { Rows } from "./row.ts";

export const outcome = z
  .enum(["answered", "given", "captured", "changed", "anchored", "refused", "failed", "broken-off"])
  .describe(
    "given: memories were listed or read. changed: the policy, a pin, a key, or all records by a reset. broken-off: an answer was begun, and did not reach its end.",
  );

const activityKind = z
  .enum(ACTIVITY_KINDS)
  .describe(
    "What a decision is about, by its outcome and its route. answer: complete or broken off. read: memories were listed or read. setting: pins, keys, settings of namespaces, a reset, an import.",
  );

export const decisionDetails = z
  .object({
    allowed: z
      .boolean()
      .nullable()
      .exactOptional()
      .describe("Of a change of the policy: whether the gate was opened. Null: its rule was removed."),
    cause: s.label.exactOptional().describe("Of a forgetting."),
    memories: s.count.exactOptional().describe("How many memories a forgetting was of."),
    blobId: s.id.exactOptional().describe("Of an anchor."),
    receiptId: s.id.exactOptional().describe("Of an anchor on the ledger."),
    txDigest: s.id.exactOptional().describe("Of an anchor on the ledger."),
    proposalId: s.id.exactOptional().describe("Of a proposal that was accepted or declined."),
    derivedFrom: s.listed(s.count).exactOptional().describe("The places of the messages that an accepted one is from."),
    filters: z
      .strictObject({
        namespacePrefix: s.name.optional(),
        sourceAgent: s.name.optional(),
        occurredFrom: s.label.optional(),
        occurredTo: s.label.optional(),
        metadata: s.listed(s.name).optional().describe("The names. The receipt commits to the values."),
        asOf: s.label.optional(),
        minRelevance: relevance.optional(),
      })
      .exactOptional()
      .describe("What a recall or an answer was narrowed by."),
  })
  .describe("What was done, where the route does not say it.");

/** A time in a request, as replies have it. */
export const givenInstant = z.iso.datetime({ precision: 3 }).meta({ maxLength: 24 });

const requestId = s.matching(/^[\w-]{1,64}$/, "is not the id of a request", 64);

const decision = s.component("Decision", {
  id: s.id.describe("A position in the log."),
  sequence: s.count.optional().describe("Not for agents: it counts the decisions about all of them."),
  at: s.instant,
  principalId: s.name.describe("The caller: a key, or the subject of a token."),
  principalName: s.name,
  role: z
    .enum(["operator", "admin", "namespace-admin", "agent", "auditor", "public", "service"])
    .describe("service: nobody called, as when a memory expires."),
  agentId: s.name.optional().describe("In whose name it was asked, or whose row of the policy changed."),
  route: s.label.describe("The operation's id in openapi.json, or `blob` for a blob in mock mode, or `expiry`."),
  policyVersion: s.version,
  allowedNamespaces: s.listed(s.name).optional().describe("Of the agent at that moment; the first 1,000."),
  allowedCount: s.count.optional(),
  blockedNamespaces: s.listed(s.name).optional().describe("Of the agent at that moment; the first 1,000."),
  blockedCount: s.count.optional(),
  outcome,
  answerId: s.id.optional(),
  memoryId: s.id.optional(),
  kind: activityKind,
  namespace: s.name.optional().describe("What a change, a capture or a forgetting is about."),
  details: decisionDetails.optional(),
  requestId: s.id.optional().describe("As in the header `x-request-id` of the reply, and in its problem."),
});

const event = s.component("Event", {
  id: s.id.describe("Goes on after this event, as `Last-Event-ID`. For agents it tells nothing else."),
  name: z.enum([...EVENT_KINDS, "reset"]).describe("reset: events may have been missed, so load again what you show."),
  data: z
    .object({
      at: s.instant.optional(),
      version: s.version.optional().describe("Of the policy; for admins and auditors."),
      agentId: s.name.optional(),
      namespace: s.name.optional().describe("Left out by a reset of the service, which concerns all."),
      allowed: z.boolean().nullable().optional(),
      memoryId: s.id.optional(),
      proposalId: s.id.optional(),
      sourceAgent: s.name.optional(),
      cause: s.label.optional().describe("Why a memory was forgotten."),
      supersededBy: s.id.optional(),
      answerId: s.id.optional(),
      blobId: s.id.optional(),
      receiptId: s.id.optional(),
      txDigest: s.id.optional(),
    })
    .describe("Ids and names, and no text."),
});

const webhookId = s.matching(/^hook_[0-9a-f]{24}$/, "is not the id of a webhook", 29);
const eventKinds = z.array(z.enum(EVENT_KINDS)).max(EVENT_KINDS.length).describe("Which events. Empty: all.");

const webhook = s.component("Webhook", {
  webhookId: s.id,
  url: s.url,
  kinds: eventKinds,
  createdAt: s.instant,
  createdBy: s.name,
  failures: s.count.describe("Deliveries that failed since the last that did not."),
  nextAt: s.instant.describe("When the next one may be."),
  endedAt: s.instant.exactOptional().describe("Nothing is sent any more, since the key that made it ended."),
});

const delivery = s.component("WebhookDelivery", {
  number: s.count,
  messageId: s.id.describe("The header `webhook-id`: the same when it is sent again."),
  kind: z.enum([...EVENT_KINDS, "reset"]),
  at: s.instant,
  attempt: s.count,
  status: z.int().exactOptional().describe("Of the reply, if there was one."),
  error: s.sentence.exactOptional().describe("Why it counts as failed."),
});

export const logRows = {
  listDecisions: {
    summary: "The decision log, newest first; with `Accept: application/x-ndjson` all of it, one decision a line.",
    query: s.pageBy(/^[\w-]{22}$/).extend({
      agentId: agentId.optional().describe("An agent reads its own decisions only."),
      requestId: requestId.optional().describe("What became of this request. Its reply has the id in `x-request-id`."),
      outcome: outcome.optional(),
      kind: activityKind.optional(),
      namespace: recorded.namespace
        .optional()
        .describe("What the decision is about: a change, a capture or a forgetting. Or a namespace that it held back."),
      from: givenInstant.optional().describe("From this time on, `2026-01-02T03:04:05.678Z` for example."),
      to: givenInstant.optional().describe("Before this time."),
    }),
    response: z.object({ decisions: s.listed(decision), nextCursor: s.nextCursorOfSearch }),
    lines: decision,
    streams: "pieces",
  },
  listenToEvents: {
    summary: "What happens, as server-sent events. `Last-Event-ID` replays up to 24 hours.",
    response: event,
    streams: "events",
    problems: ["too-many-listeners"],
  },
  listWebhooks: { summary: "The webhooks, newest first.", response: z.object({ webhooks: s.listed(webhook) }) },
  createWebhook: {
    summary: "Send events to a URL from now on, signed as Standard Webhooks says. The secret is shown this once.",
    body: z.strictObject({
      url: z.string().min(1).max(2_000).describe("An https URL outside of the service's own network."),
      kinds: eventKinds.optional(),
    }),
    response: z.object({
      webhook,
      secret: z.string().meta({ maxLength: 100, description: "What verifies the signatures: `whsec_` and base64." }),
    }),
    problems: ["limit-reached"],
  },
  removeWebhook: {
    summary: "End a webhook.",
    params: z.object({ webhookId }),
    response: z.object({ webhookId: s.id }),
    problems: ["not-found"],
  },
  listDeliveries: {
    summary: "The last deliveries of a webhook, newest first. The last 200 are kept.",
    params: z.object({ webhookId }),
    query: s.page,
    response: z.object({ deliveries: s.listed(delivery), nextCursor: s.nextCursor }),
    problems: ["not-found"],
  },
} as const satisfies Rows;
