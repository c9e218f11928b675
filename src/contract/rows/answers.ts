// Asking: answers with receipts, and memories for one's own model.
import { z } from "zod";
import {
  agentId,
  answered,
  blocked,
  checkTurns,
  issuedReceipt,
  messages,
  opening,
  query,
  recalledMemory,
  recorded,
} from "#contract/schemas/resources.ts";
import {
  component,
  count,
  digest,
  content as givenContent,
  name as givenName,
  id,
  label,
  listed,
  version,
  whenTrue,
} from "#contract/schemas/scalars.ts";
import { MAX_RECALL_LIMIT } from "#core/gate/gate.ts";
import type { Rows } from "./row.ts";

const MOST_MEMORIES = 256;

const promptMemory = z.object({
  memoryId: id,
  namespace: givenName,
  content: givenContent.describe("Its text as the prompt has it."),
  contentDigest: digest.describe("blake2b256 of the blob's bytes, hex."),
  pinned: whenTrue.describe("It is marked as pinned in the prompt."),
  cut: whenTrue.describe("The prompt has only the beginning of its text."),
});

export const gateEvent = component("GateEvent", {
  answerId: id.describe("The receipt is on record under this id, in progress."),
  policyVersion: version,
  template: label
    .nullable()
    .describe("The id of the prompt's template, with which the prompt can be rebuilt. Null when no model is asked."),
  memories: listed(promptMemory, MOST_MEMORIES).describe("What passed: the memories of the prompt, in its order."),
  ...blocked,
  blockedSizes: listed(z.object({ namespace: givenName, memories: count }))
    .exactOptional()
    .describe("How many memories each listed namespace has, whatever the question. For admins alone."),
});

const MODEL = ["model-failed", "model-unavailable", "model-timeout", "prompt-too-long"] as const;

const OWN_AGENT = "The agent that asks. An agent's own key may leave it out.";

export const answerRows = {
  chat: {
    summary: "Ask as an agent. The gate runs first; the answer comes with its receipt.",
    body: z.strictObject({ agentId: agentId.optional().describe(OWN_AGENT), query, messages }).superRefine(checkTurns),
    response: answered,
    streams: "answer",
    problems: ["policy-changed", "limit-reached", ...MODEL],
  },
  companion: {
    summary: "Ask the health companion. Its answer says so when a namespace was closed to it.",
    body: z.strictObject({ query }),
    response: answered,
    streams: "answer",
    problems: ["policy-changed", "limit-reached", ...MODEL],
  },
  recall: {
    summary: "The memories that an agent may use for a question, best first, for your own model. Always on record.",
    body: z
      .strictObject({
        agentId: agentId.optional().describe(OWN_AGENT),
        query,
        messages,
        limit: z.int().min(1).max(MAX_RECALL_LIMIT).optional().describe("At most, and by default, RECALL_LIMIT."),
        namespacePrefix: recorded.namespace
          .optional()
          .describe("Only memories of this namespace, and of those below it: `trips` also finds `trips/2026`."),
        receipt: z
          .boolean()
          .optional()
          .describe("false: leave the receipt out of the reply. It is on record in any case. The default is true."),
      })
      .superRefine(checkTurns),
    response: z.object({
      memories: listed(recalledMemory, MAX_RECALL_LIMIT),
      omittedCount: count
        .exactOptional()
        .describe(
          "How many further memories were found and left out, because all together have at most 400,000 bytes as JSON. Only when there are any.",
        ),
      ...blocked,
      receipt: issuedReceipt.optional(),
      opening: opening.optional(),
    }),
    streams: "memories",
    problems: ["policy-changed"],
  },
} as const satisfies Rows;
