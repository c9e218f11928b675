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
} from "#contract/schemas/resources.ts";
import { MAX_RECALL_LIMIT } from "#core/gate/gate.ts";
import type { Rows } from "./row.ts";

const OWN_AGENT = "The agent that asks. An agent's own key may leave it out.";

export const answerRows = {
  chat: {
    summary: "Ask as an agent. The gate runs first; the answer comes with its receipt.",
    body: z.object({ agentId: agentId.optional().describe(OWN_AGENT), query }),
    response: answered,
    streams: "answer",
    idempotent: "answer",
  },
  companion: {
    summary: "Ask the health companion. Its answer says so when a namespace was closed to it.",
    body: z.object({ query }),
    response: answered,
    streams: "answer",
    idempotent: "answer",
  },
  recall: {
    summary: "The memories that an agent may use for a question, best first, for your own model. Always on record.",
    body: z.object({
      agentId: agentId.optional().describe(OWN_AGENT),
      query,
      limit: z.int().min(1).max(MAX_RECALL_LIMIT).optional().describe("At most, and by default, RECALL_LIMIT."),
      receipt: z
        .boolean()
        .optional()
        .describe("false: leave the receipt out of the reply. It is on record in any case. The default is true."),
    }),
    response: z.object({
      memories: z.array(recalledMemory),
      omittedCount: z
        .int()
        .exactOptional()
        .describe(
          "How many further memories were found and left out, because all together have at most 400,000 bytes as JSON. Only when there are any.",
        ),
      ...blocked,
      receipt: issuedReceipt.optional(),
      opening: opening.optional(),
    }),
    streams: "memories",
    idempotent: "answer",
  },
} as const satisfies Rows;
