// The decision log, and the feed of events.
import { z } from "zod";
import { decision, event, instant, outcome } from "#contract/schemas/logs.ts";
import { nextCursorOfSearch, pageBy } from "#contract/schemas/paging.ts";
import { agentId } from "#contract/schemas/resources.ts";
import type { Rows } from "./row.ts";

export const logRows = {
  listDecisions: {
    summary: "The decision log, newest first; with `Accept: application/x-ndjson` all of it, one decision a line.",
    query: pageBy(/^[\w-]{22}$/).extend({
      agentId: agentId.optional().describe("An agent reads its own decisions only."),
      outcome: outcome.optional(),
      from: instant.optional().describe("From this time on, `2026-01-02T03:04:05.678Z` for example."),
      to: instant.optional().describe("Before this time."),
    }),
    response: z.object({ decisions: z.array(decision), nextCursor: nextCursorOfSearch }),
    streams: "pieces",
  },
  listenToEvents: {
    summary: "What happens, as server-sent events. `Last-Event-ID` replays up to 24 hours.",
    response: event,
    streams: "events",
  },
} as const satisfies Rows;
