// Memories: captured, listed, imported, pinned.
import { z } from "zod";
import { forgotten, memoryUse, tombstone } from "#contract/schemas/life.ts";
import { nextCursor, nextCursorOfSearch, page, pageBy } from "#contract/schemas/paging.ts";
import {
  fact,
  givenMemoryId,
  IMPORT_LINES,
  importResult,
  memory,
  reason,
  recorded,
  searched,
  time,
} from "#contract/schemas/resources.ts";
import { count, id, listed, MOST_LISTED, score, streamed } from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

const ofMemory = z.object({ memoryId: givenMemoryId });

const forgetting = z.object({ reason: reason.optional() });

export const memoryRows = {
  capture: {
    summary: "Store a fact as a public blob and remember it.",
    body: fact,
    response: z.object({
      memory,
      similar: z
        .array(z.object({ memoryId: id, score }))
        .meta({ maxItems: MOST_LISTED })
        .exactOptional()
        .describe("Memories that say nearly the same, of the namespaces that the caller may use, closest first."),
    }),
    streams: "reply",
    problems: ["confusable-name", "limit-reached", "seal-key-missing", "blob-store-failed"],
  },
  listMemories: {
    summary: "All memories, newest first; a page of them with any parameter. One request looks at 20,000 at most.",
    query: page.extend({
      q: searched.optional(),
      namespace: recorded.namespace.optional(),
      sourceAgent: recorded.sourceAgent.optional(),
      superseded: z.enum(["true", "false"]).optional().describe("History instead: memories whose place others took."),
      createdBefore: time.optional(),
      viewAs: recorded.agentId.optional().describe("Only what this agent may use under the current policy."),
    }),
    response: z.object({ memories: streamed(memory), nextCursor: nextCursorOfSearch }),
    streams: "pieces",
    problems: ["policy-changed"],
  },
  importMemories: {
    summary: `Store up to ${IMPORT_LINES} facts, one a line, and stream a result line for each. Read while you write.`,
    body: fact,
    response: importResult,
    ndjson: { maxLines: IMPORT_LINES },
    streams: "pieces",
  },
  forgetMemory: {
    summary: "Forget a memory. Final when it is answered. An agent forgets what it captured.",
    forgets: true,
    params: ofMemory,
    query: forgetting,
    response: forgotten,
    problems: ["not-found"],
  },
  forgetMemories: {
    summary: "Forget many memories, up to 2,000 a call. Call again with `nextCursor` while there is one.",
    forgets: true,
    body: z.object({
      namespace: recorded.namespace.optional(),
      sourceAgent: recorded.sourceAgent.optional(),
      before: time.optional().describe("Only those captured before this time."),
      reason: reason.optional(),
      cursor: z
        .string()
        .regex(/^(current|superseded)(\.[1-9]\d{0,15})?$/, "is not a cursor that this service gave")
        .meta({ maxLength: 64 })
        .optional()
        .describe("`nextCursor` of the call before."),
    }),
    response: z.object({
      forgotten: count,
      anchoredReceipts: count,
      nextCursor: nextCursor.describe("Where the next call goes on. Absent when all memories were looked at."),
    }),
  },
  listUses: {
    summary: "The answers that were given this memory, newest first. Also of a forgotten one.",
    params: ofMemory,
    query: pageBy(/^ans_\w{1,60}$/),
    response: z.object({ uses: listed(memoryUse), nextCursor }),
    problems: ["not-found"],
  },
  getTombstone: {
    summary: "The signed tombstone of a forgotten memory. Public when an anchored receipt names the memory.",
    params: ofMemory,
    response: z.object({ tombstone }),
    streams: "reply",
    problems: ["not-found", "policy-changed"],
  },
  getMemory: {
    summary: "One memory.",
    params: ofMemory,
    response: z.object({ memory }),
    streams: "reply",
    problems: ["not-found", "policy-changed"],
  },
  updateMemory: {
    summary: "Pin or unpin a memory. Half of RECALL_LIMIT memories of a namespace can be pinned.",
    params: ofMemory,
    body: z.object({ pinned: z.boolean() }),
    response: z.object({ memory }),
    streams: "reply",
    problems: ["not-found", "too-many-pinned", "policy-changed"],
  },
} as const satisfies Rows;
