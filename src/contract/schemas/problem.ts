import { z } from "zod";
import type { Problem } from "#contract/problem.ts";
import { component, id, label, listed, sentence, url } from "./scalars.ts";

export const problemSchema = component("Problem", {
  type: url.describe("urn:portcullis:problem:<code>"),
  title: sentence,
  status: z.int().min(400).max(599),
  code: label.describe("Stable. Programs should decide by it."),
  detail: sentence,
  requestId: id.optional(),
  keyId: id.optional().describe("With `already-created`: the key that the first request created."),
  errors: listed(z.object({ pointer: sentence.optional(), parameter: label.optional(), detail: sentence }), 20)
    .optional()
    .describe("What is wrong with a field (a JSON pointer) or with a parameter."),
}) satisfies z.ZodType<Omit<Problem, "code"> & { code: string }>;
