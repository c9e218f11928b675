// Memories: captured, listed, imported, pinned.
import { z } from "zod";
import { forgotten, memoryUse, tombstone } from "#contract/schemas/life.ts";
import { nextCursor, nextCursorOfSearch, page, pageBy } from "#contract/schemas/paging.ts";
import {
  fact,
  IMPORT_LINES,
  importResult,
  memory,
  reason,
  recorded,
  searched,
  time,
} from "#contract/schemas/resources.ts";
import type { Rows } from "./row.ts";

const ofMemory = z.object({ memoryId: z.string().regex(/^[\w-]{1,64}$/, "is not the id of a memory") });

const forgetting = z.object({ reason: reason.optional() });

export const memoryRows = {
  capture: {
    summary: "Store a fact as a public blob and remember it.",
    body: fact,
    response: z.object({
      memory,
      similar: z
        .array(z.object({ memoryId: z.string(), score: z.number() }))
        .exactOptional()
        .describe("Memories that say nearly the same, of the namespaces that the caller may use, closest first."),
    }),
    streams: "reply",
    idempotent: "memory",
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
    response: z.object({ memories: z.array(memory), nextCursor: nextCursorOfSearch }),
    streams: "pieces",
  },
  importMemories: {
    summary: `Store up to ${IMPORT_LINES} facts, one a line, and stream a result line for each. Read while you write.`,
    body: fact,
    response: importResult,
    ndjson: { maxLines: IMPORT_LINES },
    streams: "pieces",
    idempotent: "import",
  },
  forgetMemory: {
    summary: "Forget a memory. Final when it is answered. An agent forgets what it captured.",
    params: ofMemory,
    query: forgetting,
    response: forgotten,
  },
  forgetMemories: {
    summary: "Forget many memories, up to 2,000 a call. Call again until `done`.",
    body: z.object({
      namespace: recorded.namespace.optional(),
      sourceAgent: recorded.sourceAgent.optional(),
      before: time.optional().describe("Only those captured before this time."),
      reason: reason.optional(),
    }),
    response: z.object({ forgotten: z.int(), anchoredReceipts: z.int(), done: z.boolean() }),
  },
  listUses: {
    summary: "The answers that were given this memory, newest first. Also of a forgotten one.",
    params: ofMemory,
    query: pageBy(/^ans_\w{1,60}$/),
    response: z.object({ uses: z.array(memoryUse), nextCursor }),
  },
  getTombstone: {
    summary: "The signed tombstone of a forgotten memory. Public when an anchored receipt names the memory.",
    params: ofMemory,
    response: z.object({ tombstone }),
  },
  getMemory: { summary: "One memory.", params: ofMemory, response: z.object({ memory }), streams: "reply" },
  updateMemory: {
    summary: "Pin or unpin a memory. Half of RECALL_LIMIT memories of a namespace can be pinned.",
    params: ofMemory,
    body: z.object({ pinned: z.boolean() }),
    response: z.object({ memory }),
  },
} as const satisfies Rows;
