// What the service says about itself, and its reset.
import { z } from "zod";
import { overview, service } from "#contract/schemas/overview.ts";
import type { Rows } from "./row.ts";

export const operationRows = {
  getOverview: { summary: "Counts of memories, answers and anchors.", response: overview },
  getService: { summary: "The version of this service, and what it runs on.", response: service },
  getMetrics: {
    summary: "Metrics of this process, in the text format of Prometheus.",
    response: z.string(),
    streams: "reply",
    mediaType: "text/plain",
  },
  resetDemo: {
    summary: "Restore the seed memories and the default policy. Receipts and anchors stay.",
    body: z.object({}),
    bodyOptional: true,
    response: z.object({ ok: z.boolean() }),
  },
} as const satisfies Rows;
