import { z } from "zod";
import { component } from "./component.ts";

export const problemSchema = component("Problem", {
  type: z.string().describe("urn:portcullis:problem:<code>"),
  title: z.string(),
  status: z.int(),
  code: z.string().describe("Stable. Programs should decide by it."),
  detail: z.string(),
  requestId: z.string().optional(),
  answerId: z.string().optional().describe("With `already-answered`: the answer that the first request got."),
  keyId: z.string().optional().describe("With `already-created`: the key that the first request created."),
  errors: z
    .array(z.object({ pointer: z.string().optional(), parameter: z.string().optional(), detail: z.string() }))
    .optional()
    .describe("What is wrong with a field (a JSON pointer) or with a parameter."),
});
