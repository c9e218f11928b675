// POST /api/memories/import: one fact a line in, one result a line out (NDJSON). Beside the table, because neither side
// is one JSON value.
import { z } from "zod";
import { problemSchema } from "./problem.ts";
import { fact, memory } from "./resources.ts";

export const IMPORT_LINES = 10_000;

export const importLine = fact;

/** `line` counts from 1, empty lines included. */
export const importResult = z
  .object({ line: z.int(), memory: memory.optional(), problem: problemSchema.optional() })
  .meta({ id: "ImportResult", description: "Either `memory` or `problem`." });
