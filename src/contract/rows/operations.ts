// What the service says about itself, and its reset.
import { z } from "zod";
import { instant } from "#contract/schemas/logs.ts";
import { overview, service } from "#contract/schemas/overview.ts";
import { reports } from "#contract/schemas/reports.ts";
import type { Rows } from "./row.ts";

export const operationRows = {
  getOverview: { summary: "Counts of memories, answers and anchors.", response: overview },
  getReports: {
    summary: "Accesses prevented, time from revoke to in force, share of answers on the ledger, gates never used.",
    query: z.object({
      from: instant.optional().describe("By default 28 days before `to`. Rounded to whole hours."),
      to: instant.optional().describe("By default now. At most 366 days after `from`."),
    }),
    response: reports,
  },
  getService: { summary: "The version of this service, and what it runs on.", response: service },
  getMetrics: {
    summary: "Metrics of this process, in the text format of Prometheus.",
    response: z.string().meta({ maxLength: 10_000_000 }),
    streams: "reply",
    mediaType: "text/plain",
  },
  resetDemo: {
    summary: "Restore the seed memories and the default policy. Receipts and anchors stay.",
    body: z.object({}),
    bodyOptional: true,
    response: z.object({ ok: z.boolean() }),
    problems: ["blob-store-failed"],
  },
} as const satisfies Rows;
