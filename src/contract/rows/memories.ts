// Memories: captured, listed, imported, pinned.
import { z } from "zod";
import { nextCursorOfSearch, page } from "#contract/schemas/paging.ts";
import { fact, IMPORT_LINES, importResult, memory, recorded, searched } from "#contract/schemas/resources.ts";
import type { Rows } from "./row.ts";

const ofMemory = z.object({ memoryId: z.string().regex(/^[\w-]{1,64}$/, "is not the id of a memory") });

export const memoryRows = {
  capture: {
    summary: "Store a fact as a public blob and remember it.",
    body: fact,
    response: z.object({ memory }),
    idempotent: "memory",
  },
  listMemories: {
    summary: "All memories, newest first; a page of them with any parameter. One request looks at 20,000 at most.",
    query: page.extend({
      q: searched.optional(),
      namespace: recorded.namespace.optional(),
      sourceAgent: recorded.sourceAgent.optional(),
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
  getMemory: { summary: "One memory.", params: ofMemory, response: z.object({ memory }), streams: "reply" },
  updateMemory: {
    summary: "Pin or unpin a memory. Half of RECALL_LIMIT memories of a namespace can be pinned.",
    params: ofMemory,
    body: z.object({ pinned: z.boolean() }),
    response: z.object({ memory }),
  },
} as const satisfies Rows;
