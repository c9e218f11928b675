// Asking: answers with receipts, and memories for one's own model.
import { z } from "zod";
import * as r from "#contract/schemas/resources.ts";
import * as s from "#contract/schemas/scalars.ts";
import { LIMITS } from "#core/encoding/text-validation.ts";
import { MAX_RECALL_LIMIT } from "#core/gate/gate.ts";
import { CAPTURING } from "./memories.ts";
import type { Rows } from "./row.ts";

const MOST_MEMORIES = 256;

const promptMemory = z.object({
  memoryId: s.id,
  namespace: s.name,
  content: s.content.describe("Its text as the prompt has it."),
  date: r.day.exactOptional().describe("The day that it is about, as the prompt has it."),
  contentDigest: s.digest.describe("blake2b256 of the blob's bytes, hex."),
  pinned: s.whenTrue.describe("It is marked as pinned in the prompt."),
  cut: s.whenTrue.describe("The prompt has only the beginning of its text."),
});

export const gateEvent = s.component("GateEvent", {
  answerId: s.id.describe("The receipt is on record under this id, in progress."),
  createdAt: s.instant.describe("Its day, in UTC, stands in the prompt."),
  policyVersion: s.version,
  template: s.label
    .nullable()
    .describe("The id of the prompt's template, with which the prompt can be rebuilt. Null when no model is asked."),
  memories: s.listed(promptMemory, MOST_MEMORIES).describe("What passed: the memories of the prompt, in its order."),
  ...r.blocked,
  blockedSizes: s
    .listed(z.object({ namespace: s.name, memories: s.count }))
    .exactOptional()
    .describe("How many memories each listed namespace has, whatever the question. For admins alone."),
});

const MODEL = ["model-failed", "model-unavailable", "model-timeout", "prompt-too-long"] as const;
const ANSWER = {
  response: r.answered,
  streams: "answer",
  problems: ["policy-changed", "limit-reached", ...MODEL],
} as const;

const pace = z
  .enum(["reader"])
  .optional()
  .describe("Of a stream: `reader` has the built-in model write as fast as people read. No other model is slowed.");

const agentId = r.agentId.optional().describe("The agent that asks. An agent's own key may leave it out.");
const asking = { agentId, query: r.query, messages: r.messages };

const MOST_SAID = 200;
const MOST_FACTS = 50;
const SAID_CHARACTERS = 40_000;

const saidMessage = z.strictObject({
  role: z.enum(["user", "assistant"]),
  content: r.text(LIMITS.content, "What was said."),
  at: r.time
    .optional()
    .describe('When it was said: "tomorrow" counts from its date, as written. Now when it is left out.'),
});

type Said = { readonly messages: readonly z.output<typeof saidMessage>[] };

function checkConversation({ messages: said }: Said, context: z.RefinementCtx): void {
  const characters = said.reduce((sum, { content }) => sum + content.length, 0);
  const message = `must have at most ${SAID_CHARACTERS.toLocaleString("en")} characters together`;
  if (characters > SAID_CHARACTERS) context.addIssue({ code: "custom", path: ["messages"], message });
}

const derivedFrom = s
  .listed(z.int().min(0).max(MOST_SAID), MOST_SAID)
  .describe("The places of the messages that say it, from 0.");

const extracted = {
  content: s.content.describe("A standalone sentence: who, what and when."),
  namespace: s.name,
  confidence: z.number().min(0).max(1),
  derivedFrom,
  occurredAt: r.memory.shape.occurredAt.describe("The day that it is about, if it is about one."),
};

const proposal = s.component("Proposal", {
  ...extracted,
  supersedes: z
    .object({ memoryId: s.id, content: s.content.exactOptional() })
    .exactOptional()
    .describe(
      "The memory that it contradicts: it would take its place, or took it. The text is left out once it is stored.",
    ),
  proposalId: s.id.exactOptional().describe("It waits under this id, with mode review."),
  memoryId: s.id.exactOptional().describe("The memory that it became."),
});

const waitingProposal = s.component("WaitingProposal", {
  proposalId: s.id,
  ...extracted,
  supersedes: z
    .object({ memoryId: s.id, content: s.content })
    .exactOptional()
    .describe("The memory whose place it would take, as it is now: show both texts side by side."),
  agentId: s.name.describe("The agent that it comes from, and that the memory will have as its source."),
  conversationId: s.label.exactOptional().describe("The caller's name for the conversation."),
  answerId: s.id.describe("The receipt of the extraction."),
  createdAt: s.instant,
  expiresAt: s.instant.describe("It is removed then, if nobody has decided: 30 days after it was made."),
});

const proposalId = z.object({ proposalId: s.matching(/^prop_\w{1,60}$/, "is not the id of a proposal", 65) });

