// POST /api/memories/import: one fact a line in, one result a line out.
import { z } from "zod";
import { problemSchema } from "./problem.ts";
import { memory } from "./resources.ts";

export const IMPORT_LINES = 10_000;

/** `line` counts from 1, empty lines included. */
export const importResult = z
  .object({ line: z.int(), memory: memory.optional(), problem: problemSchema.optional() })
  .meta({ id: "ImportResult", description: "Either `memory` or `problem`." });
