// The decision log, and the feed of events.
import { z } from "zod";
import { activityKind, decision, event, instant, outcome, requestId } from "#contract/schemas/logs.ts";
import { nextCursorOfSearch, pageBy } from "#contract/schemas/paging.ts";
import { agentId, recorded } from "#contract/schemas/resources.ts";
import { listed } from "#contract/schemas/scalars.ts";
import type { Rows } from "./row.ts";

export const logRows = {
  listDecisions: {
    summary: "The decision log, newest first; with `Accept: application/x-ndjson` all of it, one decision a line.",
    query: pageBy(/^[\w-]{22}$/).extend({
      agentId: agentId.optional().describe("An agent reads its own decisions only."),
      requestId: requestId.optional().describe("What became of this request. Its reply has the id in `x-request-id`."),
      outcome: outcome.optional(),
      kind: activityKind.optional(),
      namespace: recorded.namespace
        .optional()
        .describe("What the decision is about: a change, a capture or a forgetting. Or a namespace that it held back."),
      from: instant.optional().describe("From this time on, `2026-01-02T03:04:05.678Z` for example."),
      to: instant.optional().describe("Before this time."),
    }),
    response: z.object({ decisions: listed(decision), nextCursor: nextCursorOfSearch }),
    lines: decision,
    streams: "pieces",
  },
  listenToEvents: {
    summary: "What happens, as server-sent events. `Last-Event-ID` replays up to 24 hours.",
    response: event,
    streams: "events",
    problems: ["too-many-listeners"],
  },
} as const satisfies Rows;