export const answerRows = {
  chat: {
    summary: "Ask as an agent. The gate runs first; the answer comes with its receipt.",
    body: z.strictObject({ ...asking, pace, ...r.recallFilter }).superRefine(r.checkTurns),
    ...ANSWER,
  },
  companion: {
    summary: "Ask the health companion. Its answer says so when a namespace was closed to it.",
    body: z.strictObject({ query: r.query, pace }),
    ...ANSWER,
  },
  recall: {
    summary: "The memories that an agent may use for a question, best first, for your own model. Always on record.",
    body: z
      .strictObject({
        ...asking,
        limit: z.int().min(1).max(MAX_RECALL_LIMIT).optional().describe("At most, and by default, RECALL_LIMIT."),
        ...r.recallFilter,
        receipt: z
          .boolean()
          .optional()
          .describe("false: leave the receipt out of the reply. It is on record in any case. The default is true."),
      })
      .superRefine(r.checkTurns),
    response: z.object({
      memories: s.listed(r.recalledMemory, MAX_RECALL_LIMIT),
      omittedCount: s.count
        .exactOptional()
        .describe(
          "How many further memories were found and left out, because all together have at most 400,000 bytes as JSON. Only when there are any.",
        ),
      incomplete: s.whenTrue.describe("The filter was applied to the newest 20,000 memories alone: there are more."),
      ...r.blocked,
      receipt: r.issuedReceipt.optional(),
      opening: r.opening.optional(),
    }),
    streams: "memories",
    problems: ["policy-changed"],
  },
  learn: {
    summary: "Extract facts from a conversation: proposals, for yourself or for review, or memories. Always on record.",
    body: z
      .strictObject({
        agentId,
        messages: z
          .array(saidMessage)
          .min(1)
          .max(MOST_SAID)
          .describe("The conversation, oldest first, or a part of it."),
        conversationId: r.text(LIMITS.key, "Your name for the conversation. The receipt commits to it.").optional(),
        namespaces: z
          .array(r.recorded.namespace)
          .min(1)
          .max(64)
          .optional()
          .describe(
            "Where facts may go: those whose name and description fit. By default all that the key may write; if it may write any, those that the agent may use. If there is one, all facts go there.",
          ),
        defaultNamespace: r.recorded.namespace
          .optional()
          .describe("For facts that fit none. Without it they are left out."),
        includeAssistant: z.boolean().optional().describe("true: what the assistant said of the user counts as well."),
        userName: r.text(LIMITS.name, 'What to call the user. "The user" by default.').optional(),
        mode: z
          .enum(["propose", "review", "store"])
          .optional()
          .describe(
            "propose, the default: nothing is stored. review: the proposals wait in /api/proposals until somebody accepts or declines them. store: each is captured as a memory.",
          ),
      })
      .superRefine(checkConversation),
    response: z.object({
      proposals: s.listed(proposal, MOST_FACTS),
      known: s
        .listed(z.object({ memoryId: s.id, derivedFrom }), MOST_FACTS)
        .describe("Memories that say already what was said. It is not proposed again."),
      leftOut: s.count.describe(
        "How many facts were left out: they fit no namespace, may hold a secret, or were declined before.",
      ),
      extractor: s.label.describe(
        "The model that extracted them, or `portcullis-rules-1`, the built-in rules for English.",
      ),
      receipt: r.issuedReceipt,
      opening: r.opening,
    }),
    streams: "learned",
    problems: ["policy-changed", "not-found", ...CAPTURING, ...MODEL],
  },
  listProposals: {
    summary: "Proposals that wait in namespaces that you govern, newest first.",
    query: s.pageBy(/^prop_\w{1,60}$/).extend({ namespace: r.recorded.namespace.optional() }),
    response: z.object({ proposals: s.listed(waitingProposal), nextCursor: s.nextCursor }),
    streams: "reply",
    problems: ["policy-changed"],
  },
  acceptProposal: {
    summary:
      "Store a proposal as a memory of its agent, as it is or edited. A repeat by the same caller gets the same memory.",
    params: proposalId,
    body: z.strictObject({
      content: r.text(LIMITS.content, "In place of the proposed text.").optional(),
      namespace: r.recorded.namespace
        .optional()
        .describe("In place of the proposed one; you must govern both. There it takes no other memory's place."),
    }),
    response: z.object({ memory: r.memory }),
    problems: ["not-found", "already-decided", ...CAPTURING],
  },
  declineProposal: {
    summary: "Decline a proposal. Its text is removed.",
    params: proposalId,
    body: z.strictObject({}),
    response: z.object({ proposalId: s.id }),
    problems: ["not-found", "already-decided"],
  },
} as const satisfies Rows;
