// Taking records away, and bringing them into another service.
import { z } from "zod";
import { NDJSON_TYPE } from "#contract/media-types.ts";
import { recorded } from "#contract/schemas/resources.ts";
import { exportLine, importProgress } from "#contract/schemas/transfer.ts";
import type { Rows } from "./row.ts";

export const transferRows = {
  exportRecords: {
    summary:
      "Everything that the caller may read, signed: a header, one record a line, and a trailer. An agent's export is what the gate gives it.",
    query: z.object({
      namespace: recorded.namespace.optional().describe("Only what is in this namespace. Then there are no decisions."),
      sourceAgent: recorded.sourceAgent
        .optional()
        .describe("Only what this agent captured, was allowed and was answered."),
      open: z
        .enum(["true"])
        .optional()
        .describe("Sealed memories as plain text, for an admin to read. Such an export cannot be imported."),
    }),
    response: exportLine,
    mediaType: NDJSON_TYPE,
    streams: "pieces",
    problems: ["policy-changed"],
  },
  importRecords: {
    summary: "Record an export, once its signature was checked. Ids stay, and nothing is added twice.",
    query: z.object({
      key: z
        .string()
        .regex(/^[0-9a-f]{32}$/, "is not the id of a key")
        .meta({ maxLength: 32 })
        .optional()
        .describe("The id of the key that must have signed it. Without it, the key must be one of this service."),
      policy: z
        .enum(["replace"])
        .optional()
        .describe(
          "Put the exported policy in the place of the one here. Without it, only a policy that never changed is set.",
        ),
    }),
    rawBody: { mediaType: NDJSON_TYPE, line: exportLine },
    response: importProgress,
    mediaType: NDJSON_TYPE,
    streams: "pieces",
    problems: ["export-incomplete", "export-damaged", "export-key-unknown", "export-not-importable"],
  },
} as const satisfies Rows;
