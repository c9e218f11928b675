// Asking: answers with receipts, and memories for one's own model.
import { z } from "zod";
import {
  agentId,
  answered,
  blocked,
  issuedReceipt,
  opening,
  query,
  recalledMemory,
  recorded,
} from "#contract/schemas/resources.ts";
import { count } from "#contract/schemas/scalars.ts";
import { MAX_RECALL_LIMIT } from "#core/gate/gate.ts";
import type { Rows } from "./row.ts";

const MODEL = ["model-failed", "model-unavailable", "model-timeout", "prompt-too-long"] as const;

const OWN_AGENT = "The agent that asks. An agent's own key may leave it out.";

export const answerRows = {
  chat: {
    summary: "Ask as an agent. The gate runs first; the answer comes with its receipt.",
    body: z.object({ agentId: agentId.optional().describe(OWN_AGENT), query }),
    response: answered,
    streams: "answer",
    problems: ["policy-changed", ...MODEL],
  },
  companion: {
    summary: "Ask the health companion. Its answer says so when a namespace was closed to it.",
    body: z.object({ query }),
    response: answered,
    streams: "answer",
    problems: ["policy-changed", ...MODEL],
  },
  recall: {
    summary: "The memories that an agent may use for a question, best first, for your own model. Always on record.",
    body: z.object({
      agentId: agentId.optional().describe(OWN_AGENT),
      query,
      limit: z.int().min(1).max(MAX_RECALL_LIMIT).optional().describe("At most, and by default, RECALL_LIMIT."),
      namespacePrefix: recorded.namespace
        .optional()
        .describe("Only memories of this namespace, and of those below it: `trips` also finds `trips/2026`."),
      receipt: z
        .boolean()
        .optional()
        .describe("false: leave the receipt out of the reply. It is on record in any case. The default is true."),
    }),
    response: z.object({
      memories: z.array(recalledMemory).meta({ maxItems: MAX_RECALL_LIMIT }),
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
